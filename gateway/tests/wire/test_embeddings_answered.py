"""Embeddings as members send them and callers get them, through every pair of formats."""

from __future__ import annotations

import base64
import json
import struct
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.base import Facts
from gateway.wire.embedding import EmbedClient, EmbedServer, pack
from gateway.wire.gemini import embeddings as gemini
from gateway.wire.ollama import embeddings as ollama
from gateway.wire.openai_chat import embeddings as openai
from gateway.wire.registry import EMBEDDERS

BATCH = "/v1beta/models/m:batchEmbedContents"
SERVERS: dict[str, EmbedServer] = {"openai_chat": openai.SERVER, "gemini": gemini.SERVER, "ollama": ollama.SERVER}
CLIENTS: dict[str, EmbedClient] = {"openai_chat": openai.CLIENT, "gemini": gemini.CLIENT, "ollama": ollama.CLIENT}
BENCH = Raw(b'{"collection":"bench/core","alias":"alpha"}')
TWO = EmbedAsk("openai_chat", "bench/core", ("a", "b"))
VECTORS = ((0.1, -0.2), (0.3, 0.4))
FACTS = Facts("text-embed-1")
TOLD: dict[str, dict[str, Any]] = {
    "openai_chat": {"dimensions": 8, "user": "u"},
    "gemini": {"dimensions": 8, "task": "CLUSTERING", "titles": ("", "t")},
    "ollama": {"dimensions": 8, "truncate": True},
}
WORDS = {"titles": "title", "task": "taskType", "dimensions": "dimensions", "truncate": "truncate", "user": "user"}


@pytest.mark.parametrize(("caller", "member"), list(product(TOLD, TOLD)))
def test_what_both_formats_have_arrives_and_the_rest_is_named(caller: str, member: str) -> None:
    ask = EmbedAsk(caller, "bench/core", ("a", "b"), extras={"own": Raw(b"1")}, **TOLD[caller])
    outgoing = CLIENTS[member].write(ask, FACTS)
    back = SERVERS[member].read(outgoing.body, outgoing.path)
    assert (back.model, back.texts) == ("text-embed-1", ("a", "b"))
    for name, said in TOLD[caller].items():
        lost = name not in TOLD[member]
        assert (getattr(back, name) == said) is not lost
        assert any(f"`{WORDS[name]}` was left out" in note for note in outgoing.notes) is lost
    assert ("own" in back.extras) is (caller == member)
    assert any("`own`" in note for note in outgoing.notes) is (caller != member)


@pytest.mark.parametrize(
    ("api", "base", "path"),
    [
        ("openai_chat", "http://h/v1", "/embeddings"),
        ("openai_responses", "http://h/v1", "/embeddings"),
        ("gemini", "http://h/v1beta", "/models/text-embed-1:batchEmbedContents"),
        ("ollama", "http://h", "/api/embed"),
        ("ollama", "http://h/api/", "/embed"),
    ],
)
def test_where_members_are_asked(api: str, base: str, path: str) -> None:
    assert EMBEDDERS[api].write(TWO, Facts("models/text-embed-1" if api == "gemini" else "m", base=base)).path == path


def test_the_operators_options_are_for_answers_and_not_for_embeddings() -> None:
    for client in CLIENTS.values():
        assert b"max_tokens" not in client.write(TWO, Facts("m", options={"max_tokens": Raw(b"9")})).body


def test_geminis_own_settings_go_back_to_their_place() -> None:
    config = {"autoTruncate": True, "outputDimensionality": 8}
    body = {"content": {"parts": [{"text": "a"}]}, "embedContentConfig": config, "safety": 1}
    ask = gemini.SERVER.read(json.dumps(body).encode(), "/v1beta/models/m:embedContent")
    (request,) = json.loads(gemini.CLIENT.write(ask, FACTS).body)["requests"]
    assert request["embedContentConfig"] == {"autoTruncate": True}
    assert (request["outputDimensionality"], request["safety"]) == (8, 1)


@pytest.mark.parametrize("api", SERVERS)
def test_what_a_caller_is_told_a_member_could_have_said(api: str) -> None:
    body = SERVERS[api].write(TWO, Embedded(VECTORS, "x", 5), "bench/core", BENCH)
    came = CLIENTS[api].read(body, TWO)
    assert came.vectors == VECTORS
    if api != "gemini":
        assert (came.model, came.tokens) == ("bench/core", 5)
        assert json.loads(body)["bench"] == {"collection": "bench/core", "alias": "alpha"}
    else:
        assert list(json.loads(body)) == ["embeddings"]


