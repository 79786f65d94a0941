"""What the body of an error says about limits and waits, where headers say nothing. Pure.

Only bodies that came as errors are read here, never an answer.
"""

from __future__ import annotations

import re
from typing import Final

from gateway.engine.error_words import details_of, error_of
from gateway.engine.limit_headers import LONGEST_WAIT_S, MINUTE_S, TOO_MANY, told_in_headers
from gateway.engine.resets import duration, number_in
from gateway.engine.told import DAY, HOUR, MINUTE, MONTH, REQUESTS, RETRY_AFTER, TOKENS, UNKNOWN, Told

BODY: Final = "body"
"""The source of what was told in words."""
_READ: Final = 8_000
_LARGEST: Final = 2.0**62
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_LENGTH: Final = (
    r"(?:about |approximately )?((?:\d+(?:\.\d+)?(?:ms|[dhms])(?![a-z]))+"
    r"|\d+(?:\.\d+)?\s*(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?)\b|\d+(?:\.\d+)?)"
)
_WAITS: Final = (
    (re.compile(r"retry[-_ ]after[-_ ]ms[\"']?\s*[:=]?\s*[\"']?(\d+(?:\.\d+)?)", re.I), 0.001),
    (re.compile(rf"retry[-_ ]after[\"']?\s*[:=]?\s*[\"']?{_LENGTH}", re.I), 1.0),
    (re.compile(r"retry_?delay[\"']?\s*:\s*[\"'](\d+(?:\.\d+)?)s[\"']", re.I), 1.0),
    (re.compile(rf"(?:try|retry) again (?:in|after) {_LENGTH}", re.I), 1.0),
    (re.compile(rf"please (?:retry|wait)(?: in| for)? {_LENGTH}", re.I), 1.0),
    (re.compile(r"resets_in_seconds[\"']?\s*:\s*(\d+(?:\.\d+)?)", re.I), 1.0),
)
"""How a wait is told, each with what a bare number counts in seconds. The first that is found wins."""
_UNIT_S: Final = {"mill": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_LENGTH_IN_WORDS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.I)
USE: Final = re.compile(rf"\blimit:? ({_NUMBER}), used:? ({_NUMBER})(?:, requested:? ({_NUMBER}))?", re.I)
_OVER: Final = re.compile(rf"\blimit:? ({_NUMBER}), (?:used:? {_NUMBER}, )?requested:? ({_NUMBER})", re.I)
AXES: Final = {
    "rpm": (REQUESTS, MINUTE),
    "rpd": (REQUESTS, DAY),
    "tpm": (TOKENS, MINUTE),
    "tpd": (TOKENS, DAY),
}
_AXIS_WORDS: Final = {
    "rpm": re.compile(r"requests? per min(?:ute)?\b|\brpm\b", re.I),
    "rpd": re.compile(r"requests? per day\b|\brpd\b", re.I),
    "tpm": re.compile(r"(?<!input )(?<!output )tokens? per min(?:ute)?\b|\btpm\b", re.I),
    "tpd": re.compile(r"(?<!input )(?<!output )tokens? per day\b|\btpd\b", re.I),
}
_QUOTA_WINDOWS: Final = {"perday": DAY, "perhour": HOUR, "perminute": MINUTE, "permonth": MONTH}


def text_of(message: str, body: bytes) -> str:
    """What the text rules read: the message and the start of the body."""
    return f"{message}\n{body[:_READ].decode('utf-8', 'replace')}"


def wait_in(text: str) -> float | None:
    """Seconds that an error's words ask to wait, at most a day; None where they ask for none."""
    for pattern, unit in _WAITS:
        if found := pattern.search(text):
            seconds = _seconds(found[1].strip(), unit)
            if seconds is not None:
                return min(seconds, LONGEST_WAIT_S)
    return None


def axes_in(text: str) -> list[str]:
    """The axes of limits (rpm, rpd, tpm, tpd) that an error's words name."""
    return [axis for axis, words in _AXIS_WORDS.items() if words.search(text)]


