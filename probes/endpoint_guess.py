"""What somebody may have meant by an address that does not list models as typed: other APIs and other paths of the same
server. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from gateway.canon.kinds import Api, EndpointKind
from probes.providers import preset_at

_CALLS: Final = (
    "/chat/completions",
    "/completions",
    "/messages",
    "/responses",
    "/embeddings",
    "/models",
    "/api/chat",
    "/api/generate",
    "/api/tags",
)
"""Paths that people copy together with the base."""
_ROOTS: Final = ("/openai/v1", "/api/v1", "/v1beta", "/v1", "/api")
_FORMS: Final = (("/v1", Api.CHAT), ("", Api.OLLAMA), ("", Api.CHAT), ("/api/v1", Api.CHAT), ("/openai/v1", Api.CHAT))
OPEN_WEBUI: Final = "openwebui"


class Guess(Struct, frozen=True):
    """Another way to ask the same server. `known` says that the address is a provider's whose API is a matter of
    record, so that it may be proposed unproven."""

    base: str
    api: str
    kind: str = ""
    hub: str = ""
    known: bool = False


def guesses(base: str, api: str, *, hub_too: bool) -> list[Guess]:
    """Each once, the likeliest first, without what was typed. The paths of a hub are among them only with `hub_too`:
    no other server is asked for them."""
    typed = (base, api)
    found: dict[tuple[str, str], Guess] = {}
    for guess in _all(base, hub_too):
        if (guess.base, guess.api) != typed:
            found.setdefault((guess.base, guess.api), guess)
    return list(found.values())


def _all(base: str, hub_too: bool) -> Iterator[Guess]:
    preset = preset_at(base)
    if preset is not None:
        yield Guess(preset.base, preset.api, preset.kind, preset.hub, known=True)
    stem = _without(base, _CALLS)
    root = _without(stem, _ROOTS)
    if stem != base:
        yield Guess(stem, Api.CHAT)
    yield from (Guess(f"{root}{path}", api) for path, api in _FORMS)
    if hub_too:
        yield Guess(f"{root}/api", Api.CHAT, EndpointKind.HUB, OPEN_WEBUI)
    for asked in dict.fromkeys((stem, f"{root}/v1")):
        yield Guess(asked, Api.ANTHROPIC)
    yield Guess(f"{root}/v1beta", Api.GEMINI)
    yield Guess(stem, Api.CHAT)


def _without(base: str, tails: tuple[str, ...]) -> str:
    """The address without the first of these that it ends in."""
    for tail in tails:
        if base.endswith(tail):
            return base[: -len(tail)]
    return base


def origin(url: str) -> tuple[str, str, int]:
    """(scheme, host, port): where a request to this address goes. Raises ValueError for what is no address."""
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or (443 if parts.scheme == "https" else 80)
