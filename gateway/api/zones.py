"""Which part of the server a path belongs to, and so which rules hold there and which format speaks.

Decides by the path alone. Doubled and trailing slashes are ignored, as everywhere. Never looks at a header.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

GATEWAY_CAP = 20_000_000
PAGE_CAP = 1_000_000


class Format(StrEnum):
    """The six formats of the gateway's routes."""

    CHAT = "chat"
    COMPLETIONS = "completions"
    RESPONSES = "responses"
    ANTHROPIC = "anthropic"
    OLLAMA = "ollama"
    GEMINI = "gemini"


class Zone(Struct, frozen=True):
    """The rules of one part of the server.

    `gateway`: a route that callers of the API use, where CORS may be granted. `json`: bodies must be JSON. `cap`: the
    largest body in bytes. `query_key`: a key may ride in `?key=`, because Gemini's clients put it there. `form`: the
    format of errors.
    """

    gateway: bool
    json: bool
    cap: int
    form: Format = Format.CHAT
    query_key: bool = False


CHAT = Zone(gateway=True, json=True, cap=GATEWAY_CAP)
COMPLETIONS = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.COMPLETIONS)
RESPONSES = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.RESPONSES)
ANTHROPIC = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.ANTHROPIC)
OLLAMA = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.OLLAMA)
GEMINI = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.GEMINI, query_key=True)
LISTING = Zone(gateway=True, json=True, cap=GATEWAY_CAP, query_key=True)
PRACTICE = Zone(gateway=False, json=True, cap=GATEWAY_CAP)
REST = Zone(gateway=False, json=True, cap=PAGE_CAP)
PAGE = Zone(gateway=False, json=False, cap=PAGE_CAP)

OLLAMA_NAMES = frozenset({"chat", "generate", "show", "tags", "version"})
GEMINI_METHODS = ("generateContent", "streamGenerateContent", "countTokens")
_BY_NAME = {"completions": COMPLETIONS, "responses": RESPONSES, "messages": ANTHROPIC}
_LONGEST_REMEMBERED = 120


def zone_of(path: str) -> Zone:
    """The zone of a decoded URL path."""
    return _remembered(path) if len(path) <= _LONGEST_REMEMBERED else _judged(path)


def _judged(path: str) -> Zone:
    parts = [part for part in path.split("/") if part]
    if not parts:
        return PAGE
    match parts[0]:
        case "v1beta":
            return GEMINI
        case "v1":
            return _versioned(parts[1:])
        case "bench" if parts[-1].rpartition(":")[2] not in GEMINI_METHODS:
            return CHAT
        case "mcp" if len(parts) == 1:
            return CHAT
        case "api":
            return _api(parts[1:])
        case "practice":
            return PRACTICE
        case _:
            return _alias(parts)


_remembered = lru_cache(maxsize=512)(_judged)  # nearly all requests share a few short paths


def _versioned(parts: list[str]) -> Zone:
    """Paths below /v1, every one of them the gateway's."""
    if not parts:
        return CHAT
    if parts[-1].rpartition(":")[2] in GEMINI_METHODS:
        return GEMINI
    if parts[0] == "models":
        return LISTING
    return _BY_NAME.get(parts[0], CHAT)


def _api(parts: list[str]) -> Zone:
    """Ollama's names, and beside them the dashboard's own REST routes."""
    if len(parts) == 1 and parts[0] in OLLAMA_NAMES:
        return OLLAMA
    if parts == ["hello"]:
        return ANTHROPIC
    return REST


def _alias(parts: list[str]) -> Zone:
    """Routes that also answer without /v1 in front, and Gemini's methods at the root."""
    if parts[-1].rpartition(":")[2] in GEMINI_METHODS:
        return GEMINI
    if parts[0] == "models":
        return LISTING
    if parts == ["chat", "completions"]:
        return CHAT
    if parts in (["completions"], ["responses"]):
        return _BY_NAME[parts[0]]
    return PAGE
