"""How fast models answer, from the probes of sweeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from suite.speed import Timed, failing_large, speeds, trend

START = datetime(2026, 6, 1, tzinfo=UTC)


def call(seconds: float = 1.0, *, sweep: int = 1, prompt: str = "tiny", minute: int = 0, **fields: Any) -> Timed:
    said: dict[str, Any] = {"answered": True, **fields}
    return Timed("m", prompt, sweep, START + timedelta(days=sweep, minutes=minute), seconds=seconds, **said)


def test_the_median_and_the_slow_end_are_times_that_were_measured() -> None:
    (one,) = speeds(call(seconds) for seconds in (5.0, 1.0, 4.0, 2.0))
    assert (one.n, one.p50, one.p95, one.least, one.most) == (4, 2.0, 5.0, 1.0, 5.0)


def test_times_are_of_answers_alone_and_outcomes_of_all() -> None:
    (one,) = speeds(
        [
            call(1.0),
            call(0.1, refusal=True),
            call(90.0, answered=False, failure="timeout"),
            call(0.2, answered=False, failure="capacity", detail="slow down", minute=1),
            call(0.3, answered=False, failure="empty"),
        ]
    )
    assert (one.p50, one.p95, one.n) == (1.0, 1.0, 5)
    assert one.outcomes == {"answered": 1, "empty": 1, "error": 1, "refused": 1, "timeout": 1}
    assert (one.worst, one.detail) == ("capacity", "slow down")


def test_without_an_answer_there_is_no_time() -> None:
    (one,) = speeds([call(3.0, answered=False, failure="timeout")])
    assert (one.p50, one.p95, one.least, one.most, one.trend) == (None,) * 5


def test_the_speed_of_writing_is_told_of_the_large_prompt_from_the_first_token_on() -> None:
    told: dict[str, Any] = {"first_token_s": 1.0, "tokens_out": 40, "characters": 200}
    tiny, large = speeds(
        [
            call(3.0, prompt="large", **told),
            call(5.0, prompt="large", **told),
            call(2.0, prompt="large", **told),
            call(3.0, prompt="large", first_token_s=3.0, tokens_out=40),
            call(3.0, **told),
        ]
    )
    assert (large.prompt, large.tokens_per_s, large.chars_per_s) == ("large", 20.0, 100.0)
    assert (tiny.prompt, tiny.tokens_per_s, tiny.chars_per_s) == ("tiny", None, None)


@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        (2.0, 1.0, 1.0),
        (1.16, 1.0, 0.16),
        (1.14, 1.0, None),
        (0.86, 1.0, None),
        (0.5, 1.0, -0.5),
        (1.0, None, None),
        (None, 1.0, None),
        (1.0, 0.0, None),
    ],
)
def test_a_small_change_is_not_told(now: float | None, before: float | None, told: float | None) -> None:
    assert trend(now, before) == (pytest.approx(told) if told is not None else None)


def test_a_sweep_is_compared_with_the_last_one_that_was_answered() -> None:
    calls = [
        call(1.0, sweep=1),
        call(2.0, sweep=2),
        call(9.0, sweep=3, answered=False, failure="other"),
        call(3.0, sweep=4),
    ]
    (one,) = speeds(reversed(calls))
    assert (one.p50, one.trend) == (3.0, 0.5)


@pytest.mark.parametrize(
    ("calls", "failing"),
    [
        ([], False),
        ([call(answered=False)], False),
        ([call(prompt="large", answered=False)], True),
        ([call(prompt="large", answered=False), call(prompt="large", minute=1)], False),
        ([call(prompt="large", minute=1, answered=False), call(prompt="large")], True),
        ([call(prompt="large"), call(prompt="large", minute=1, answered=False, account_wide=True)], False),
        ([call(prompt="large", refusal=True)], False),
    ],
)
def test_whose_latest_large_probe_was_not_answered_is_asked_no_large_question(
    calls: list[Timed], failing: bool
) -> None:
    assert failing_large(calls) == ({"m"} if failing else set())
