"""Which slot is due, in the time zone of its row, also where the clock is changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from collections_app.refusal import Refused
from probes.schedule.due import due_slot, is_late, next_slot
from probes.schedule.times import FIELDS, read_times


def crontab(text: str) -> dict[str, str]:
    """The five fields of a crontab in its own order."""
    minute, hour, date, month, weekday = text.split()
    return dict(zip(FIELDS, (hour, minute, weekday, date, month), strict=True))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


DAILY, MONDAY, SUITE = "0 5 * * *", "0 7 * * 1", "0 3,9,15,21 * * *"
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("times", "zone", "last", "now", "due"),
    [
        # once, at its time and not before
        (DAILY, "UTC", "2026-11-29T04:00", "2026-11-29T04:59:59", None),
        (DAILY, "UTC", "2026-11-29T04:00", "2026-11-29T05:00", "2026-11-29T05:00"),
        (DAILY, "UTC", "2026-11-29T05:00", "2026-11-29T05:00:10", None),
        (DAILY, "UTC", "2026-11-29T05:00", "2026-11-30T04:59", None),
        # stopped over two mornings: the newest alone
        (DAILY, "UTC", "2026-11-27T05:00", "2026-11-29T11:00", "2026-11-29T05:00"),
        # nothing older than a week
        (MONDAY, "UTC", "2026-11-01T00:00", "2026-11-30T07:00", "2026-11-30T07:00"),
        (MONDAY, "UTC", "2026-11-01T00:00", "2026-11-30T06:59", "2026-11-23T07:00"),
        ("0 7 1 * *", "UTC", "2026-10-01T00:00", "2026-11-08T06:59:59", "2026-11-01T07:00"),
        ("0 7 1 * *", "UTC", "2026-10-01T00:00", "2026-11-08T07:00", None),
        # a Sunday is 0
        ("0 7 * * 0", "UTC", "2026-11-28T00:00", "2026-11-30T00:00", "2026-11-29T07:00"),
        (SUITE, "UTC", "2026-11-29T09:00", "2026-11-29T22:00", "2026-11-29T21:00"),
        # the row's own time zone, also over midnight
        (DAILY, "Asia/Tokyo", "2026-11-28T19:00", "2026-11-28T20:00", "2026-11-28T20:00"),
        (MONDAY, "Pacific/Auckland", "2026-11-29T00:00", "2026-11-29T18:00", "2026-11-29T18:00"),
        # the clock goes forward: 02:30 is not there and counts at 03:30, once
        ("30 2 * * *", BERLIN, "2026-03-28T12:00", "2026-03-29T01:29", None),
        ("30 2 * * *", BERLIN, "2026-03-28T12:00", "2026-03-29T01:30", "2026-03-29T01:30"),
        ("30 2 * * *", BERLIN, "2026-03-29T01:30", "2026-03-29T23:00", None),
        ("30 2,3 * * *", BERLIN, "2026-03-28T12:00", "2026-03-29T23:00", "2026-03-29T01:30"),
        ("30 2,3 * * *", BERLIN, "2026-03-29T01:30", "2026-03-29T23:00", None),
        (DAILY, BERLIN, "2026-03-28T04:00", "2026-03-29T03:00", "2026-03-29T03:00"),
        # the clock goes back: 02:30 comes twice and counts the first time
        ("30 2 * * *", BERLIN, "2026-10-24T12:00", "2026-10-25T00:30", "2026-10-25T00:30"),
        ("30 2 * * *", BERLIN, "2026-10-25T00:30", "2026-10-25T23:00", None),
        (DAILY, BERLIN, "2026-10-25T03:00", "2026-10-25T04:00", "2026-10-25T04:00"),
    ],
)
def test_the_newest_missed_slot_of_a_week_is_due(times: str, zone: str, last: str, now: str, due: str | None) -> None:
    slot = due_slot(read_times(crontab(times), zone), at(last), at(now))
    assert slot == (at(due) if due else None)


@pytest.mark.parametrize(
    ("times", "zone", "now", "coming"),
    [
        (DAILY, "UTC", "2026-11-29T05:00", "2026-11-30T05:00"),
        (MONDAY, "UTC", "2026-11-30T06:59", "2026-11-30T07:00"),
        (DAILY, BERLIN, "2026-03-28T12:00", "2026-03-29T03:00"),
        ("30 2 * * *", BERLIN, "2026-10-25T00:30", "2026-10-26T01:30"),
        ("0 0 29 2 *", "UTC", "2026-11-29T00:00", "2028-02-29T00:00"),
        ("0 0 31 2 *", "UTC", "2026-11-29T00:00", None),
        ("0 0 1 1 mon", "UTC", "2026-11-29T00:00", "2029-01-01T00:00"),
    ],
)
def test_the_next_slot_is_told(times: str, zone: str, now: str, coming: str | None) -> None:
    assert next_slot(read_times(crontab(times), zone), at(now)) == (at(coming) if coming else None)


def test_from_a_monday_morning_on_the_suite_is_due_at_nine_fifteen_twentyone_and_three() -> None:
    times, now = read_times(crontab(SUITE), BERLIN), at("2026-11-30T03:00")  # 04:00 there
    hours = []
    for _ in range(4):
        coming = next_slot(times, now)
        assert coming is not None
        hours.append(coming.hour + 1)
        now = coming
    assert hours == [9, 15, 21, 3]


def test_every_slot_of_a_year_is_due_once_whatever_the_clock_does() -> None:
    times, last, taken = read_times(crontab("30 2 * * *"), BERLIN), at("2026-01-01T00:00"), 0
    for hour in range(365 * 24):
        now = at("2026-01-01T00:00") + timedelta(hours=hour, minutes=45)
        if (slot := due_slot(times, last, now)) is not None:
            assert now - slot < timedelta(hours=1)
            taken, last = taken + 1, slot
    assert taken == 365


@pytest.mark.parametrize(("seconds", "late"), [(0, False), (300, False), (301, True)])
def test_what_is_older_than_five_minutes_is_made_up_for(seconds: int, late: bool) -> None:
    assert is_late(at("2026-11-29T05:00"), at("2026-11-29T05:00") + timedelta(seconds=seconds)) is late


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (DAILY, "daily at 05:00"),
        (MONDAY, "Monday at 07:00"),
        ("0,30 7 * * 0,1,6", "Monday, Saturday and Sunday at 07:00 and 07:30"),
        (SUITE, "daily at 03:00, 09:00, 15:00 and 21:00"),
        ("0 */2 * * *", "daily at 00:00, 02:00 and 04:00 and 9 times more"),
        ("5 4 1,15 1-3 *", "daily on day 1 and 15 of the month in month 1, 2 and 3 at 04:05"),
    ],
)
def test_times_are_told_as_people_say_them(times: str, words: str) -> None:
    assert read_times(crontab(times), "UTC").words == words


@pytest.mark.parametrize(
    ("times", "fields"),
    [
        ("60 5 * * *", ["minute"]),
        ("0 24 * * *", ["hour"]),
        ("x -1 0 13 7", ["hour", "minute", "day_of_week", "day_of_month", "month_of_year"]),
        ("0 5-x * * *", ["hour"]),
        ("*/ 5 * * *", ["minute"]),
        ("*/5 * * * *", ["minute"]),
        (",".join(["1"] * 60) + " 5 * * *", ["minute"]),
    ],
)
def test_fields_that_cannot_be_read_are_refused_each(times: str, fields: list[str]) -> None:
    with pytest.raises(Refused) as caught:
        read_times(crontab(times), "UTC")
    assert [field for field, _ in caught.value.problems] == fields
