"""What callers send and what providers answer, in every format, and what is read out of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Raw

from benchwarmers.tests.hostile.fuzz.base import Target
from gateway.api.routing import find_route
from gateway.canon.ask import Ask
from gateway.canon.decision import Choice, Noul, Question
from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.event import Closed, Failed
from gateway.canon.fault import BadRequest, CallerFault, UpstreamFault
from gateway.engine.json_fit import fits, read_json
from gateway.tests.wire.bodies import load_bodies
from gateway.tests.wire.test_fuzz import try_body
from gateway.tests.wire.test_fuzz_replies import load_replies, read_in_pieces, tell_everybody
from gateway.wire import decisions
from gateway.wire.base import Facts
from gateway.wire.closed_schemas import for_anthropic, for_openai_strict
from gateway.wire.registry import CLIENTS, EMBEDDERS, SERVERS
from gateway.wire.schemas import for_gemini

QUESTIONS: Final[dict[str, Question]] = {
    "fits": Noul("Does it?"),
    "which": Choice("Which?", {"a": None, "b": "the other"}),
}
VECTORS: Final[Mapping[str, Any]] = {
    "openai_chat": {"data": [{"index": 0, "embedding": [0.1, 0.2]}, {"index": 1, "embedding": "AACAPwAAAEA="}]},
    "openai_responses": {"data": [{"index": 1, "embedding": [0.1]}, {"index": 0, "embedding": [2]}], "usage": {}},
    "gemini": {"embeddings": [{"values": [0.1, 0.2]}, {"values": [0.3, -0.4]}]},
    "ollama": {"model": "m", "embeddings": [[0.1, 0.2], [0.3, 0.4]], "prompt_eval_count": 3},
}
EMBED_PATHS: Final[Mapping[str, Any]] = {
    "/v1/embeddings": {"model": "bench/core", "input": ["a", "b"], "dimensions": 8, "encoding_format": "base64"},
    "/api/embed": {"model": "bench/core", "input": ["a", "b"], "truncate": True, "options": {}},
    "/api/embeddings": {"model": "bench/core", "prompt": "a"},
    "/v1beta/models/m:embedContent": {"content": {"parts": [{"text": "a"}]}, "taskType": "CLUSTERING", "title": "t"},
    "/v1beta/models/m:batchEmbedContents": {"requests": [{"model": "m", "content": {"parts": [{"text": "a"}]}}]},
}
SCHEMA: Final = {
    "type": "object",
    "properties": {
        "a": {"type": ["string", "null"], "pattern": "^(a+)+$", "minLength": 1},
        "b": {"$ref": "#/$defs/b"},
        "c": {"anyOf": [{"const": 1}, {"enum": ["x", 2]}], "default": 1},
        "d": {"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": 3},
    },
    "required": ["a"],
    "additionalProperties": False,
    "$defs": {"b": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}}},
    "allOf": [{"if": {"required": ["b"]}, "then": {"required": ["c"]}}],
}
REFUSALS: Final = (
    {
        "error": {
            "message": "Rate limit reached: limit 10, used 10. Try again in 1m2.5s.",
            "code": "rate_limit_exceeded",
        }
    },
    [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "3s", "quotaValue": "0"}]}}],
    {"detail": [{"loc": ["body", "model"], "msg": "field required", "type": "missing"}]},
    {"message": "nope", "metadata": {"raw": "<b>busy</b>", "retry_after": 5}, "type": "overloaded_error"},
)
HTML: Final = b"<html><head><style>p{}</style><script>1</script></head><body><h1>502 Bad Gateway</h1></body></html>"


def targets() -> list[Target]:
    """One for each format and direction."""
    found = [Target(f"request {name}", partial(_bodies, name), partial(_ask, name)) for name in SERVERS]
    found += [Target(f"reply {name}", partial(load_replies, name), partial(_reply, name)) for name in CLIENTS]
    found += [Target(f"error {name}", _errors, partial(_error, name)) for name in CLIENTS]
    found += [
        Target(f"vectors {name}", _documents(VECTORS[name]), partial(_vectors, name), (UpstreamFault,))
        for name in EMBEDDERS
    ]
    found += [
        Target(f"embed {path}", _documents(body), partial(_embed, path), (CallerFault,))
        for path, body in EMBED_PATHS.items()
    ]
    found += [
        Target("count", lambda: [*_bodies("anthropic"), *_bodies("openai_responses")], _count, (CallerFault,)),
        Target("decision asked", lambda: [decisions.write_request("m", "it", QUESTIONS)], _asked, (BadRequest,)),
        Target("decision answered", _documents(_DECIDED), _decided, (UpstreamFault,)),
        Target("schema", _documents(SCHEMA), _schema),
    ]
    return found


_DECIDED: Final = {
    "answers": {"fits": {"noul": 0.5}, "which": {"choice": "a", "confidence": 0.5}},
    "model": "m",
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def _documents(*said: Any) -> Callable[[], Sequence[bytes]]:
    return lambda: [json.dumps(one).encode() for one in said]


def _bodies(name: str) -> Sequence[bytes]:
    return [json.dumps(sent.body).encode() for sent in load_bodies()[name]]


def _ask(name: str, data: bytes, rng: Random) -> str:
    """Read, sent on to every member, and answered; or refused with a sentence."""
    outcome = try_body(name, rng.choice(load_bodies()[name]), data, rng)
    return outcome if outcome == "read" else "refused"


def _reply(name: str, data: bytes, rng: Random) -> str:
    events = read_in_pieces(name, data, rng)
    ends = [event for event in events if isinstance(event, Closed | Failed)]
    assert events[-1:] == ends
    tell_everybody(events)
    return "read" if isinstance(ends[0], Closed) else "refused"


def _errors() -> Sequence[bytes]:
    return [*(json.dumps(one).encode() for one in REFUSALS), HTML]


def _error(name: str, data: bytes, rng: Random) -> None:
    status = rng.choice((400, 429, 500, 599, 307))
    message, code = CLIENTS[name].read_error(status, data)
    assert message
    assert isinstance(code, str)


def _embed(path: str, data: bytes, rng: Random) -> None:
    route = find_route(path)
    assert route is not None
    assert route.embedding is not None
    ask = route.embedding.read(data, route.path)
    assert all(ask.texts)
    for client in EMBEDDERS.values():
        msgspec.json.decode(client.write(ask, Facts("m")).body, type=dict[str, Raw])
    came = Embedded(((0.5, 1.0),) * len(ask.texts), "m", 3)
    json.loads(route.embedding.write(ask, came, "bench/core", Raw(b"{}")))


def _vectors(name: str, data: bytes, rng: Random) -> None:
    came = EMBEDDERS[name].read(data, EmbedAsk(name, "m", ("a", "b")))
    assert len(came.vectors) == 2


def _count(data: bytes, rng: Random) -> None:
    route = find_route(rng.choice(("/v1/messages/count_tokens", "/v1/responses/input_tokens")))
    assert route is not None
    assert route.counting is not None
    assert isinstance(route.counting.read(data, route.path), Ask)


def _asked(data: bytes, rng: Random) -> None:
    assert decisions.read_request(data).questions


def _decided(data: bytes, rng: Random) -> None:
    json.loads(decisions.write_answers(decisions.read_answers(data, QUESTIONS)))


def _schema(data: bytes, rng: Random) -> None:
    """Fitted for each API that takes a part of the language, and held against values."""
    if _sound(data):
        for fit in (for_gemini, for_openai_strict, for_anthropic):
            fitted = fit(Raw(data))
            json.loads(bytes(fitted.schema))
    try:
        schema = read_json(data)
    except ValueError:
        return
    values: tuple[object, ...] = ({"a": "a" * 30 + "!"}, {"b": {"b": {}}}, [1, 2], "x", schema)
    for value in values:
        assert fits(schema, value) in (True, False)


def _sound(data: bytes) -> bool:
    """Whether a request with it would have been read: a schema is part of one."""
    try:
        json.loads(data.decode())
    except (ValueError, RecursionError):
        return False
    return True
