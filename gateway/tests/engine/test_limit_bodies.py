"""What an error's body says about limits and waits."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engine.classify import rejected
from gateway.engine.lessons import lessons_in_refusal
from gateway.engine.limit_bodies import axes_in, never_fits, told_in_body, wait_in

NOW = 1_796_000_000.0
MINUTE_QUOTA = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
DAY_QUOTA = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"


def quota_failure(*violations: dict[str, str], delay: str = "") -> dict[str, Any]:
    details: list[dict[str, Any]] = [{"@type": "x/google.rpc.QuotaFailure", "violations": list(violations)}]
    if delay:
        details.append({"@type": "x/google.rpc.RetryInfo", "retryDelay": delay})
    return {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded", "details": details}}


def told(body: Any, message: str = "", status: int = 429) -> list[Any]:
    found = told_in_body(status, json.dumps(body).encode(), message, NOW, connection="c", alias="a")
    assert all((one.connection, one.alias) == ("c", "a") for one in found)
    return [
        (
            one.metric,
            one.window,
            one.remaining,
            one.limit,
            None if one.reset_at is None else round(one.reset_at - NOW, 3),
        )
        for one in found
    ]


def test_each_violation_of_a_quota_is_a_limit_that_is_used_up() -> None:
    body = quota_failure(
        {"quotaId": MINUTE_QUOTA, "quotaMetric": "x/generate_requests", "quotaValue": "10"},
        {"quotaId": "GenerateContentInputTokensPerModelPerMinute", "quotaValue": "250000"},
        {"quotaId": DAY_QUOTA, "quotaValue": "50"},
        {"quotaMetric": "x/generate_content_input_token_count"},
        delay="34.4s",
    )
    expected = [
        ("requests", "minute", 0, 10, 34.4),
        ("tokens", "minute", 0, 250_000, 34.4),
        ("requests", "day", 0, 50, 34.4),
        ("tokens", "unknown", 0, None, 34.4),
    ]
    assert told(body) == expected
    assert told([body]) == expected  # in a list of one
    names = [one.quota for one in told_in_body(429, json.dumps(body).encode(), "", NOW)]
    assert names[0] == MINUTE_QUOTA


@pytest.mark.parametrize(("quota", "window", "reset"), [(MINUTE_QUOTA, "minute", 60.0), (DAY_QUOTA, "day", None)])
def test_without_a_delay_a_minutes_quota_is_over_in_a_minute(quota: str, window: str, reset: float | None) -> None:
    assert told(quota_failure({"quotaId": quota})) == [("requests", window, 0, None, reset)]


@pytest.mark.parametrize("digits", [30, 400])
def test_a_delay_of_ages_is_one_of_a_day(digits: int) -> None:
    body = quota_failure({"quotaId": DAY_QUOTA, "quotaValue": "9" * digits}, delay=f"{'9' * digits}s")
    assert told(body) == [("requests", "day", 0, None, 86_400.0)]


@pytest.mark.parametrize(
    "words",
    [
        "requests per minute: Limit {}, Used 7, Requested 1",
        "requests per minute: Limit 7, Used {}, Requested {}",
        "your limit of {} requests per minute",
        "maximum context length is {}",
        "max_tokens must be <= {}",
        "try again in {}s",
        "retry after {} days",
    ],
)
def test_a_number_without_end_is_no_reason_to_fail(words: str) -> None:
    text = words.replace("{}", "9" * 400)
    fault = rejected(429, {}, text, "", b"", datetime.fromtimestamp(NOW, UTC))
    assert (fault.wait or 0.0) <= 86_400.0
    taught = lessons_in_refusal(429, text, told_in_body(429, b"", text, NOW))
    assert [lesson.value for lesson in taught] == ([{"rpm": 7}] if "Limit 7" in words else [])


def test_a_relays_headers_in_the_body_are_read_as_headers() -> None:
    headers = {"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796003600000"}
    message = "Rate limit exceeded: free-models-per-day"
    body = {"error": {"code": 429, "message": message, "metadata": {"headers": headers}}}
    assert told(body, message) == [("requests", "day", 0, 50, 3_600.0)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "Rate limit reached for m on tokens per minute (TPM): Limit 6000, Used 5900, Requested 1200. "
            "Please try again in 7.66s.",
            [("tokens", "minute", 100, 6_000, 7.66), ("requests", "retry-after", 0, None, 7.66)],
        ),
        (
            "Rate limit reached on requests per day (RPD): Limit 1000, Used 1000, Requested 1. Try again in 1m26.4s",
            [("requests", "day", 0, 1_000, 86.4), ("requests", "retry-after", 0, None, 86.4)],
        ),
        ("Slow down and try again in 3 seconds", [("requests", "retry-after", 0, None, 3.0)]),
        ("Slow down", []),
    ],
)
def test_the_words_of_a_refusal_tell_the_limit(message: str, expected: list[Any]) -> None:
    assert told({"error": {"message": message}}, message) == expected
    assert told({"error": {"message": message}}, message, status=400) == []


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("retry-after: 12", 12.0),
        ("Please retry after 2 seconds.", 2.0),
        ('{"retryDelay": "37s"}', 37.0),
        ('{"retry_delay": "1.5s"}', 1.5),
        ('{"retry_after": 4}', 4.0),
        ('{"retry_after_ms": 500}', 0.5),
        ('{"retry_after": "1m"}', 60.0),
        ("try again in 20ms", 0.02),
        ("Please try again in 6m0s.", 360.0),
        ("try again in 1h2m3.5s", 3_723.5),
        ("retry again in 5 minutes", 300.0),
        ("try again in 2 hours", 7_200.0),
        ("Try again in about 3 mins.", 180.0),
        ("Please retry in 48.939935699s.", 48.939_935_699),
        ("Please wait 30 seconds", 30.0),
        ('{"type": "usage_limit_reached", "resets_in_seconds": 3600}', 3_600.0),
        ("try again in 400 hours", 86_400.0),
        ('{"retryDelay": "7s"} Please retry in 9s', 7.0),
        ("try again later", None),
        ("in 5 seconds", None),
        ("", None),
    ],
)
def test_a_wait_is_read_in_every_wording_and_the_first_wins(text: str, wait: float | None) -> None:
    assert wait_in(text) == (None if wait is None else pytest.approx(wait))


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("tokens per min (TPM)", ["tpm"]),
        ("requests per minute", ["rpm"]),
        ("requests per day (RPD)", ["rpd"]),
        ("30 RPM and 6000 TPM", ["rpm", "tpm"]),
        ("30,000 input tokens per minute", []),
        ("8,000 output tokens per minute", []),
        ("a swarm of rpms", []),
    ],
)
def test_the_axes_that_words_name(text: str, axes: list[str]) -> None:
    assert axes_in(text) == axes


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Request too large on tokens per min (TPM): Limit 30000, Requested 40001.", True),
        ("Limit 6,000, Used 0, Requested 8,000", True),
        ("Limit 6000, Used 5900, Requested 1200", False),
        ("Limit 6000", False),
    ],
)
def test_what_asks_for_more_than_the_whole_limit_never_fits(text: str, never: bool) -> None:
    assert never_fits(text) is never


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "error",
                        "details",
                        "violations",
                        "quotaId",
                        "metadata",
                        "headers",
                        "retryDelay",
                        "quotaValue",
                        "x",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_no_body_raises(body: Any) -> None:
    told_in_body(429, json.dumps(body).encode(), "", NOW)
