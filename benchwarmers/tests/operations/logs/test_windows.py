"""Long lists searched a window at a time: everything is found, in order, and nothing twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Q

from benchwarmers.operations.logs import windows
from benchwarmers.operations.logs.windows import Look, join, look, walk
from gateway.models import Conversation, Panel

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def given(panels: str, talks: str) -> None:
    """One row a letter, each a minute older than the last, small letters about something else; `.` leaves a gap."""
    for place, letter in enumerate(panels):
        if letter != ".":
            at = NOON - timedelta(minutes=place)
            Panel.objects.create(id=f"p-{letter}", caller="x", collection_name=_about(letter), started_at=at)
    for place, letter in enumerate(talks):
        if letter != ".":
            at = NOON - timedelta(minutes=place)
            Conversation.objects.create(
                id=f"r-{letter}", caller="x", collection_name=_about(letter), started_at=at, last_at=at
            )


def _about(letter: str) -> str:
    return "wanted" if letter.isupper() else "other"


def load(before: str, size: int = 2, *, narrowed: bool = True) -> Look[Panel | Conversation]:
    fits = Q(collection_name="wanted") if narrowed else None
    panels = look(Panel.objects.all(), "started_at", before, fits, size)
    return join([panels, look(Conversation.objects.all(), "last_at", before, fits, size)], size)


def read(**more: bool) -> list[str]:
    return ["".join(row.pk[2:] for row in rows) for rows in walk(lambda before: load(before, **more))]


@pytest.mark.parametrize(
    ("panels", "talks", "read_so"),
    [
        ("", "", ""),
        ("AB", "", "AB"),
        ("A.C.E", ".B.D.", "ABCDE"),
        ("bcdefgH", "", "H"),
        ("xyzwvuA", "BCDEFG.", "BCDEFGA"),
        ("AcdefgH", ".I.....", "AIH"),
    ],
)
def test_two_lists_are_one_by_time_and_rows_that_do_not_fit_hide_none(
    monkeypatch: pytest.MonkeyPatch, panels: str, talks: str, read_so: str
) -> None:
    monkeypatch.setattr(windows, "WITHIN", 3)
    given(panels, talks)
    assert "".join(read()) == read_so


def test_without_a_filter_pages_are_full() -> None:
    given("aBcDe", ".F.G.")
    assert [len(page) for page in read(narrowed=False)] == [2, 2, 2, 1]


@pytest.mark.parametrize("cursor", ["", "x", "2026-11-29T12:00:00+00:00~", "~5", "2026-11-29~p-a"])
def test_a_cursor_that_cannot_be_read_is_none(cursor: str) -> None:
    given("ab", "")
    assert [row.pk for row in load(cursor, narrowed=False).rows] == ["p-a", "p-b"]


def test_one_look_searches_a_window_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "WITHIN", 3)
    given("abcdefghiJ", "")
    first = load("")
    assert (list(first.rows), bool(first.further)) == ([], True)
    assert [row.pk for rows in walk(load) for row in rows] == ["p-J"]
