"""What a provider's refusal means: pure decisions from status, code and headers to a Fault with its failure class and
wait.

Structure first (status, the provider's own code); words only for two things that providers put nowhere else: notices
sent as answers, and a full context told as a plain 400.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from gateway.canon.fault import FailureClass, Notice, Rejected

MAX_STATED_WAIT_S = 86_400.0

_CODES: dict[str, FailureClass] = {
    "model_not_found": FailureClass.STRUCTURAL,
    "model_not_available": FailureClass.STRUCTURAL,
    "invalid_model": FailureClass.STRUCTURAL,
    "not_found_error": FailureClass.STRUCTURAL,
    "insufficient_quota": FailureClass.ENTITLEMENT,
    "billing_error": FailureClass.ENTITLEMENT,
    "permission_error": FailureClass.ENTITLEMENT,
    "permission_denied": FailureClass.ENTITLEMENT,
    "rate_limit_exceeded": FailureClass.CAPACITY,
    "rate_limit_error": FailureClass.CAPACITY,
    "resource_exhausted": FailureClass.CAPACITY,
    "context_length_exceeded": FailureClass.CAPACITY,
    "overloaded_error": FailureClass.CAPACITY,
    "invalid_api_key": FailureClass.SIGNIN,
    "authentication_error": FailureClass.SIGNIN,
    "unauthenticated": FailureClass.SIGNIN,
}
_STATUSES: dict[int, FailureClass] = {
    401: FailureClass.SIGNIN,
    402: FailureClass.ENTITLEMENT,
    403: FailureClass.ENTITLEMENT,
    404: FailureClass.STRUCTURAL,
    408: FailureClass.CAPACITY,
    410: FailureClass.STRUCTURAL,
    413: FailureClass.CAPACITY,
    429: FailureClass.CAPACITY,
}
_CONTEXT = re.compile(r"maximum context length|context[ _](length|window)|too many tokens|prompt is too long", re.I)
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")

_RETRY_DELAY = re.compile(rb'"retry_?[dD]elay"\s*:\s*"(\d+(?:\.\d+)?)s"')
_NOTICE_CAP = 400
_NOTICES = (
    "out of credits",
    "credit balance",
    "insufficient credits",
    "please add credits",
    "top up your",
    "upgrade your plan",
    "upgrade your account",
    "upgrade to continue",
    "daily limit reached",
    "free tier limit",
    "quota has been exhausted",
    "exceeded your current quota",
    "you have reached your",
)


def classify(status: int, code: str, message: str) -> FailureClass:
    """The failure class of an HTTP error."""
    known = _CODES.get(code.lower())
    if known is not None:
        return known
    if status in _STATUSES:
        return _STATUSES[status]
    if status >= 500 or (status in (400, 422) and _CONTEXT.search(message)):
        return FailureClass.CAPACITY
    return FailureClass.OTHER


def rejected(status: int, headers: Mapping[str, str], message: str, code: str, body: bytes, now: datetime) -> Rejected:
    """The fault for an HTTP error from an upstream. A redirect counts as one: it is named, never followed."""
    if 300 <= status < 400:
        target = headers.get("location", "nowhere")
        message = (
            f"the endpoint redirects to {target[:200]}; redirects are not followed, so set that address on the endpoint"
        )
    return Rejected(
        f"{status}: {message}",
        upstream_status=status,
        provider_code=code,
        wait=told if (told := stated_wait(headers, now)) is not None else wait_in_body(body),
        body=body[:4_000].decode("utf-8", "replace"),
        failure=classify(status, code, message),
    )


def stated_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the provider asked to wait, by `retry-after-ms` or `retry-after` (seconds, a duration or an HTTP
    date)."""
    millis = headers.get("retry-after-ms")
    if millis is not None and (seconds := _number(millis)) is not None:
        return min(max(seconds / 1000, 0.0), MAX_STATED_WAIT_S)
    text = headers.get("retry-after")
    if text is None:
        return None
    wait = _number(text)
    if wait is None:
        wait = _duration(text.strip())
    if wait is None:
        wait = _until(text, now)
    return min(max(wait, 0.0), MAX_STATED_WAIT_S) if wait is not None else None


def wait_in_body(body: bytes) -> float | None:
    """The wait that Google's errors tell as a field of the body, where others use a header."""
    found = _RETRY_DELAY.search(body)
    return min(float(found[1]), MAX_STATED_WAIT_S) if found else None


def notice_in(text: str) -> Notice | None:
    """The fault for an answer that is really a provider's credit or quota notice."""
    if len(text.strip()) > _NOTICE_CAP:
        return None
    lowered = text.lower()
    for phrase in _NOTICES:
        if phrase in lowered:
            return Notice(f"the provider sent a notice ({phrase!r}) in place of an answer: {text.strip()[:200]}")
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and value not in (float("inf"), float("-inf")) else None


def _duration(text: str) -> float | None:
    found = _DURATION.fullmatch(text)
    if not text or found is None:
        return None
    hours, minutes, seconds, millis = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds + millis / 1000


def _until(text: str, now: datetime) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return (at - now).total_seconds()
