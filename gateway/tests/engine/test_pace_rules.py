"""Which limits apply to a call, what its end means, and the words of a refusal: pure tables."""

from __future__ import annotations

import pytest
from msgspec import Raw

from gateway.canon.event import Usage
from gateway.canon.fault import (
    Broken,
    ErrorInReply,
    FailureClass,
    Fault,
    NotSent,
    Rejected,
    Silent,
    Unreachable,
)
from gateway.canon.tokens import count_ask
from gateway.engine.pace_end import End, end_of
from gateway.engine.pace_estimate import UNASKED_OUTPUT, estimate_of
from gateway.engine.pace_rules import Blocked, Limits, in_words, month_of, refusal, rules_for
from gateway.tests.engine.world import ask
from gateway.wire.base import Facts

BUSY = FailureClass.CAPACITY


@pytest.mark.parametrize(
    ("connection", "own", "scopes", "parallel", "tokens"),
    [
        (None, {}, [], None, False),
        (Limits(), {}, [], None, False),
        (Limits(parallel=3), {}, [], 3, False),
        (Limits(rpm=60), {}, [("c:hive", "rpm")], None, False),
        (Limits(rpm=60), {"tpd": 9, "rpd": 1}, [("c:hive", "rpm"), ("m:m1", "rpd tpd")], None, True),
        (Limits(rpmo=5, tpm=9), {"rpm": 0}, [("c:hive", "tpm rpmo")], None, True),
        (None, {"rpm": 5, "rpmo": 5, "other": 1}, [("m:m1", "rpm")], None, False),  # no month per model
    ],
)
def test_the_connection_s_limits_and_the_model_s_own_both_apply(
    connection: Limits | None,
    own: dict[str, int],
    scopes: list[tuple[str, str]],
    parallel: int | None,
    tokens: bool,
) -> None:
    rules = rules_for("hive", "m1", connection, own)
    assert [(scope.key, scope.counts) for scope in rules.scopes] == scopes
    assert (rules.parallel, rules.counts_tokens) == (parallel, tokens)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1s"), (0.2, "1s"), (41.2, "42s"), (119, "119s"), (120, "2m"), (121, "3m"), (7_199, "120m"), (7_201, "3h")],
)
def test_waits_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize(
    ("blocked", "words"),
    [
        (Blocked(9, "tpm", "m1", 7_500, 8_000), "m1 may have 8,000 tokens a minute and stands at 7,500"),
        (Blocked(0, "parallel", "hive", 4, 4), "hive may have 4 calls at once and stands at 4"),
        (
            Blocked(0, "adapted", "hive", 2, 2),
            "hive may have 2 calls at once since its last rate limit and stands at 2",
        ),
        (Blocked(9, "requests|day", "m1", 0, 0), "m1 has used up its requests of a day, by its provider's own word"),
        (Blocked(9, "tokens|unknown", "m1", 0, 0), "m1 has used up its tokens, by its provider's own word"),
        (Blocked(9, "requests|retry-after", "hive", 0, 0), "hive was told to wait by its provider"),
    ],
)
def test_a_refusal_names_the_limit_and_its_use(blocked: Blocked, words: str) -> None:
    fault = refusal(blocked, 12.5)
    assert fault.message == f"rate limit (not sent; {words}): try again in 13s"
    assert (fault.upstream_status, fault.wait, fault.failure) == (429, 12.5, BUSY)


@pytest.mark.parametrize(
    ("usage", "fault", "end"),
    [
        (Usage(7, 3), None, End(tokens=10, answered=True)),
        (None, None, End(answered=True)),
        (None, NotSent("no key"), End(undone=True)),
        (None, Unreachable("reset"), End(tokens=0)),
        (None, Rejected("no", upstream_status=400), End(tokens=0)),
        (Usage(7, 3), Broken("cut"), End(tokens=10)),
        (None, Broken("cut"), End()),
        (None, Silent("late"), End()),
        (None, Rejected("no", upstream_status=429, failure=BUSY), End(tokens=0, too_many=True)),
        (None, Rejected("no", upstream_status=529, failure=BUSY), End(tokens=0, too_many=True)),
        (None, Rejected("no", upstream_status=429, failure=BUSY, wait=3), End(tokens=0)),  # it said how long
        (None, Rejected("no", upstream_status=429, failure=FailureClass.ENTITLEMENT), End(tokens=0)),
        (None, Rejected("no", upstream_status=503, failure=BUSY), End(tokens=0)),
        (None, ErrorInReply("busy", provider_code="overloaded_error", failure=BUSY), End(too_many=True)),
    ],
)
def test_what_an_end_means(usage: Usage | None, fault: Fault | None, end: End) -> None:
    assert end_of(usage, fault) == end


@pytest.mark.parametrize(
    ("facts", "asked", "output"),
    [
        ({}, None, UNASKED_OUTPUT),
        ({}, 300, 300),
        ({"max_output": 200}, 300, 200),
        ({"max_output": 200_000}, None, UNASKED_OUTPUT),
        ({"options": {"max_tokens": Raw(b"70")}}, 300, 70),
        ({"options": {"max_completion_tokens": Raw(b"90")}}, None, 90),
        ({"options": {"max_tokens": Raw(b'"many"')}}, None, UNASKED_OUTPUT),
    ],
)
def test_the_answer_s_budget_is_reserved(facts: dict[str, object], asked: int | None, output: int) -> None:
    request = ask()
    if asked is not None:
        request = ask(knobs=type(request.knobs)(max_tokens=asked))
    estimate = estimate_of(request, Facts("lab/m1", **facts))  # type: ignore[arg-type]
    assert (estimate.input, estimate.output) == (count_ask(request), output)


@pytest.mark.parametrize(
    ("now", "month", "over"),
    [
        (1_796_000_000_000, "2026-11", 1_796_083_200_000),
        (1_796_083_199_999, "2026-11", 1_796_083_200_000),
        (1_796_083_200_000, "2026-12", 1_798_761_600_000),
    ],
)
def test_months_are_of_utc(now: int, month: str, over: int) -> None:
    assert month_of(now) == (month, over)
