"""Which hub a server is, by what only that hub answers. Pure, but for what a fetcher brings.

Only servers that somebody calls a hub, or that answer like one, are asked for these paths.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from msgspec import Struct

from gateway.canon.fault import UpstreamFault
from gateway.engine.fetch import Fetched
from gateway.wire.loose import read_loosely
from probes.listing import Fetch

WAIT_S: Final = 5.0
_LONGEST: Final = 30
_ROOTS: Final = ("/api", "/v1", "/openai")


class HubSign(Struct, frozen=True):
    """A hub that was recognised: its word in an endpoint, what people call it, where it is asked, its release or
    empty."""

    hub: str
    label: str
    base: str
    version: str = ""


async def recognise(fetch: Fetch, base: str) -> HubSign | None:
    """The hub at this address; None when it is none that is known."""
    root = root_of(base)
    webui, litellm, cliproxy = await asyncio.gather(
        _ask(fetch, f"{root}/api/config"), _ask(fetch, f"{root}/health/readiness"), _ask(fetch, f"{root}/")
    )
    if isinstance(webui, dict) and "version" in webui and isinstance(webui.get("features"), dict):
        return HubSign("openwebui", "Open WebUI", f"{root}/api", _release(webui.get("version")))
    if isinstance(litellm, dict) and "litellm_version" in litellm:
        return HubSign("litellm", "LiteLLM", f"{root}/v1", _release(litellm.get("litellm_version")))
    if isinstance(cliproxy, dict) and "cli proxy api" in str(cliproxy.get("message", "")).lower():
        return HubSign("cliproxy", "CLI Proxy API", f"{root}/v1")
    return None


def root_of(base: str) -> str:
    """A hub's address without the path under which it is called."""
    return next((base.removesuffix(tail) for tail in _ROOTS if base.endswith(tail)), base)


def looks_like_open_webui(entries: list[dict[str, Any]]) -> bool:
    """Whether a listing is Open WebUI's: its entries say which connection they are of."""
    return any("urlIdx" in entry or "connection_type" in entry for entry in entries)


async def _ask(fetch: Fetch, url: str) -> Any:
    try:
        reply: Fetched = await fetch(url, WAIT_S)
    except UpstreamFault:
        return None
    return read_loosely(reply.body) if reply.ok else None


def _release(text: Any) -> str:
    return text[:_LONGEST] if isinstance(text, str) and text.isprintable() else ""
