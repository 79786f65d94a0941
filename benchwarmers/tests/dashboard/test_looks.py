"""Whoever looks at the answers of somebody else leaves a line; whoever looks at their own does not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.shades import Proposes, make_shadow
from benchwarmers.tests.pages.talks import Took, make_talk
from gateway.models import Panel, Reading, Seat
from gateway.readings import AGAIN, note_look

As = Callable[[str], Client]


@pytest.fixture
def talk() -> str:
    made = make_talk(NOON, "core", "Fix the build", [Took("osprey")] * 2, owner="ben")
    make_shadow(made, 2, "wren", Proposes("Look."), Proposes("Fix."), why="its work is oldest")
    return made


def looks() -> list[tuple[str, str, str, str, str]]:
    found = Reading.objects.order_by("id")
    return list(found.values_list("reader_name", "address", "thing", "name", "owner_name"))


def test_a_panel_of_somebody_else_leaves_one_line_however_it_is_looked_at(as_person: As, bens_panel: str) -> None:
    client = as_person("maya")
    call = Seat.objects.filter(panel=bens_panel).order_by("place").first()
    assert call is not None
    for rest in ("", "live/", f"seats/{call.pk}/"):
        assert client.get(f"/panels/{bens_panel}/{rest}").status_code in (200, 302)
    assert looks() == [("maya", "127.0.0.1", "panel", bens_panel, "ben")]


def test_the_queue_of_verdicts_is_a_look_too(as_person: As, bens_panel: str) -> None:
    assert as_person("maya").get("/judge/?whose=all").status_code == 200
    assert looks() == [("maya", "127.0.0.1", "panel", bens_panel, "ben")]


def test_a_conversation_and_its_shadow_leave_a_line_each(as_person: As, talk: str) -> None:
    client = as_person("maya")
    for rest in ("", "live/", "shadows/2/", ""):
        assert client.get(f"/conversations/{talk}/{rest}").status_code == 200
    assert looks() == [
        ("maya", "127.0.0.1", "conversation", talk, "ben"),
        ("maya", "127.0.0.1", "shadow", f"{talk}.shadow2", "ben"),
    ]


def test_what_is_ones_own_and_what_is_hidden_leaves_none(as_person: As, bens_panel: str, talk: str) -> None:
    for path in (f"/panels/{bens_panel}/", f"/conversations/{talk}/", f"/conversations/{talk}/shadows/2/"):
        assert as_person("ben").get(path).status_code == 200
        assert as_person("zoe").get(path).status_code == 404
    assert looks() == []


@pytest.mark.parametrize(
    ("owner", "caller", "whose"),
    [(None, "local", None), (None, "old-key", "old-key"), ("zoe", "bens-key", "zoe"), ("maya", "bens-key", None)],
)
def test_whose_it_is_is_told_by_the_owner_and_else_by_the_caller(
    bens_panel: str, owner: str | None, caller: str, whose: str | None
) -> None:
    person = User.objects.filter(username=owner).first()
    Panel.objects.filter(pk=bens_panel).update(owner=person, caller=caller)
    maya, panel = User.objects.get(username="maya"), Panel.objects.get(pk=bens_panel)
    assert note_look(maya, "panel", bens_panel, panel, now=timezone.now()) == (whose is not None)
    assert [one[4] for one in looks()] == ([whose] if whose else [])


def test_another_look_after_ten_minutes_is_another_line_and_so_is_another_readers(bens_panel: str) -> None:
    panel, now = Panel.objects.get(pk=bens_panel), timezone.now()
    maya, zoe = User.objects.get(username="maya"), User.objects.get(username="zoe")
    assert [note_look(one, "panel", bens_panel, panel, now=now) for one in (maya, maya, zoe)] == [True, False, True]
    Reading.objects.update(at=now - AGAIN + timedelta(seconds=1))
    assert not note_look(maya, "panel", bens_panel, panel, now=now)
    assert note_look(maya, "panel", bens_panel, panel, now=now + timedelta(seconds=2))
