"""Embeddings and decisions hear what their providers say, as answers do."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from collections_app.models import Fact
from gateway.canon.decision import Choice
from gateway.canon.embedding import EmbedAsk
from gateway.canon.fault import Fault, UpstreamFault
from gateway.engine.embed import EmbedAsking
from gateway.engine.picker_call import DecisionOrder, decide
from gateway.models import Quota
from gateway.tests.engine.deciding import Query, Table, make_decider
from gateway.tests.engine.rooms import Make
from gateway.tests.engine.upstream import Line, Request, Script, refuses, upstream
from gateway.tests.engine.world import LOCAL

LEFT = ("x-ratelimit-limit-requests-day: 50", "x-ratelimit-remaining-requests-day: 49")
FIELDS = ("connection", "alias", "metric", "window", "limit", "remaining")
ANSWER = {"answers": {"q": {"type": "choice", "choice": "a", "confidence": 1}}}
SPENT = "Rate limit reached on requests per day (RPD): Limit 50, Used 50, Requested 1. Try again in 2h"


def sends(body: Any) -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.whole(json.dumps(body).encode(), 200, *LEFT)

    return script


async def test_the_headers_of_embeddings_are_a_row(room: Make) -> None:
    one = await room(sends({"data": [{"embedding": [0.5], "index": 0}]}))
    await one.bench.embed(EmbedAsking(EmbedAsk("openai_chat", "bench/core", ("a",)), lambda snapshot, now: LOCAL))
    await one.bench.recorder.settle()
    rows = await one.query(lambda: list(Quota.objects.values_list(*FIELDS)))
    assert rows == [("anthill", "m1", "requests", "day", 50, 49)]


async def test_a_refusal_of_embeddings_teaches_too(room: Make) -> None:
    one = await room(refuses(429, body=json.dumps({"message": SPENT}).encode()))
    with pytest.raises(Fault):
        await one.bench.embed(EmbedAsking(EmbedAsk("openai_chat", "bench/core", ("a",)), lambda snapshot, now: LOCAL))
    await one.bench.recorder.settle()
    assert (await one.query(Fact.objects.get)).value == {"rpd": 50}


@pytest.mark.parametrize(
    ("script", "left"),
    [(sends(ANSWER), 49), (refuses(400, *LEFT), 49), (refuses(429, "retry-after: 7200"), 0)],
    ids=["an answer", "a refusal", "a wait"],
)
async def test_what_a_decision_models_provider_says_is_a_row_of_its_endpoint(
    bench: Any, query: Query, script: Script, left: int
) -> None:
    async with upstream(script) as provider:
        await query(lambda: make_decider(provider.base))
        decider = await Table(bench, query, provider).decider()
        with suppress(UpstreamFault):
            await decide(bench, DecisionOrder(decider, "x", {"q": Choice("?", {"a": None})}, LOCAL, "core", seconds=1))
        await bench.recorder.settle()
        rows = await query(lambda: list(Quota.objects.values_list("connection", "alias", "remaining")))
        assert rows == [("oracle", "jury", left)]
