"""Rate-limit headers of every provider family, read into Told. Pure.

It runs on every reply, so what a header's name means is worked out once per name; a reply without such a header costs
one look at each of its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from gateway.engine.resets import moment_of, number_in
from gateway.engine.told import (
    DAY,
    HOUR,
    INPUT_TOKENS,
    MINUTE,
    MONTH,
    OUTPUT_TOKENS,
    REQUESTS,
    RETRY_AFTER,
    TOKENS,
    UNKNOWN,
    Told,
)

TOO_MANY: Final = 429
MINUTE_S: Final = 60.0
LONGEST_WAIT_S: Final = 86_400.0


class Profile(Struct, frozen=True):
    """The windows that a host means where its headers name none."""

    requests: str = UNKNOWN
    tokens: str = UNKNOWN


PROFILES: Final[dict[str, Profile]] = {
    "api.openai.com": Profile(MINUTE, MINUTE),
    "api.groq.com": Profile(DAY, MINUTE),
    "api.sambanova.ai": Profile(MINUTE, MINUTE),
}
"""Facts about hosts, each good for its subdomains too. Cerebras and Mistral name their windows, OpenRouter's stand in
its message, Anthropic's are all of a minute, Gemini tells in bodies only."""
GENERIC: Final = Profile()

_METRICS: Final = {
    "requests": REQUESTS,
    "req": REQUESTS,
    "tokens": TOKENS,
    "tokens_usage_based": TOKENS,
    "input-tokens": INPUT_TOKENS,
    "output-tokens": OUTPUT_TOKENS,
    "tokens-prompt": INPUT_TOKENS,
    "tokens-generated": OUTPUT_TOKENS,
}
_WINDOWS: Final = (MINUTE, HOUR, DAY, MONTH)
_PART: Final = r"(?P<part>limit|remaining|reset|renewalperiod)"
_METRIC: Final = rf"(?P<metric>{'|'.join(sorted(_METRICS, key=len, reverse=True))})"
_WINDOW: Final = rf"(?P<window>{'|'.join(_WINDOWS)})"
_NAMES: Final = (
    re.compile(rf"x-ratelimit-{_PART}-{_METRIC}(?:-{_WINDOW})?"),
    re.compile(rf"anthropic-ratelimit-{_METRIC}-{_PART}"),
    re.compile(rf"(?:x-)?ratelimit-{_PART}"),
    re.compile(rf"(?:x-)?(?P<size>ratelimitbysize)-{_PART}(?:-{_WINDOW})?"),
)
_ANTHROPIC: Final = 1
_PERIODS: Final = {"60": MINUTE, "3600": HOUR, "86400": DAY}
_PER_DAY: Final = re.compile(r"per[- ]day", re.I)
_PER_MINUTE: Final = re.compile(r"per[- ]min", re.I)


class _Role(Struct, frozen=True):
    """What a header tells: `part` of the limit on `metric`, or a wait where it has no `family`, which is what the names
    of one limit's headers share. `window` is empty where the name has none; `bare` where it names no metric either."""

    name: str
    part: str
    family: str = ""
    metric: str = REQUESTS
    window: str = ""
    bare: bool = False


class _Row(Struct):
    """What the headers say of one limit so far; `role` is that of the first."""

    role: _Role
    parts: dict[str, str]


def told_in_headers(
    headers: Iterable[tuple[str, str]],
    status: int,
    base: str,
    now: float,
    *,
    connection: str = "",
    alias: str = "",
    message: str = "",
) -> tuple[Told, ...]:
    """What a reply's headers (name and value, names in any case) say about limits; mostly nothing. `base` is the
    address that was asked, `now` epoch seconds, `message` the words of an error, which name the window of headers that
    have none. A wait counts only with a 429."""
    found: list[tuple[_Role, str]] | None = None
    for name, value in headers:
        role = _role_of(name)
        if role is not None:
            found = found if found is not None else []
            found.append((role, value))
    if found is None:
        return ()
    profile = profile_of(base)
    kept: dict[tuple[str, str], Told] = {}
    for row in _rows(found):
        told = _told(row, profile, message, now, connection, alias)
        if told is not None:
            key = (told.metric, told.window)
            kept[key] = tighter(kept.get(key), told)
    wait = _wait(found, now) if status == TOO_MANY else None
    if wait is not None:
        until, source = wait
        kept[REQUESTS, RETRY_AFTER] = Told(connection, alias, REQUESTS, RETRY_AFTER, None, 0, until, source)
    return tuple(kept.values())


