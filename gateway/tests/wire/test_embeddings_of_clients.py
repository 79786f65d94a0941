"""Every request for embeddings that real clients were seen to send is read, and goes on to a member of the same API.

The requests are in a folder beside the checkout, `../shared/clients`; without it there are those of the other files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.api.routing import find_route
from gateway.wire.base import Facts
from gateway.wire.registry import EMBEDDERS

SHARED = Path(__file__).resolve().parents[4] / "shared" / "clients"


def requests() -> list[Any]:
    """(path, body) of each request."""
    found = []
    for file in sorted(SHARED.glob("**/*.json")):
        told = json.loads(file.read_text())
        for number, exchange in enumerate(told.get("exchanges", ()) if isinstance(told, dict) else ()):
            route = find_route(exchange["path"].partition("?")[0])
            if route is not None and route.embedding is not None and isinstance(exchange.get("body"), dict):
                name = f"{file.parent.name}/{file.stem}-{number}"
                found.append(pytest.param(exchange["path"], exchange["body"], id=name))
    return found


def test_the_requests_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/clients beside this checkout")
    routes = [find_route(request.values[0]) for request in requests()]
    assert {route.wire.name for route in routes if route is not None} == {"openai_chat", "gemini", "ollama"}


@pytest.mark.parametrize(("path", "body"), requests())
def test_a_clients_request_is_read_and_goes_on(path: str, body: dict[str, Any]) -> None:
    route = find_route(path)
    assert route is not None
    assert route.embedding is not None
    ask = route.embedding.read(json.dumps(body).encode(), route.path)
    outgoing = EMBEDDERS[route.wire.name].write(ask, Facts(ask.model))
    assert outgoing.notes == ()
    again = route.embedding.read(outgoing.body, outgoing.path)
    assert (again.model, again.texts, again.dimensions) == (ask.model, ask.texts, ask.dimensions)
    assert ask.texts
    assert ask.packed == (body.get("encoding_format") == "base64")
