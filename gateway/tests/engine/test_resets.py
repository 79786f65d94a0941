"""Every spelling of a moment, and that no other text is one."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engine.resets import duration, moment_of

NOW = 1_796_000_000.0
MOMENTS = st.integers(min_value=1_000_000_000, max_value=4_000_000_000)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("6m0s", 360.0),
        ("2m59.56s", 179.56),
        ("20ms", 0.02),
        ("17s", 17.0),
        ("1h2m3s", 3_723.0),
        ("1d2h", 93_600.0),
        ("0", 0.0),
        ("33011.38", 33_011.38),
        (" 46 ", 46.0),
        ("-5", -5.0),
    ],
)
def test_a_wait_is_seen_from_now(text: str, after: float) -> None:
    assert moment_of(text, NOW) == pytest.approx(NOW + after)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1761350400000", 1_761_350_400.0),
        ("1761350400", 1_761_350_400.0),
        ("2026-01-01T00:00:12Z", 1_767_225_612.0),
        ("2026-01-01T00:00:12.5Z", 1_767_225_612.5),
        ("2026-01-01t00:00:12.123456789+01:00", 1_767_222_012.123456),
        ("2026-01-01 00:00:12", 1_767_225_612.0),
        ("Thu, 01 Jan 2026 00:00:12 GMT", 1_767_225_612.0),
    ],
)
def test_a_date_stands_for_itself(text: str, moment: float) -> None:
    assert moment_of(text, NOW) == pytest.approx(moment)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "nan", "inf", "-inf", "1e400", "5 seconds", "2026-13-41T00:00:00Z", "9" * 400),
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
        "Mon, 99999999999999999999 Jan 2026 00:00:00 GMT",
        "Mon, 01 Jan 2026 00:00:00 +99999999999999",
    ],
)
def test_what_cannot_be_read_is_no_moment(text: str) -> None:
    assert moment_of(text, NOW) is None


@given(MOMENTS)
def test_one_moment_in_all_its_spellings_is_one(second: int) -> None:
    at = datetime.fromtimestamp(second, UTC)
    spellings = [str(second), str(second * 1_000), at.isoformat(), at.isoformat().replace("+00:00", "Z")]
    spellings.append(format_datetime(at, usegmt=True))
    assert {moment_of(text, NOW) for text in spellings} == {float(second)}


@given(*[st.integers(0, 99) for _ in range(4)])
def test_a_duration_is_the_sum_of_its_parts(hours: int, minutes: int, seconds: int, millis: int) -> None:
    found = duration(f"{hours}h{minutes}m{seconds}s{millis}ms")
    assert found == pytest.approx(hours * 3_600 + minutes * 60 + seconds + millis / 1_000)


@given(st.text(max_size=80), st.floats(0, 4e9))
def test_no_text_raises_and_no_moment_is_beyond_the_calendar(text: str, now: float) -> None:
    found = moment_of(text, now)
    assert found is None or 0 <= found < 253_402_300_800


@given(st.from_regex(r"[0-9.eE+:TZhms -]{1,40}", fullmatch=True))
def test_nothing_that_looks_like_a_moment_raises(text: str) -> None:
    found = moment_of(text, NOW)
    assert found is None or 0 <= found < 253_402_300_800
