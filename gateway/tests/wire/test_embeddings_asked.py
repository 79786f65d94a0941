"""Requests for embeddings as callers send them, and what is refused with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.canon.ask import BenchField
from gateway.canon.embedding import EmbedAsk
from gateway.canon.fault import BadRequest
from gateway.wire.embedding import EmbedServer
from gateway.wire.gemini import embeddings as gemini
from gateway.wire.ollama import embeddings as ollama
from gateway.wire.openai_chat import embeddings as openai

ONE, BATCH = "/v1beta/models/bench/core:embedContent", "/v1beta/models/bench/core:batchEmbedContents"


def content(*texts: str) -> dict[str, Any]:
    return {"parts": [{"text": text} for text in texts]}


def read(server: EmbedServer, body: object, path: str = "") -> EmbedAsk:
    return server.read(json.dumps(body).encode(), path)


OPENAI: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"input": "a"}, {"texts": ("a",)}),
    ({"input": ["a", "b"]}, {"texts": ("a", "b")}),
    ({"input": ["a"], "encoding_format": "base64"}, {"packed": True}),
    ({"input": ["a"], "encoding_format": "float", "dimensions": 8, "user": "u"}, {"dimensions": 8, "user": "u"}),
    ({"input": "a", "encoding_format": None, "dimensions": None, "user": None}, {}),
    ({"input": "a", "bench": {"strict": True}, "with": ["x"]}, {"bench": BenchField(strict=True), "extras": {}}),
]
OLLAMA: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"input": "a"}, {"texts": ("a",), "alone": False}),
    ({"input": ["a", "b"], "truncate": False, "dimensions": 8}, {"truncate": False, "dimensions": 8}),
    ({"input": "a", "dimensions": 0}, {"dimensions": None}),
]
GEMINI: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (ONE, {"content": content("a", "b")}, {"texts": ("a\nb",), "alone": True}),
    (
        ONE,
        {"content": content("a"), "taskType": "RETRIEVAL_QUERY", "outputDimensionality": 8, "title": "t"},
        {"task": "RETRIEVAL_QUERY", "dimensions": 8, "titles": ("t",)},
    ),
    (
        ONE,
        {"content": content("a"), "task_type": "RETRIEVAL_QUERY", "output_dimensionality": 8},
        {"task": "RETRIEVAL_QUERY", "dimensions": 8},
    ),
    (
        ONE,
        {"content": content("a"), "embedContentConfig": {"taskType": "CLUSTERING", "outputDimensionality": 8}},
        {"task": "CLUSTERING", "dimensions": 8},
    ),
    (
        ONE,
        {"content": content("a"), "embed_content_config": {"output_dimensionality": 8, "title": "t"}},
        {"dimensions": 8, "titles": ("t",)},
    ),
    (
        BATCH,
        {"requests": [{"content": content("a"), "model": "models/x"}, {"content": content("b"), "title": "t"}]},
        {"texts": ("a", "b"), "titles": ("", "t"), "alone": False},
    ),
]


@pytest.mark.parametrize(("body", "said"), OPENAI)
def test_openai(body: dict[str, Any], said: dict[str, Any]) -> None:
    ask = read(openai.SERVER, {"model": "bench/core", **body})
    assert (ask.protocol, ask.model) == ("openai_chat", "bench/core")
    assert {name: getattr(ask, name) for name in said} == said


@pytest.mark.parametrize(("body", "said"), OLLAMA)
def test_ollama(body: dict[str, Any], said: dict[str, Any]) -> None:
    ask = read(ollama.SERVER, {"model": "bench/core:latest", **body})
    assert (ask.protocol, ask.model) == ("ollama", "bench/core")
    assert {name: getattr(ask, name) for name in said} == said


def test_ollamas_older_form() -> None:
    ask = read(ollama.PROMPT_SERVER, {"model": "core", "prompt": "a", "keep_alive": "5m"})
    assert (ask.model, ask.texts, ask.alone, list(ask.extras)) == ("core", ("a",), True, ["keep_alive"])


@pytest.mark.parametrize(("path", "body", "said"), GEMINI)
def test_gemini(path: str, body: dict[str, Any], said: dict[str, Any]) -> None:
    ask = read(gemini.SERVER, body, path)
    assert (ask.protocol, ask.model) == ("gemini", "bench/core")
    assert {name: getattr(ask, name) for name in said} == said


WRONG: list[tuple[EmbedServer, str, object, str]] = [
    (openai.SERVER, "", {}, "`input` must be text"),
    (openai.SERVER, "", {"input": 7}, "`input` must be text"),
    (openai.SERVER, "", {"input": []}, "`input` has no text"),
    (openai.SERVER, "", {"input": ""}, "`input` is empty"),
    (openai.SERVER, "", {"input": ["a", ""]}, r"`input\[1\]` is empty"),
    (openai.SERVER, "", {"input": [1, 2]}, "list of tokens"),
    (openai.SERVER, "", {"input": [[1, 2], [3]]}, "list of tokens"),
    (openai.SERVER, "", {"input": ["a", {}]}, r"`input\[1\]` must be text"),
    (openai.SERVER, "", {"input": "a", "encoding_format": "int8"}, "encoding_format"),
    (openai.SERVER, "", {"input": "a", "dimensions": 0}, "`dimensions` must be at least 1"),
    (openai.SERVER, "", {"input": "a", "model": 7}, "`model` must be text"),
    (openai.SERVER, "", ["a"], "The body must be an object"),
    (ollama.SERVER, "", {"input": [[1]]}, "list of tokens"),
    (ollama.SERVER, "", {"input": "a", "truncate": "yes"}, "`truncate` must be true or false"),
    (ollama.PROMPT_SERVER, "", {"prompt": ""}, "`prompt` must be text"),
    (ollama.PROMPT_SERVER, "", {"input": "a"}, "`prompt` must be text"),
    (gemini.SERVER, ONE, {}, "`content` is missing"),
    (gemini.SERVER, ONE, {"content": {"parts": []}}, "`content` is empty"),
    (
        gemini.SERVER,
        ONE,
        {"content": {"parts": [{"inlineData": {"data": "AAAA"}}]}},
        r"`content.parts\[0\]` is no text",
    ),
    (gemini.SERVER, BATCH, {"requests": []}, "at least one request"),
    (gemini.SERVER, BATCH, {"requests": [{"content": content("a")}, {}]}, r"`requests\[1\].content` is missing"),
    (
        gemini.SERVER,
        BATCH,
        {"requests": [{"content": content("a")}, {"content": content("b"), "taskType": "CLUSTERING"}]},
        "differ in more than content and title",
    ),
    (gemini.SERVER, ONE, {"content": content("a"), "outputDimensionality": 0}, "must be at least 1"),
]


@pytest.mark.parametrize(("server", "path", "body", "why"), WRONG)
def test_what_cannot_be_used_is_said(server: EmbedServer, path: str, body: object, why: str) -> None:
    with pytest.raises(BadRequest, match=why):
        read(server, body, path)


@pytest.mark.parametrize("server", [openai.SERVER, ollama.SERVER, ollama.PROMPT_SERVER, gemini.SERVER])
@pytest.mark.parametrize("body", [b"", b"{", b"null", b"\xff", b'{"input": "\xff"}', b"[" * 100_000])
def test_garbage_is_a_bad_request(server: EmbedServer, body: bytes) -> None:
    with pytest.raises(BadRequest):
        server.read(body, ONE)