def speaks_of_limits(names: Iterable[str]) -> bool:
    """Whether a header of one of these names may tell something; mostly none does."""
    return any([_role_of(name) is not None for name in names])


@lru_cache(maxsize=512)
def profile_of(base: str) -> Profile:
    """What is known of the host of this address."""
    try:
        host = urlsplit(base).hostname or ""
    except ValueError:
        return GENERIC
    while host:
        if host in PROFILES:
            return PROFILES[host]
        host = host.partition(".")[2]
    return GENERIC


def tighter(one: Told | None, other: Told) -> Told:
    """Of two that speak of the same limit, the one with less left."""
    if one is None or (other.remaining is not None and (one.remaining is None or other.remaining < one.remaining)):
        return other
    return one


def waits_in(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that `retry-after-ms` or `retry-after` ask to wait, not under 0: the first that is more than nothing."""
    millis = number_in(headers.get("retry-after-ms", ""))
    until = moment_of(headers.get("retry-after", ""), now)
    waits = [millis / 1_000] if millis is not None else []
    waits += [round(until - now, 3)] if until is not None else []  # a moment has no finer digits left
    waits = [max(wait, 0.0) for wait in waits]
    return next((wait for wait in waits if wait), waits[0] if waits else None)


@lru_cache(maxsize=4_096)
def _role_of(name: str) -> _Role | None:
    """What a header of this name tells, or None. Cached: names are few and come again with every reply."""
    lowered = name.lower()
    if lowered in ("retry-after", "retry-after-ms"):
        return _Role(lowered, lowered)
    if "ratelimit" not in lowered:
        return None
    for place, pattern in enumerate(_NAMES):
        if (match := pattern.fullmatch(lowered)) is None:
            continue
        parts = match.groupdict()
        sized = "size" in parts
        metric = TOKENS if sized else _METRICS.get(parts.get("metric") or "", REQUESTS)
        window = parts.get("window") or (MINUTE if sized or place == _ANTHROPIC else "")
        family = lowered.replace(f"-{parts['part']}", "", 1)
        if sized:  # the plain ones are the minute's too, and tell its reset
            family = family.removeprefix("x-").removesuffix(f"-{MINUTE}")
        return _Role(lowered[:64], parts["part"], family, metric, window, bare="metric" not in parts and not sized)
    return None


def _rows(found: list[tuple[_Role, str]]) -> Iterable[_Row]:
    """The headers by the limit that they speak of."""
    rows: dict[str, _Row] = {}
    for role, value in found:
        if role.family:
            row = rows.get(role.family)
            if row is None:
                row = rows[role.family] = _Row(role, {})
            row.parts.setdefault(role.part, value)
    return rows.values()


def _told(row: _Row, profile: Profile, message: str, now: float, connection: str, alias: str) -> Told | None:
    role, parts = row.role, row.parts
    limit, remaining = _count(parts.get("limit")), _count(parts.get("remaining"))
    if limit is None and remaining is None:
        return None
    window = role.window or _PERIODS.get(parts.get("renewalperiod", "").strip(), "")
    if not window:
        window = _window_in(message) if role.bare else profile.requests if role.metric == REQUESTS else profile.tokens
    reset = moment_of(parts["reset"], now) if "reset" in parts else None
    if reset is None and remaining == 0 and window == MINUTE:
        reset = now + MINUTE_S
    return Told(connection, alias, role.metric, window, limit, remaining, reset, role.name)


def _window_in(message: str) -> str:
    if _PER_DAY.search(message):
        return DAY
    return MINUTE if _PER_MINUTE.search(message) else UNKNOWN


def _count(text: str | None) -> int | None:
    """A number of requests or tokens; of a list with windows (`100, 100;w=60`) the first. None for what is none."""
    number = number_in(text.split(",", 1)[0].split(";", 1)[0]) if text else None
    return int(number) if number is not None and 0 <= number < 2**62 else None


def _wait(found: list[tuple[_Role, str]], now: float) -> tuple[float, str] | None:
    """(until when, by which header) a wait is asked for."""
    headers = {role.part: value for role, value in found if not role.family}
    wait = waits_in(headers, now)
    if wait is None:
        return None
    millis = number_in(headers.get("retry-after-ms", ""))
    source = "retry-after-ms" if millis is not None and millis / 1_000 == wait else "retry-after"
    return now + min(wait, LONGEST_WAIT_S), source
