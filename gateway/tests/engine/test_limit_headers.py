"""Rate-limit headers, family by family."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from gateway.engine.limit_headers import GENERIC, profile_of, told_in_headers
from gateway.engine.told import METRICS, WINDOWS, Told

NOW = 1_796_000_000.0
OPENAI = "https://api.openai.com/v1"


def told(headers: dict[str, str], base: str = "https://x.test/v1", status: int = 200, message: str = "") -> set[Any]:
    """(metric, window, remaining, limit, seconds to the reset) of each."""
    found = told_in_headers(headers.items(), status, base, NOW, connection="c", alias="a", message=message)
    assert all((one.connection, one.alias) == ("c", "a") for one in found)
    assert len(found) == len({(one.metric, one.window) for one in found})
    return {
        (
            one.metric,
            one.window,
            one.remaining,
            one.limit,
            None if one.reset_at is None else round(one.reset_at - NOW, 3),
        )
        for one in found
    }


@pytest.mark.parametrize(
    ("base", "requests", "tokens"),
    [
        ("https://api.openai.com/v1", "minute", "minute"),
        ("https://eu.api.openai.com/v1", "minute", "minute"),
        ("https://API.openai.com:443/v1", "minute", "minute"),
        ("https://api.groq.com/openai/v1", "day", "minute"),
        ("https://api.sambanova.ai/v1", "minute", "minute"),
        ("https://api.x.ai/v1", "unknown", "unknown"),
        ("https://notapi.openai.com.evil.test/v1", "unknown", "unknown"),
        ("https://fakeapi.groq.com/v1", "unknown", "unknown"),
        ("no address", "unknown", "unknown"),
        ("https://[broken", "unknown", "unknown"),
    ],
)
def test_the_host_says_what_window_is_meant_where_the_header_does_not(base: str, requests: str, tokens: str) -> None:
    headers = {
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-limit-tokens": "30000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "18.642s",
    }
    assert told(headers, base) == {("requests", requests, 499, 500, 0.12), ("tokens", tokens, 0, 30_000, 18.642)}


def test_a_window_in_the_name_counts_whatever_the_host_is() -> None:
    headers = {
        "X-RateLimit-Limit-Requests-Day": "14400",
        "X-RateLimit-Remaining-Requests-Day": "14382",
        "X-RateLimit-Reset-Requests-Day": "33011.382867",
        "X-RateLimit-Limit-Tokens-Minute": "60000",
        "X-RateLimit-Remaining-Tokens-Minute": "59000",
        "X-RateLimit-Limit-Requests-Hour": "900",
    }
    assert told(headers, OPENAI) == {
        ("requests", "day", 14_382, 14_400, 33_011.383),
        ("tokens", "minute", 59_000, 60_000, None),
        ("requests", "hour", None, 900, None),
    }


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("Rate limit exceeded: free-models-per-day. Add credits", "day"),
        ("Rate limit exceeded: 20 requests per day", "day"),
        ("Rate limit exceeded: free-models-per-min.", "minute"),
        ("20 per minute", "minute"),
        ("slow down", "unknown"),
        ("", "unknown"),
    ],
)
def test_bare_headers_take_their_window_from_the_message(message: str, window: str) -> None:
    headers = {"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796000100000"}
    assert told(headers, "https://openrouter.ai/api/v1", 429, message) == {("requests", window, 0, 50, 100.0)}


def test_anthropics_are_all_of_a_minute() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-30T00:53:32Z",
        "anthropic-ratelimit-input-tokens-limit": "30000",
        "anthropic-ratelimit-input-tokens-remaining": "12",
        "anthropic-ratelimit-output-tokens-remaining": "8000",
        "anthropic-ratelimit-tokens-limit": "38000",
        "anthropic-ratelimit-unified-status": "allowed",
    }
    assert told(headers) == {
        ("requests", "minute", 0, 50, 12.0),
        ("input-tokens", "minute", 12, 30_000, None),
        ("output-tokens", "minute", 8_000, None, None),
        ("tokens", "minute", None, 38_000, None),
    }


def test_size_headers_count_tokens_and_the_plain_ones_tell_the_minutes_reset() -> None:
    headers = {
        "x-ratelimitbysize-limit-minute": "500000",
        "x-ratelimitbysize-remaining-minute": "307190",
        "x-ratelimitbysize-limit-month": "1000000000",
        "x-ratelimitbysize-remaining-month": "997278920",
        "ratelimitbysize-limit": "500000",
        "ratelimitbysize-remaining": "307190",
        "ratelimitbysize-reset": "46",
        "ratelimitbysize-query-cost": "32010",
        "x-ratelimit-limit-req-minute": "360",
        "x-ratelimit-remaining-req-minute": "0",
    }
    assert told(headers) == {
        ("tokens", "minute", 307_190, 500_000, 46.0),
        ("tokens", "month", 997_278_920, 1_000_000_000, None),
        ("requests", "minute", 0, 360, 60.0),  # empty, and a minute is no longer than that
    }


def test_a_renewal_period_names_the_window() -> None:
    headers = {
        "x-ratelimit-limit-requests": "50",
        "x-ratelimit-remaining-requests": "49",
        "x-ratelimit-renewalperiod-requests": "60",
        "x-ratelimit-key": "a-model",
        "x-ratelimit-abusepenalty-active": "False",
    }
    assert told(headers) == {("requests", "minute", 49, 50, None)}


@pytest.mark.parametrize(
    ("headers", "seconds", "source"),
    [
        ({"retry-after": "12"}, 12.0, "retry-after"),
        ({"Retry-After-Ms": "18642", "Retry-After": "19"}, 18.642, "retry-after-ms"),
        ({"retry-after-ms": "0", "retry-after": "1"}, 1.0, "retry-after"),
        ({"retry-after-ms": "0"}, 0.0, "retry-after-ms"),
        ({"retry-after": "999999999"}, 86_400.0, "retry-after"),
        ({"retry-after-ms": "1e300"}, 86_400.0, "retry-after-ms"),
    ],
)
def test_a_wait_counts_with_a_429_alone(headers: dict[str, str], seconds: float, source: str) -> None:
    assert told(headers, status=429) == {("requests", "retry-after", 0, None, seconds)}
    assert told_in_headers(headers.items(), 429, "", NOW)[0].source == source
    assert told(headers, status=200) == told(headers, status=503) == set()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "application/json", "x-request-id": "x", "limit": "5"},
        {"x-ratelimit-limit-input-images": "50000"},
        {"x-ratelimit-reset-requests": "12s"},
        {"x-ratelimit-limit-requests": "many"},
        {"x-ratelimit-limit-requests": "-1"},
        {"x-ratelimit-remaining-requests": "nan"},
        {"x-ratelimit-limit-requests": "9" * 60},
    ],
)
def test_nothing_is_made_of_other_headers(headers: dict[str, str]) -> None:
    assert told(headers) == set()


def test_of_two_headers_for_one_limit_the_one_with_less_left_counts() -> None:
    headers = {
        "x-ratelimit-limit-tokens": "250000",
        "x-ratelimit-remaining-tokens": "249979",
        "x-ratelimit-limit-tokens_usage_based": "250000",
        "x-ratelimit-remaining-tokens_usage_based": "12",
    }
    assert told(headers, OPENAI) == {("tokens", "minute", 12, 250_000, None)}


def test_the_standards_own_headers_are_bare_ones() -> None:
    headers = {"RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "3", "RateLimit-Reset": "30"}
    assert told(headers) == {("requests", "unknown", 3, 100, 30.0)}


def test_headers_as_the_http_client_has_them_are_read_and_may_be_nonsense() -> None:
    sent = CIMultiDictProxy(CIMultiDict([("X-RateLimit-Limit", "2"), ("x-ratelimit-limit", "3"), ("X-\x00", "é")]))
    assert [one.limit for one in told_in_headers(sent.items(), 200, "", NOW)] == [2]


def test_hosts_without_a_profile_share_one() -> None:
    assert profile_of("https://nobody.test") is GENERIC
    assert isinstance(told_in_headers([("x-ratelimit-limit", "1")], 200, "", NOW)[0], Told)


WORDS = st.sampled_from(
    [
        "x-",
        "",
        "ratelimit",
        "RateLimit",
        "bysize",
        "-limit",
        "-remaining",
        "-reset",
        "-requests",
        "-tokens",
        "-minute",
        "-",
    ]
)
NAMES = (
    st.lists(WORDS, max_size=6).map("".join) | st.sampled_from(["retry-after", "retry-after-ms"]) | st.text(max_size=9)
)
VALUES = st.sampled_from(["0", "5", "12s", "1e9", "2026-01-01T00:00:12Z", "x", "", "9" * 30]) | st.text(max_size=9)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=9), st.sampled_from([200, 429, 503]))
def test_no_headers_raise_and_each_limit_is_told_once(headers: list[tuple[str, str]], status: int) -> None:
    found = told_in_headers(headers, status, OPENAI, NOW)
    assert len(found) == len({(one.metric, one.window) for one in found})
    for one in found:
        assert one.metric in METRICS
        assert one.window in WINDOWS
        assert (one.limit or 0) >= 0
        assert (one.remaining or 0) >= 0
        assert len(one.source) <= 64