def never_fits(text: str) -> bool:
    """True when a single request asks for more than the whole limit: no wait makes it fit."""
    found = _OVER.search(text)
    return found is not None and whole(found[2]) > whole(found[1])


def told_in_body(
    status: int, body: bytes, message: str, now: float, *, connection: str = "", alias: str = ""
) -> tuple[Told, ...]:
    """What a refusal's body says about limits: the violations of a quota, a relay's own headers, or its words."""
    if status != TOO_MANY:
        return ()
    error = error_of(body)
    told = _violations(error, now, connection, alias) or _relayed(error, message, now, connection, alias)
    return told or _words(text_of(message, body), now, connection, alias)


def _violations(error: dict[str, object], now: float, connection: str, alias: str) -> tuple[Told, ...]:
    details = details_of(error)
    delay = next((_delay(entry.get("retryDelay")) for entry in details if "retryDelay" in entry), None)
    told = []
    for entry in details:
        violations = entry.get("violations")
        for violation in violations if isinstance(violations, list) else ():
            if isinstance(violation, dict) and ("quotaId" in violation or "quotaMetric" in violation):
                told.append(_violation(violation, delay, now, connection, alias))
    return tuple(told)


def _violation(violation: dict[str, object], delay: float | None, now: float, connection: str, alias: str) -> Told:
    quota, metric = str(violation.get("quotaId", "")), str(violation.get("quotaMetric", ""))
    window = next((window for mark, window in _QUOTA_WINDOWS.items() if mark in quota.lower()), UNKNOWN)
    counts = TOKENS if "token" in f"{quota} {metric}".lower() else REQUESTS
    limit = number_in(str(violation.get("quotaValue", "")))
    wait = MINUTE_S if delay is None and window == MINUTE else delay
    return Told(
        connection,
        alias,
        counts,
        window,
        None if limit is None or not 0 <= limit < 2**62 else int(limit),
        0,
        None if wait is None else now + wait,
        "QuotaFailure",
        (quota or metric)[:200],
    )


def _relayed(error: dict[str, object], message: str, now: float, connection: str, alias: str) -> tuple[Told, ...]:
    metadata = error.get("metadata")
    headers = metadata.get("headers") if isinstance(metadata, dict) else None
    if not isinstance(headers, dict):
        return ()
    pairs = [(str(name), str(value)) for name, value in headers.items()]
    return told_in_headers(pairs, TOO_MANY, "", now, connection=connection, alias=alias, message=message)


def _words(text: str, now: float, connection: str, alias: str) -> tuple[Told, ...]:
    wait, axes, use = wait_in(text), axes_in(text), USE.search(text)
    until = None if wait is None else now + wait
    told = []
    if use is not None and len(axes) == 1:
        metric, window = AXES[axes[0]]
        left = max(whole(use[1]) - whole(use[2]), 0)
        told.append(Told(connection, alias, metric, window, whole(use[1]), left, until, BODY))
    if until is not None:
        told.append(Told(connection, alias, REQUESTS, RETRY_AFTER, None, 0, until, BODY))
    return tuple(told)


def whole(text: str) -> int:
    """A number as people write it, commas and all; none is larger than 2^62."""
    return int(min(float(text.replace(",", "")), _LARGEST))


def _delay(value: object) -> float | None:
    seconds = duration(value) if isinstance(value, str) else None
    return None if seconds is None else min(seconds, LONGEST_WAIT_S)


def _seconds(text: str, unit: float) -> float | None:
    number = number_in(text)
    if number is not None:
        return number * unit
    short = duration(text.lower())
    if short is not None:
        return short
    found = _LENGTH_IN_WORDS.fullmatch(text)
    if found is None:
        return None
    size = next((size for mark, size in _UNIT_S.items() if found[2].lower().startswith(mark)), 1.0)
    return float(found[1]) * size