def test_the_one_vector_of_a_format_stands_alone() -> None:
    alone = EmbedAsk("ollama", "bench/core", ("a",), alone=True)
    came = Embedded(((0.5, 0.25),))
    assert json.loads(ollama.PROMPT_SERVER.write(alone, came, "m", BENCH))["embedding"] == [0.5, 0.25]
    assert json.loads(gemini.SERVER.write(alone, came, "m", BENCH)) == {"embedding": {"values": [0.5, 0.25]}}


def test_openai_gets_its_vectors_packed_when_it_asks_for_that() -> None:
    ask = EmbedAsk("openai_chat", "m", ("a", "b"), packed=True)
    told = json.loads(openai.SERVER.write(ask, Embedded(VECTORS), "m", None))
    assert "bench" not in told
    assert [one["index"] for one in told["data"]] == [0, 1]
    data = base64.b64decode(told["data"][0]["embedding"])
    assert struct.unpack("<2f", data) == pytest.approx(VECTORS[0])
    assert openai.CLIENT.read(json.dumps(told).encode(), ask).vectors[1] == pytest.approx(VECTORS[1])


def test_tokens_that_nobody_counted_are_estimated() -> None:
    ask = EmbedAsk("openai_chat", "m", ("x" * 400, "y" * 40))
    told = json.loads(openai.SERVER.write(ask, Embedded(VECTORS), "m", None))
    assert told["usage"] == {"prompt_tokens": 121, "total_tokens": 121}


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False, max_value=2**120, min_value=-(2**120))))
def test_packing_keeps_every_number(numbers: list[float]) -> None:
    data = base64.b64decode(pack(numbers))
    assert list(struct.unpack(f"<{len(numbers)}f", data)) == numbers


def entry(vector: object, **place: object) -> dict[str, object]:
    return {"embedding": vector, **place}


@pytest.mark.parametrize(
    ("data", "vectors"),
    [
        ([entry([1], index=1), entry([2], index=0)], ((2.0,), (1.0,))),
        ([entry([1], index=0), entry([2], index=0)], ((1.0,), (2.0,))),
        ([entry([1]), entry([2])], ((1.0,), (2.0,))),
        ([entry([1], index=None), entry([2], index=1)], ((1.0,), (2.0,))),
        ([entry("AACAPw==", index=0), entry("AAAAQA==", index=1)], ((1.0,), (2.0,))),
    ],
)
def test_openais_vectors_go_by_their_places_where_these_make_sense(data: object, vectors: object) -> None:
    assert openai.CLIENT.read(json.dumps({"data": data}).encode(), TWO).vectors == vectors


BROKEN: list[tuple[str, object]] = [
    ("openai_chat", {}),
    ("openai_chat", {"data": [entry([1])]}),
    ("openai_chat", {"data": [entry([1]), entry([1, 2])]}),
    ("openai_chat", {"data": [entry([]), entry([])]}),
    ("openai_chat", {"data": [entry([[1]]), entry([[1]])]}),
    ("openai_chat", {"data": [entry([1e39]), entry([1])]}),
    ("openai_chat", {"data": [entry("?"), entry("AACAPw==")]}),
    ("openai_chat", {"data": [entry("AACA"), entry("AACAPw==")]}),
    ("openai_chat", {"data": [entry("AADAfw=="), entry("AACAPw==")]}),
    ("openai_chat", {"choices": []}),
    ("openai_chat", []),
    ("gemini", {"embeddings": [{"values": [1]}]}),
    ("gemini", {"embedding": {"values": [1]}}),
    ("ollama", {"embeddings": [[1], "x"]}),
    ("ollama", {"embedding": [1]}),
]


@pytest.mark.parametrize(("api", "body"), BROKEN)
def test_what_is_no_answer_to_the_request_is_broken(api: str, body: object) -> None:
    with pytest.raises(Broken, match="embeddings"):
        CLIENTS[api].read(json.dumps(body).encode(), TWO)


@pytest.mark.parametrize("api", CLIENTS)
@pytest.mark.parametrize("body", [b"", b"data: {}\n\n", b"\xff", b"<html>", b'{"data":' + b"[" * 100_000])
def test_garbage_is_broken(api: str, body: bytes) -> None:
    with pytest.raises(Broken):
        CLIENTS[api].read(body, TWO)


@pytest.mark.parametrize("api", CLIENTS)
def test_an_error_in_a_200_is_told(api: str) -> None:
    with pytest.raises(ErrorInReply, match="out of order"):
        CLIENTS[api].read(b'{"error": {"message": "out of order", "code": 503}}', TWO)
