"""What an agent can read: the collections, and a panel by its id."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from gateway.mcp.fence import fence
from gateway.mcp.routes import Routes, fetch
from gateway.mcp.rpc import NO_SUCH_RESOURCE, Problem
from gateway.mcp.tools import TOOLS, Desk

COLLECTIONS: Final = "bench://collections"
PANEL: Final = "bench://panels/"
LISTED: Final[list[dict[str, Any]]] = [
    {
        "uri": COLLECTIONS,
        "name": "collections",
        "title": "Collections",
        "description": "The collections that can be asked.",
        "mimeType": "application/json",
    }
]
TEMPLATES: Final[list[dict[str, Any]]] = [
    {
        "uriTemplate": f"{PANEL}{{id}}",
        "name": "panel",
        "title": "A panel",
        "description": "A panel as it stands: its seats with their answers, and why each sits there.",
        "mimeType": "text/plain",
    }
]


async def read_resource(desk: Desk, uri: str) -> dict[str, Any]:
    """The result of resources/read. Raises a Problem for what is not there, and Refusal where a route refuses."""
    if uri == COLLECTIONS:
        said = await TOOLS["list_collections"].run(desk, {})
        return _contents(uri, "application/json", said.texts[0])
    name = uri.removeprefix(PANEL)
    if name == uri or not name or "/" in name:
        raise Problem(NO_SUCH_RESOURCE, f"There is no resource {uri!r}.", data={"uri": uri})
    return _contents(uri, "text/plain", await _panel(desk.routes, name))


async def _panel(routes: Routes, name: str) -> str:
    told = await fetch(routes, "GET", f"/bench/panels/{name}")
    return fence(msgspec.json.format(msgspec.json.encode(told), indent=2).decode(), name)


def _contents(uri: str, kind: str, text: str) -> dict[str, Any]:
    return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}
