"""Several keys are revoked at once: asked first, then done, and told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from collections_app.actions.key import do_create_key, do_revoke_key
from collections_app.models import GatewayKey, Team

As = Callable[[str], Client]


@pytest.fixture
def rows() -> dict[str, GatewayKey]:
    """mine and ours are ben's to manage, of which ours is the team's; mayas is not; gone is revoked."""
    Team.objects.create(name="red").members.set(User.objects.filter(username__in=["ben", "maya"]))
    rows = {}
    for name, owner, team in (
        ("mine", "ben", ""),
        ("ours", "maya", "red"),
        ("mayas", "maya", ""),
        ("gone", "ben", ""),
    ):
        rows[name], _ = do_create_key(actor=None, owner=User.objects.get(username=owner), name=name, team=team)
    do_revoke_key(actor=None, name="gone")
    return rows


def live() -> set[str]:
    return set(GatewayKey.objects.filter(revoked_at=None).values_list("name", flat=True))


def ticked(rows: dict[str, GatewayKey], *names: str) -> list[int]:
    return [rows[name].pk for name in names]


def test_the_first_click_names_them_and_does_nothing(as_person: As, rows: dict[str, GatewayKey]) -> None:
    answer = as_person("ben").post("/keys/revoke?sort=name", {"key": ticked(rows, "mine", "ours", "gone", "mayas")})
    page = answer.content.decode()
    assert "Revoke 2 keys?" in page
    assert 'action="/keys/revoke?sort=name"' in page
    assert "Left as they are, for they are revoked or not yours to revoke: gone" in page
    assert "mayas" not in page  # not even that it is there
    assert live() == {"mine", "ours", "mayas"}


def test_the_second_click_does_it_and_tells_what_came_of_it(as_person: As, rows: dict[str, GatewayKey]) -> None:
    sent = {"key": ticked(rows, "mine", "ours", "mayas"), "confirmed": "yes"}
    answer = as_person("ben").post("/keys/revoke?sort=name", sent, follow=True)
    assert answer.redirect_chain == [("/keys/?sort=name", 302)]
    assert "2 keys are revoked and open nothing any more: mine" in answer.content.decode()
    assert live() == {"mayas"}


@pytest.mark.parametrize("names", [(), ("gone",), ("mayas",)])
def test_where_there_is_nothing_to_revoke_it_says_so(
    as_person: As, rows: dict[str, GatewayKey], names: tuple[str, ...]
) -> None:
    sent = {"key": [*ticked(rows, *names), "nonsense", ""], "confirmed": "yes"}
    page = as_person("ben").post("/keys/revoke", sent, follow=True).content.decode()
    assert "Tick keys that you may revoke" in page
    assert live() == {"mine", "ours", "mayas"}


def test_only_keys_that_one_may_revoke_can_be_ticked(as_person: As, rows: dict[str, GatewayKey]) -> None:
    page = as_person("ben").get("/keys/").content.decode()
    assert {name for name, row in rows.items() if f'id="tick-{row.pk}"' in page} == {"mine", "ours"}
    page = as_person("boss").get("/keys/").content.decode()
    assert {name for name, row in rows.items() if f'id="tick-{row.pk}"' in page} == {"mine", "ours", "mayas"}
    assert 'id="tick-' not in as_person("boss").get("/keys/?state=revoked").content.decode()


def test_who_may_not_ask_may_not_revoke(as_person: As, rows: dict[str, GatewayKey]) -> None:
    assert as_person("zoe").post("/keys/revoke", {"key": ticked(rows, "mine"), "confirmed": "yes"}).status_code == 403
    assert live() == {"mine", "ours", "mayas"}
