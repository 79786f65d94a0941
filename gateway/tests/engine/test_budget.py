"""A second answer with a larger budget, when the first spent all of it before a word: asked once, paid for twice."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from gateway.tests.engine.calling import Make
from gateway.tests.engine.upstream import ANSWER, Line, Request, Script, refuses, says

SPENT = says("usage 7 100", "end length")
BUDGET = {"max_tokens": Raw(b"100")}


async def test_a_spent_budget_is_doubled_once(setting: Make) -> None:
    one = await setting(SPENT, ANSWER)
    outcome = await one.call(options=BUDGET)
    assert (outcome.reply.text, outcome.attempts) == ("Blue, mostly.", 2)
    assert [msgspec.json.decode(request.body)["options"] for request in one.provider.requests] == [
        {"max_tokens": 100},
        {"max_tokens": 200},
    ]


async def test_both_tries_of_a_doubled_budget_are_paid_for_in_the_ledger(setting: Make) -> None:
    one = await setting(SPENT, ANSWER)
    await one.call(options=BUDGET)
    row = await one.ledger()
    assert (row.tokens_in, row.tokens_out) == (14, 103)


@pytest.mark.parametrize("second", [SPENT, refuses(400)], ids=["spent again", "refused"])
async def test_when_a_larger_budget_does_not_help_the_empty_answer_stands(setting: Make, second: Script) -> None:
    one = await setting(SPENT, second)
    outcome = await one.call(options=BUDGET)
    assert (outcome.status, outcome.attempts, outcome.fault) == ("empty", 2, None)


async def test_a_doubled_budget_keeps_what_the_provider_refused_left_out(setting: Make) -> None:
    no_options = refuses(400, body=b'{"message": "unknown field stream_options", "code": ""}')
    one = await setting(no_options, SPENT, ANSWER)
    await one.call(options=BUDGET)
    asked = [msgspec.json.decode(request.body) for request in one.provider.requests]
    assert [body["stream_options"] for body in asked] == [True, False, False]


async def test_a_deadline_in_the_second_try_of_a_budget_keeps_the_empty_answer(setting: Make) -> None:
    async def mute(line: Line, request: Request) -> None:
        await line.reader.read()

    one = await setting(SPENT, mute)
    outcome = await one.call(options=BUDGET, seconds=0.4)
    assert (outcome.status, outcome.attempts) == ("empty", 2)
    assert (await one.ledger()).tokens_out == 100
