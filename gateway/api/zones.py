"""Which part of the server a path belongs to, and so which rules hold there and which format speaks.

Decides by the path alone. Doubled and trailing slashes are ignored, as everywhere. Never looks at a header; where paths
are shared by several APIs, `speaker` does.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from gateway.canon.names import LONGEST_REMEMBERED

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
    format of errors. `shared`: several APIs have this path, and the headers say which of them is spoken; `form` is then
    the one that shows itself by none.
    """

    gateway: bool
    json: bool
    cap: int
    form: Format = Format.CHAT
    query_key: bool = False
    shared: bool = False


CHAT = Zone(gateway=True, json=True, cap=GATEWAY_CAP)
COMPLETIONS = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.COMPLETIONS)
RESPONSES = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.RESPONSES)
ANTHROPIC = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.ANTHROPIC)
OLLAMA = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.OLLAMA)
GEMINI = Zone(gateway=True, json=True, cap=GATEWAY_CAP, form=Format.GEMINI, query_key=True)
LISTING = Zone(gateway=True, json=True, cap=GATEWAY_CAP, query_key=True, shared=True)
SHARED = Zone(gateway=True, json=True, cap=GATEWAY_CAP, shared=True)
PRACTICE = Zone(gateway=False, json=True, cap=GATEWAY_CAP)
REST = Zone(gateway=False, json=True, cap=PAGE_CAP)
PAGE = Zone(gateway=False, json=False, cap=PAGE_CAP)
ASK = Zone(gateway=False, json=False, cap=GATEWAY_CAP)
"""The page that asks: its forms bring images."""

OLLAMA_NAMES = frozenset(
    {"chat", "embed", "embeddings", "generate", "ps", "show", "tags", "version"}
    # The rest of Ollama's API, of which nothing is served: it is told so in its own format.
    | {"blobs", "copy", "create", "delete", "pull", "push"}
)
GEMINI_METHODS = ("generateContent", "streamGenerateContent", "countTokens", "embedContent", "batchEmbedContents")
GEMINI_VERSIONS = ("v1beta", "v1alpha")
UNSERVED = frozenset({"audio", "images", "moderations"})
"""What of OpenAI's API is often asked for and not served; told so at the root too."""
_BY_NAME = {
    "bench": CHAT,
    "chat": CHAT,
    "completions": COMPLETIONS,
    "embeddings": CHAT,
    "mcp": CHAT,
    "messages": ANTHROPIC,
    "models": LISTING,
    "responses": RESPONSES,
}


def zone_of(path: str) -> Zone:
    """The zone of a decoded URL path."""
    return _remembered(path) if len(path) <= LONGEST_REMEMBERED else _judged(path)


def parts_of(path: str) -> list[str]:
    """The path's segments: doubled, leading and trailing slashes make none."""
    return [part for part in path.split("/") if part]


def plain_path(path: str) -> str:
    """The path without its superfluous slashes."""
    return "/" + "/".join(parts_of(path))


def _judged(path: str) -> Zone:
    parts = parts_of(path)
    if not parts:
        return PAGE
    match parts[0]:
        case "practice":
            return PRACTICE
        case "api":
            return _api(parts[1:])
        case _ if parts[0] in GEMINI_VERSIONS or _is_call(parts[-1]):
            return GEMINI
        case "v1":
            return _BY_NAME.get(parts[1], SHARED) if len(parts) > 1 else SHARED
        case _:
            return _alias(parts)


_remembered = lru_cache(maxsize=512)(_judged)  # nearly all requests share a few short paths


def _is_call(part: str) -> bool:
    """`model:method`. A method by itself is a name like any other, such as a person's."""
    _, colon, method = part.rpartition(":")
    return bool(colon) and method in GEMINI_METHODS


def _api(parts: list[str]) -> Zone:
    """Ollama's names, and beside them the dashboard's own REST routes."""
    if parts and parts[0] in OLLAMA_NAMES:
        return OLLAMA
    if parts == ["hello"]:
        return ANTHROPIC
    return REST


def _alias(parts: list[str]) -> Zone:
    """Routes that also answer without /v1 in front."""
    match parts:
        case ["models", *_] | ["bench", *_] | ["mcp"] | ["chat", "completions"] | ["embeddings", *_]:
            return _BY_NAME[parts[0]]
        case ["completions"] | ["responses", *_] | ["messages", *_]:
            return _BY_NAME[parts[0]]
        case [name, *_] if name in UNSERVED:
            return SHARED
        case ["ask", *_]:
            return ASK
        case _:
            return PAGE
