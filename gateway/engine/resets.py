"""When a limit is whole again, or a wait is over: every spelling that providers use, as a moment. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

EPOCH_S: Final = 1e9
EPOCH_MS: Final = 1e12
_LATEST_S: Final = 253_402_300_799.0
"""The last second of the year 9999: beyond it nothing is a moment."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION: Final = re.compile(
    r"(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?",
    re.I,
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d")
_LONGEST: Final = 64


def moment_of(text: str, now: float) -> float | None:
    """The moment in epoch seconds that a header or field means, seen from `now`: a duration (`1h2m3s`, `20ms`), a bare
    number (epoch milliseconds, epoch seconds or seconds from now, by its size), RFC 3339 or an HTTP date. None where it
    cannot be read."""
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    number = number_in(text)
    if number is not None:
        return _within(_moment_of_number(number, now))
    seconds = duration(text)
    if seconds is not None:
        return _within(now + seconds)
    at = _rfc_3339(text) if _DATE.match(text) else _http_date(text)
    return None if at is None else _within((at - _EPOCH) / timedelta(seconds=1))


def duration(text: str) -> float | None:
    """Seconds that a text such as `6m0s`, `2m59.56s` or `20ms` stands for; None where it is no such text."""
    found = _DURATION.fullmatch(text)
    if not text or found is None:
        return None
    return sum(float(part) * size for part, size in zip(found.groups(), _UNITS.values(), strict=True) if part)


def number_in(text: str) -> float | None:
    """The finite number that a text is."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def _moment_of_number(number: float, now: float) -> float:
    if number >= EPOCH_MS:
        return number / 1_000
    return number if number >= EPOCH_S else now + number


def _within(moment: float) -> float | None:
    return moment if 0 <= moment <= _LATEST_S else None


def _rfc_3339(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _http_date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
