"""What a provider's refusal means, and how long it asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

import pytest

from gateway.canon.fault import FailureClass
from gateway.engine.classify import classify, notice_in, rejected, stated_wait

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (400, "other"),
        (401, "signin"),
        (402, "entitlement"),
        (403, "entitlement"),
        (404, "structural"),
        (408, "capacity"),
        (409, "other"),
        (410, "structural"),
        (413, "capacity"),
        (418, "other"),
        (422, "other"),
        (429, "capacity"),
        (500, "capacity"),
        (502, "capacity"),
        (529, "capacity"),
    ],
)
def test_a_status_without_a_code_decides(status: int, failure: str) -> None:
    assert classify(status, "", "something went wrong") == failure


@pytest.mark.parametrize(
    ("status", "code", "failure"),
    [
        (400, "model_not_found", "structural"),
        (404, "model_not_found", "structural"),
        (429, "insufficient_quota", "entitlement"),
        (429, "RESOURCE_EXHAUSTED", "capacity"),
        (403, "PERMISSION_DENIED", "entitlement"),
        (400, "invalid_api_key", "signin"),
        (400, "context_length_exceeded", "capacity"),
        (529, "overloaded_error", "capacity"),
        (400, "never heard of it", "other"),
        (404, "never heard of it", "structural"),
    ],
)
def test_the_providers_own_code_wins_over_the_status(status: int, code: str, failure: str) -> None:
    assert classify(status, code, "") == failure


@pytest.mark.parametrize(
    ("status", "message", "failure"),
    [
        (400, "This model's maximum context length is 8192 tokens", "capacity"),
        (422, "prompt is too long: 210000 tokens", "capacity"),
        (400, "exceeds the context window", "capacity"),
        (400, "temperature must be at most 2", "other"),
        (401, "maximum context length", "signin"),
    ],
)
def test_a_full_context_is_known_by_its_words_in_a_plain_400(status: int, message: str, failure: str) -> None:
    assert classify(status, "", message) == failure


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": " 3 "}, 3.0),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "20ms"}, 0.02),
        ({"retry-after": "17s"}, 17.0),
        ({"retry-after": "6m0s"}, 360.0),
        ({"retry-after": "2m59.56s"}, 179.56),
        ({"retry-after": "1h2m3s"}, 3_723.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "9999999"}, 86_400.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after": "5 seconds"}, None),
        ({"retry-after": "Sun, 99 Nov 2026 99:99:99 GMT"}, None),
        ({"retry-after": "," * 50}, None),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after-ms": "-10"}, 0.0),
        ({"retry-after-ms": "99999999999"}, 86_400.0),
    ],
)
def test_a_wait_is_read_in_every_spelling(headers: dict[str, str], wait: float | None) -> None:
    found = stated_wait(headers, NOW)
    assert found == (None if wait is None else pytest.approx(wait))


def test_no_nonsense_in_the_header_raises() -> None:
    words = [
        "",
        "Mon",
        ",",
        "01",
        "Jan",
        "99999",
        "0001",
        "23:59:60",
        "+9999",
        "GMT",
        "-",
        "\x00",
        "é",
        "1e9",
        "9" * 400,
    ]
    for pieces in product(words, repeat=3):
        wait = stated_wait({"retry-after": " ".join(pieces)}, NOW)
        assert wait is None or 0 <= wait <= 86_400


def test_a_refusal_carries_status_code_wait_and_the_start_of_the_body() -> None:
    fault = rejected(429, {"retry-after": "12"}, "slow down", "rate_limit_exceeded", b"x" * 9_000, NOW)
    assert (fault.upstream_status, fault.provider_code, fault.wait) == (429, "rate_limit_exceeded", 12.0)
    assert fault.message == "429: slow down"
    assert len(fault.body) == 4_000
    assert fault.failure is FailureClass.CAPACITY
    assert fault.retryable


@pytest.mark.parametrize(
    ("status", "again"),
    [(400, False), (401, False), (408, True), (409, True), (413, False), (422, False), (429, True), (500, True)],
)
def test_only_passing_refusals_are_tried_again(status: int, again: bool) -> None:
    assert rejected(status, {}, "no", "", b"", NOW).retryable is again


def test_a_redirect_names_its_target_and_is_not_tried_again() -> None:
    fault = rejected(307, {"location": "https://elsewhere.test/v1"}, "", "", b"", NOW)
    assert "https://elsewhere.test/v1" in fault.message
    assert not fault.retryable


def test_a_body_that_is_not_text_is_kept_as_far_as_it_can_be_read() -> None:
    assert "�" in rejected(500, {}, "no", "", b"\xff\xfeoops", NOW).body


@pytest.mark.parametrize(
    "text",
    [
        "You are OUT OF CREDITS.",
        "Your credit balance is too low",
        "insufficient credits",
        "Please add credits to go on",
        "Top up your account",
        "Upgrade your plan for more",
        "upgrade your account",
        "Upgrade to continue",
        "Daily limit reached",
        "Free tier limit hit",
        "The quota has been exhausted",
        "You exceeded your current quota",
        "You have reached your limit",
    ],
)
def test_a_short_notice_of_credit_or_quota_is_no_answer(text: str) -> None:
    notice = notice_in(f"  {text}\n")
    assert notice is not None
    assert notice.failure is FailureClass.ENTITLEMENT
    assert text in notice.message


@pytest.mark.parametrize("text", ["", "The sky is blue.", "out of credits" + " and so on" * 40])
def test_an_answer_is_no_notice(text: str) -> None:
    assert notice_in(text) is None


@pytest.mark.parametrize(("length", "caught"), [(400, True), (401, False)])
def test_a_notice_is_at_most_400_characters(length: int, caught: bool) -> None:
    text = "out of credits".ljust(length, "x")
    assert (notice_in(f" {text} ") is not None) is caught


@pytest.mark.parametrize(
    ("body", "wait"),
    [
        (b'[{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "37s"}]}}]', 37),
        (b'{"error": {"details": [{"retryDelay":"1.5s"}]}}', 1.5),
        (b'{"error": {"details": [{"retryDelay": "999999s"}]}}', 86_400),
        (b'{"error": "retryDelay"}', None),
    ],
)
def test_a_wait_told_in_the_body_counts_where_no_header_tells_one(body: bytes, wait: float | None) -> None:
    now = datetime(2027, 1, 5, tzinfo=UTC)
    assert rejected(429, {}, "slow down", "", body, now).wait == wait
    assert rejected(429, {"retry-after": "9"}, "slow down", "", body, now).wait == 9
