"""Failure classes from what a body calls its cause, and from texts where it calls it nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.canon.fault import NEVER_FITS, Broken, ErrorInReply, FailureClass, NotSent, Rejected, Silent
from gateway.engine.classify import account_wide, rate_limited, rejected, understand
from gateway.engine.pace_end import end_of
from gateway.wire.errors import read_error

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def refused(status: int, body: Any, headers: dict[str, str] | None = None) -> Rejected:
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    message, code = read_error(status, raw)
    return rejected(status, headers or {}, message, code, raw, NOW)


def says(message: str, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, **fields}}


@pytest.mark.parametrize(
    ("status", "body", "failure"),
    [
        (404, says("This model is unavailable for free. Use this slug instead: lab/m"), "paywalled"),
        (404, says("The free launch period of this variant is over"), "paywalled"),
        (403, says("This variant has been retired. The paid version is available."), "paywalled"),
        (404, says("No endpoints found for lab/m."), "structural"),
        (404, says("No endpoints found that support tool use."), "other"),
        (404, says("No endpoints found matching your data policy"), "entitlement"),
        (400, says("Invalid model name passed in model=m"), "structural"),
        (400, says("The model `m` does not exist"), "structural"),
        (400, says("model lab/m is no longer available"), "structural"),
        (400, says("The model m has been decommissioned", code="model_decommissioned"), "structural"),
        (400, says("The tool call id x does not exist"), "other"),
        (400, says("This model does not support effort level 'xhigh'"), "other"),
        (400, says("API key not valid", status="INVALID_ARGUMENT"), "signin"),
        (400, says("x", status="INVALID_ARGUMENT", details=[{"reason": "API_KEY_INVALID"}]), "signin"),
        (403, says("Your API key was reported as leaked. Please use another."), "signin"),
        (403, says("Please sign in again"), "signin"),
        (401, says("no access to model m"), "signin"),
        (400, says("Your credit balance is too low to access the API", type="invalid_request_error"), "entitlement"),
        (402, says("Insufficient Balance", type="unknown_error", code="invalid_request_error"), "entitlement"),
        (429, says("Insufficient balance or no resource package. Please recharge.", code="1113"), "entitlement"),
        (429, says("You exceeded your current token quota", type="exceeded_current_quota_error"), "entitlement"),
        (400, says("User location is not supported for the API use.", status="FAILED_PRECONDITION"), "entitlement"),
        (403, says("model m is not available in your subscription"), "entitlement"),
        (413, says("Request too large for model m", type="tokens", code="rate_limit_exceeded"), "capacity"),
        (400, says("x", type="exceed_context_size_error"), "capacity"),
        (400, says("Input is too long for requested model."), "capacity"),
        (403, says("You have hit the rate limit"), "capacity"),
        (500, says("the user does not exist in model m"), "capacity"),
        (529, "<html>Overloaded</html>", "capacity"),
        (504, says("x", type="timeout_error"), "timeout"),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: m"}}, "structural"),
        (404, "404 page not found", "structural"),
        (400, says("x", code="never heard of it"), "other"),
        (400, "", "other"),
    ],
)
def test_a_refusal_is_of_a_class(status: int, body: Any, failure: str) -> None:
    assert refused(status, body).failure == failure


def test_a_text_counts_in_its_first_words_alone() -> None:
    assert refused(400, says("x" * 400 + " unknown model m")).failure == "other"
    assert refused(400, says("x" * 300 + " unknown model m")).failure == "structural"


@pytest.mark.parametrize(("value", "failure"), [("0", "entitlement"), ("10", "capacity"), ("100", "capacity")])
def test_a_quota_of_nothing_is_no_limit_that_passes(value: str, failure: str) -> None:
    details = [{"violations": [{"quotaId": "RequestsPerDay", "quotaValue": value}]}]
    assert refused(429, says(f"limit: {value}, model", status="RESOURCE_EXHAUSTED", details=details)).failure == failure


def test_a_request_over_the_whole_limit_is_not_asked_again_and_lets_nobody_rest() -> None:
    said = "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000. Try again in 1s"
    fault = refused(429, says(said, code="rate_limit_exceeded"), {"retry-after": "1"})
    assert (fault.code, fault.wait, fault.failure) == (NEVER_FITS, None, "capacity")
    assert not fault.retryable
    assert not rate_limited(fault)
    assert not end_of(None, fault).too_many


@pytest.mark.parametrize(
    ("body", "headers", "wait"),
    [
        (says("Slow down"), {}, None),
        (says("Try again in 7.66s"), {}, 7.66),
        (says("Try again in 7.66s"), {"retry-after": "9"}, 9.0),
        (says("Slow down"), {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2m"}, 120.0),
        (says("Slow down"), {"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "2m"}, None),
        (says("x", details=[{"violations": [{"quotaId": "RequestsPerMinute"}]}]), {}, 60.0),
    ],
)
def test_a_wait_is_the_headers_else_the_bodys_else_until_what_is_used_up_is_whole_again(
    body: Any, headers: dict[str, str], wait: float | None
) -> None:
    assert refused(429, body, headers).wait == (None if wait is None else pytest.approx(wait))


@pytest.mark.parametrize(
    ("status", "body", "wide"),
    [
        (429, says("x", type="insufficient_quota"), True),
        (429, says("x", type="usage_limit_reached", resets_in_seconds=60), True),
        (402, says("Insufficient Balance"), True),
        (402, says("This request requires more credits, or fewer max_tokens. You can only afford 12."), False),
        (429, says("x", code="rate_limit_exceeded"), False),
        (403, says("x", type="permission_error"), False),
    ],
)
def test_an_account_with_nothing_left_is_known_by_its_code(status: int, body: Any, wide: bool) -> None:
    fault = refused(status, body)
    assert account_wide(fault) is wide


@pytest.mark.parametrize(
    ("fault", "limited"),
    [
        (Rejected("x", upstream_status=429), True),
        (Rejected("x", upstream_status=403, provider_code="rateLimitExceeded"), True),
        (Rejected("x", upstream_status=413, provider_code="rate_limit_exceeded"), False),
        (ErrorInReply("x", provider_code="rate_limit_error"), True),
        (Rejected("x", upstream_status=503), False),
        (NotSent("x"), False),
        (Broken("x"), False),
        (Silent("x"), False),
    ],
)
def test_a_rate_limit_is_known_by_its_status_or_its_code(fault: Any, limited: bool) -> None:
    assert rate_limited(fault) is limited


@pytest.mark.parametrize(
    ("fault", "failure", "wait"),
    [
        (ErrorInReply("Overloaded", provider_code="overloaded_error"), "capacity", None),
        (ErrorInReply("Please try again in 2s", upstream_status=429), "capacity", 2.0),
        (ErrorInReply("Please try again in 2s", upstream_status=429, wait=5.0), "capacity", 5.0),
        (ErrorInReply("x", provider_code="server_error"), "capacity", None),
        (ErrorInReply("The model `m` does not exist"), "structural", None),
        (ErrorInReply("an empty reply", failure=FailureClass.EMPTY), "empty", None),
        (ErrorInReply("blocked", provider_code="PROHIBITED_CONTENT"), "other", None),
        (Broken("rate limit"), "other", None),
        (Silent("nothing"), "timeout", None),
    ],
)
def test_an_error_inside_a_reply_is_understood_like_any(fault: Any, failure: str, wait: float | None) -> None:
    understand(fault)
    assert (fault.failure, fault.wait) == (failure, wait)


@pytest.mark.parametrize(
    ("body", "again"),
    [
        (says("x", code="rate_limit_exceeded"), True),
        (says("x", type="insufficient_quota"), False),
        (says("This model is unavailable for free"), False),
    ],
)
def test_what_an_account_may_not_have_is_not_asked_for_again(body: Any, again: bool) -> None:
    assert refused(429, body).retryable is again
