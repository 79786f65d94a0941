"""Which paths ask models, ask for embeddings or count tokens, and in which format. The rest belongs to Django (see
gateway/api/urls.py).

Decides by the path alone, with and without /v1; doubled and trailing slashes are ignored. Everything that differs from
one format to the other on its way through the consumer is in the Route.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Raw, Struct

from gateway.api.zones import parts_of, plain_path
from gateway.canon.ask import Ask
from gateway.canon.names import LONGEST_REMEMBERED
from gateway.wire import anthropic, gemini
from gateway.wire.base import ServerWire
from gateway.wire.embedding import EmbedServer
from gateway.wire.gemini import embeddings as gemini_embeddings
from gateway.wire.gemini.path import EMBEDS
from gateway.wire.ollama import embeddings as ollama_embeddings
from gateway.wire.openai_chat import embeddings as openai_embeddings
from gateway.wire.openai_responses.ask import read_count as read_input_count
from gateway.wire.registry import SERVERS

HeadersOf = Callable[[Raw | None], dict[str, str]]


class Counting(Struct, frozen=True):
    """How tokens are counted for a format: `read` takes the body and the path, `write` the number."""

    read: Callable[[bytes, str], Ask]
    write: Callable[[int], bytes]


class Route(Struct, frozen=True):
    """An inference path. `path` is the one asked for without its superfluous slashes; `counting` is set where tokens
    are only counted, `embedding` where vectors are asked for; `headers_of` gives the headers that the format adds to a
    whole reply, out of its bench object; `told_in_headers` are request headers (lower case) that belong to the request
    as its fields do."""

    wire: ServerWire
    path: str
    counting: Counting | None
    headers_of: HeadersOf
    told_in_headers: frozenset[bytes] = frozenset()
    embedding: EmbedServer | None = None


def no_headers(bench: Raw | None) -> dict[str, str]:
    """Most formats have room for the bench object in the body."""
    return {}


def _count_messages(body: bytes, path: str) -> Ask:
    return anthropic.read_count(body)


def _count_input(body: bytes, path: str) -> Ask:
    return read_input_count(body)


def _write_messages_count(tokens: int) -> bytes:
    return msgspec.json.encode({"input_tokens": tokens})


def _write_input_count(tokens: int) -> bytes:
    return msgspec.json.encode({"object": "response.input_tokens", "input_tokens": tokens})


def _write_gemini_count(tokens: int) -> bytes:
    return msgspec.json.encode({"totalTokens": tokens})


_HEADERS: Final[dict[str, HeadersOf]] = {gemini.SERVER.name: gemini.bench_headers}
_TOLD_IN_HEADERS: Final = {anthropic.SERVER.name: frozenset({anthropic.BETA.encode()})}
_ASKING: Final = {
    "/chat/completions": "openai_chat",
    "/completions": "openai_completions",
    "/responses": "openai_responses",
    "/messages": "anthropic",
}
_COUNTED: Final = {
    "/responses/input_tokens": ("openai_responses", Counting(_count_input, _write_input_count)),
    "/messages/count_tokens": ("anthropic", Counting(_count_messages, _write_messages_count)),
}
_OLLAMA: Final = {"/api/chat": "ollama", "/api/generate": "ollama_generate"}
_EMBEDDED: Final = {"/embeddings": ("openai_chat", openai_embeddings.SERVER)}
_EMBEDDED_OLLAMA: Final = {
    "/api/embed": ("ollama", ollama_embeddings.SERVER),
    "/api/embeddings": ("ollama", ollama_embeddings.PROMPT_SERVER),
}
_GEMINI_COUNTING: Final = Counting(gemini.read_count, _write_gemini_count)


def find_route(path: str) -> Route | None:
    """The route of a decoded URL path; None when it is no inference path."""
    return _remembered(path) if len(path) <= LONGEST_REMEMBERED else _judged(path)


def _judged(path: str) -> Route | None:
    parts = parts_of(path)
    plain = plain_path(path)
    if (name := _OLLAMA.get(plain)) is not None:
        return _route(name, plain)
    if (embedded := _EMBEDDED_OLLAMA.get(plain)) is not None:
        return _route(embedded[0], plain, embedding=embedded[1])
    bare = "/" + "/".join(parts[1:] if parts[:1] == ["v1"] else parts)
    if (name := _ASKING.get(bare)) is not None:
        return _route(name, plain)
    if (counted := _COUNTED.get(bare)) is not None:
        return _route(counted[0], plain, counted[1])
    if (embedded := _EMBEDDED.get(bare)) is not None:
        return _route(embedded[0], plain, embedding=embedded[1])
    if parts[:1] in (["api"], ["practice"]) or (found := gemini.read_path(plain)) is None:
        return None
    return _route(
        gemini.SERVER.name,
        plain,
        _GEMINI_COUNTING if found[1] == "countTokens" else None,
        gemini_embeddings.SERVER if found[1] in EMBEDS else None,
    )


def _route(name: str, path: str, counting: Counting | None = None, embedding: EmbedServer | None = None) -> Route:
    headers, told = _HEADERS.get(name, no_headers), _TOLD_IN_HEADERS.get(name, frozenset())
    return Route(SERVERS[name], path, counting, headers, told, embedding)


_remembered = lru_cache(maxsize=512)(_judged)  # nearly all requests share a few short paths
