"""What a probing call tells, by the outcome of the call alone."""

from __future__ import annotations

import pytest

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import Finish, Usage
from gateway.canon.fault import Broken, ErrorInReply, NotSent, Rejected, Silent, Unreachable, UpstreamFault
from gateway.canon.fault import FailureClass as Failure
from gateway.canon.reply import Reply, ReplyPart
from gateway.engine.call_row import status_of
from gateway.engine.order import Outcome
from probes.asking import WORST_FIRST, Question, Seen, seen, worst
from probes.questions import INSTRUCT, LARGE, REASONING, TINY


def outcome(*parts: ReplyPart, fault: UpstreamFault | None = None, finish: Finish | None = Finish.STOP) -> Outcome:
    reply = Reply(parts, "vendor/fast-1", usage=Usage(9, 3), finish=None if fault else finish, fault=fault)
    return Outcome(reply, status_of(reply), 2.5, 1, 0.9, paid=reply.usage)


def of(*parts: ReplyPart, question: Question = TINY, fault: UpstreamFault | None = None, **facts: Finish) -> Seen:
    return seen(7, "fast", question, outcome(*parts, fault=fault, **facts), 0.5)


def refused(message: str, failure: Failure, status: int = 403, code: str = "") -> Rejected:
    return Rejected(message, upstream_status=status, failure=failure, provider_code=code)


def test_an_answer_is_told_whole() -> None:
    found = of(Text("Harbour."))
    assert found == Seen(
        7, "fast", "tiny", True, True, served_as="vendor/fast-1", seconds=2.0, first_token_s=0.4, tokens_in=9,
        tokens_out=3, reasoning=0, text="Harbour.",
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["502 harbour 503", "Error: Error code: 401 - harbour", "rate limit exceeded: context length", "model not found"],
)
def test_an_answer_that_speaks_of_an_error_is_an_answer(words: str) -> None:
    found = of(Text(words))
    assert (found.answered, found.failure, found.refusal) == (True, "", False)


@pytest.mark.parametrize(
    ("fault", "failure", "of_account"),
    [
        (refused("401: invalid key", Failure.SIGNIN, 401), "signin", False),
        (refused("404: no such model", Failure.STRUCTURAL, 404), "structural", False),
        (refused("404: use this slug instead", Failure.PAYWALLED, 404), "paywalled", False),
        (refused("403: payment required", Failure.ENTITLEMENT), "entitlement", False),
        (refused("402: no credit", Failure.ENTITLEMENT, 402), "entitlement", True),
        (refused("429: Rate limit exceeded: free-models-per-day", Failure.CAPACITY, 429), "capacity", True),
        (refused("429: x", Failure.CAPACITY, 429, "usage_limit_reached"), "capacity", True),
        (refused("429: slow down", Failure.CAPACITY, 429), "capacity", False),
        (NotSent("429: not asked", upstream_status=429, failure=Failure.CAPACITY), "capacity", True),
        (NotSent("endpoint x names a key that has no value", failure=Failure.SIGNIN), "signin", True),
        (Silent("no answer in 90 s"), "timeout", False),
        (Unreachable("no connection to anthill"), "timeout", False),
        (ErrorInReply("overloaded", failure=Failure.CAPACITY), "capacity", False),
        (Broken("the reply broke off"), "other", False),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_failure_keeps_its_class(fault: UpstreamFault, failure: str, of_account: bool) -> None:
    found = of(Text("harb"), fault=fault)
    assert (found.answered, found.passed, found.failure, found.account_wide) == (False, None, failure, of_account)
    assert found.detail == fault.message
    assert found.upstream_status == fault.upstream_status


@pytest.mark.parametrize(
    "declined",
    [
        outcome(Refusal("No.")),
        outcome(Text("I\u2019m not able to help with this.")),
        outcome(Text("Har"), finish=Finish.CONTENT_FILTER),
        outcome(finish=Finish.REFUSAL),
        outcome(fault=ErrorInReply("The prompt was blocked by filters", provider_code="PROHIBITED_CONTENT")),
        outcome(fault=refused("400: filtered", Failure.OTHER, 400, "content_filter")),
    ],
    ids=lambda one: one.reply.text or str(one.fault),
)
def test_a_refusal_shows_a_model_that_lives(declined: Outcome) -> None:
    found = seen(7, "fast", TINY, declined)
    assert (found.answered, found.refusal, found.failure, found.passed) == (True, True, "", None)


def test_a_long_answer_that_quotes_a_refusal_is_none() -> None:
    found = of(Text("harbour " * 60 + "it said: i can't help with that"))
    assert (found.answered, found.refusal, found.passed) == (True, False, True)


@pytest.mark.parametrize(
    ("parts", "question", "failure"),
    [
        ((), TINY, "empty"),
        ((Thought("hm"),), TINY, "empty"),
        ((Text("  \n"),), TINY, "empty"),
        ((Text("x"),), TINY, ""),
        ((Text("Too short."),), LARGE, "empty"),
        ((ToolCall("1", "city_clock", "{}"),), LARGE, ""),
    ],
)
def test_an_answer_has_as_many_letters_as_its_question_wants(
    parts: tuple[ReplyPart, ...], question: Question, failure: str
) -> None:
    assert of(*parts, question=question).failure == failure


def test_a_wrong_answer_is_shown() -> None:
    found = of(Text("1. Rhine\n2. Elbe\n"), question=INSTRUCT)
    assert (found.passed, found.detail) == (False, "1. Rhine 2. Elbe")


def test_what_cannot_be_judged_is_neither_right_nor_wrong() -> None:
    assert of(Thought("hm"), Text("43427190"), question=REASONING).passed is None


def test_the_worst_failure_is_the_first_of_the_order_and_a_refused_key_is_in_it() -> None:
    assert set(WORST_FIRST) == set(Failure)
    assert worst(["other", "signin", "timeout", ""]) == "signin"
    assert worst(["", ""]) == ""
