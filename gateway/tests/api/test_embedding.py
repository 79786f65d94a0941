"""Embeddings through the consumer: read, asked of the bench, and told in the caller's format."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.embedding import Embedded
from gateway.canon.fault import BadRequest, Fault, Rejected
from gateway.engine.embed import EmbedAnswer, EmbedAsking
from gateway.tests.api.asking import FakeBench, FakePanel, Limits, ask

VECTORS = ((0.5, 0.25),)
BENCH = Raw(b'{"collection":"bench/core","alias":"alpha"}')
TEXT = {"content": {"parts": [{"text": "a"}]}}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai": ("/v1/embeddings", {"model": "bench/core:route", "input": "a"}),
    "openai without a version": ("/embeddings", {"model": "bench/core:route", "input": "a"}),
    "gemini": ("/v1beta/models/bench/core:embedContent", TEXT),
    "gemini batch": ("/v1/models/bench%2Fcore:batchEmbedContents", {"requests": [TEXT]}),
    "ollama": ("/api/embed", {"model": "bench/core:latest", "input": ["a"]}),
    "ollama prompt": ("/api/embeddings", {"model": "bench/core", "prompt": "a"}),
}
EVERY_WAY = pytest.mark.parametrize("way", WAYS)


@dataclass
class EmbeddingBench(FakeBench):
    """Gives its vectors after a while, or fails."""

    panel: FakePanel = field(default_factory=lambda: FakePanel(()))
    fault: Fault | None = None
    seconds: float = 0.0
    wanted: list[EmbedAsking] = field(default_factory=list)
    cancelled: bool = False

    async def embed(self, asking: EmbedAsking) -> EmbedAnswer:
        self.wanted.append(asking)
        asking.identify(self.snapshot, 0.0)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        if self.fault is not None:
            raise self.fault
        return EmbedAnswer(Embedded(VECTORS, "x", 3), "alpha", BENCH)


def vector_in(told: Any) -> Any:
    match told:
        case (
            {"data": [{"embedding": vector}]} | {"embedding": {"values": vector}} | {"embeddings": [{"values": vector}]}
        ):
            return vector
        case {"embeddings": [vector]} | {"embedding": vector}:
            return vector
        case _:
            return None


@EVERY_WAY
async def test_the_vector_comes_in_the_callers_format(way: str) -> None:
    bench = EmbeddingBench()
    answer = await ask(bench, *WAYS[way])
    assert answer.status == 200, answer.body
    assert vector_in(answer.json) == [0.5, 0.25]
    assert answer.headers["x-bench-model"] == "alpha"
    assert bench.wanted[0].ask.texts == ("a",)
    assert bench.wanted[0].ask.model.removesuffix(":route") in ("bench/core", "bench%2Fcore")
    told = json.loads(bytes(BENCH))
    assert answer.json.get("bench", told if way.startswith("gemini") else None) == told


async def test_the_model_is_echoed_as_in_other_replies() -> None:
    assert (await ask(EmbeddingBench(), *WAYS["openai"])).json["model"] == "bench/core"
    assert (await ask(EmbeddingBench(), *WAYS["ollama"])).json["model"] == "bench/core"


@EVERY_WAY
async def test_a_failure_has_the_callers_shape_and_its_wait(way: str) -> None:
    bench = EmbeddingBench(fault=Rejected("No member answered.", status=429, wait=3))
    answer = await ask(bench, *WAYS[way])
    assert (answer.status, answer.headers["retry-after"]) == (429, "3")
    error = answer.json["error"]
    assert (error if way.startswith("ollama") else error["message"]) == "No member answered."


@EVERY_WAY
async def test_a_bad_body_is_refused_before_anybody_is_asked(way: str) -> None:
    bench = EmbeddingBench(fault=BadRequest("not reached"))
    answer = await ask(bench, WAYS[way][0], {"model": "bench/core"})
    assert answer.status == 400
    assert bench.wanted == []


@EVERY_WAY
async def test_a_key_is_needed_where_keys_are_required(way: str) -> None:
    answer = await ask(EmbeddingBench(), *WAYS[way], limits=Limits(require_keys=True))
    assert answer.status == 401


async def test_it_is_asked_for_by_post() -> None:
    answer = await ask(EmbeddingBench(), "/v1/embeddings", method="GET")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


async def test_a_caller_who_leaves_ends_the_call() -> None:
    bench = EmbeddingBench(seconds=9.0)
    answer = await ask(bench, *WAYS["openai"], leave=lambda pieces: True)
    assert (answer.status, bench.cancelled) == (0, True)
