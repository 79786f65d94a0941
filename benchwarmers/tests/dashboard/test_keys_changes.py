"""What is done to a gateway key on its pages: made and shown once, changed, rotated, revoked."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from collections_app.actions.key import do_create_key, do_revoke_key
from collections_app.actions.key_rules import digest_of
from collections_app.models import Change, Collection, GatewayKey, Team

As = Callable[[str], Client]
LATER = "2099-01-31T12:00"


def kept(row: GatewayKey) -> list[tuple[str, str, int]]:
    return [(one.unit, one.period, one.amount) for one in row.budgets.all()]


def plain_in(text: str) -> str:
    found = set(re.findall(r"bwk_[A-Za-z0-9_-]{43}", text))
    assert len(found) == 1
    return str(found.pop())


@pytest.fixture
def bens(db: None) -> GatewayKey:
    """Of ben, made by an admin, with a limit of everything."""
    budgets = [{"unit": "requests", "period": "day", "amount": 10}]
    owner = User.objects.get(username="ben")
    expires = datetime.fromisoformat("2098-01-31T12:00:30+00:00")
    given: dict[str, Any] = {"rpm": 60, "tpm": 1000, "expires_at": expires, "budgets": budgets, "collections": ["core"]}
    return do_create_key(actor=None, owner=owner, name="bens", **given)[0]


def as_shown(client: Client, row: GatewayKey) -> dict[str, Any]:
    """What a browser would send back from the untouched form."""
    page = client.get(f"/keys/{row.pk}/").content.decode()
    (form,) = re.findall(r'aria-labelledby="change-key">(.*?)</form>', page, re.S)
    sent: dict[str, Any] = dict(re.findall(r'name="(\w+)" value="([^"]*)"(?! checked)', form))
    sent["opens"] = re.findall(r'name="opens" value="(\w+)" checked', form)[0]
    sent["collections"] = re.findall(r'name="collections" value="([\w-]+)" checked', form)
    return sent


def test_a_key_is_made_and_shown_once_with_lines_that_use_it(as_person: As) -> None:
    ben = as_person("ben")
    sent = {"name": "laptop", "opens": "some", "collections": ["quick", "core"], "rpm": "30", "tpm": "9000"}
    answer = ben.post("/keys/new/", sent | {"requests_day": "3", "money_month": "0.5", "expires_at": LATER})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    text = answer.content.decode()
    plain = plain_in(text)
    row = GatewayKey.objects.get()
    assert (row.name, row.owner.username, row.digest) == ("laptop", "ben", digest_of(plain))
    assert (row.rpm, row.tpm, row.scoped) == (30, 9000, True)
    assert kept(row) == [("money", "month", 500_000_000), ("requests", "day", 3)]
    assert row.expires_at is not None
    assert timezone.localtime(row.expires_at).strftime("%Y-%m-%dT%H:%M") == LATER
    assert "curl http://testserver/v1/chat/completions" in text
    assert "bench/core" in text
    assert Change.objects.get(thing="key").actor_name == "ben"
    for address in ("/keys/", f"/keys/{row.pk}/"):
        assert "bwk_" not in ben.get(address).content.decode()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "X"}, "name"),
        ({"name": "local"}, "name"),
        ({"name": "taken"}, "name"),
        ({"rpm": "0"}, "rpm"),
        ({"rpm": "ten"}, "rpm"),
        ({"tpm": "100000001"}, "tpm"),
        ({"requests_day": "0"}, "requests_day"),
        ({"money_day": "-1"}, "money_day"),
        ({"opens": ""}, "opens"),
        ({"opens": "none"}, "opens"),
        ({"opens": "some"}, "collections"),
        ({"opens": "some", "collections": ["nowhere"]}, "collections"),
        ({"opens": "some", "collections": ["secret"]}, "collections"),
        ({"expires_at": "2020-01-01T00:00"}, "expires_at"),
        ({"expires_at": "tomorrow"}, "expires_at"),
    ],
)
def test_a_mistake_is_told_at_its_field_and_nothing_is_made(as_person: As, change: dict[str, Any], field: str) -> None:
    do_create_key(actor=None, owner=User.objects.get(username="boss"), name="taken")
    Collection.objects.create(name="secret", team=Team.objects.create(name="blue"))
    answer = as_person("ben").post("/keys/new/", {"name": "laptop", "opens": "all"} | change)
    assert answer.status_code == 422
    assert f'id="wrong-{field}"' in answer.content.decode()
    assert "bwk_" not in answer.content.decode()
    assert GatewayKey.objects.count() == 1


def test_only_an_admin_is_asked_for_an_owner_and_others_choose_among_their_teams(as_person: As) -> None:
    red, blue = (Team.objects.create(name=name) for name in ("red", "blue"))
    red.members.add(User.objects.get(username="ben"))
    ben = as_person("ben")
    page = ben.get("/keys/new/").content.decode()
    assert ('name="owner"' in page, ">red<" in page, ">blue<" in page) == (False, True, False)
    maya = User.objects.get(username="maya")
    assert ben.post("/keys/new/", {"name": "one", "opens": "all", "owner": maya.pk}).status_code == 200
    assert GatewayKey.objects.get().owner.username == "ben"
    assert ben.post("/keys/new/", {"name": "two", "opens": "all", "team": blue.pk}).status_code == 422
    assert ben.post("/keys/new/", {"name": "two", "opens": "all", "team": red.pk}).status_code == 200
    assert GatewayKey.objects.get(name="two").team == red
    boss = as_person("boss")
    assert boss.post("/keys/new/", {"name": "three", "opens": "all", "owner": maya.pk}).status_code == 200
    assert GatewayKey.objects.get(name="three").owner == maya


def test_a_form_that_was_not_touched_changes_nothing(as_person: As, bens: GatewayKey) -> None:
    Change.objects.all().delete()
    ben = as_person("ben")
    assert ben.post(f"/keys/{bens.pk}/", as_shown(ben, bens)).status_code == 302
    assert not Change.objects.filter(thing="key").exists()


def test_an_owner_lowers_limits_and_an_admin_raises_them(as_person: As, bens: GatewayKey) -> None:
    ben = as_person("ben")
    sent = as_shown(ben, bens)
    lower = {"rpm": "50", "requests_day": "9", "tokens_month": "500", "expires_at": "2097-01-31T12:00"}
    assert ben.post(f"/keys/{bens.pk}/", sent | lower).status_code == 302
    bens.refresh_from_db()
    assert (bens.rpm, kept(bens)) == (50, [("requests", "day", 9), ("tokens", "month", 500)])
    higher = {"rpm": "", "requests_day": "10", "expires_at": ""}
    answer = ben.post(f"/keys/{bens.pk}/", sent | lower | higher)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="wrong-rpm"' in text
    assert 'id="wrong-expires_at"' in text
    assert "Only an admin may raise or remove the budget of 9 requests a day." in text
    boss = as_person("boss")
    assert boss.post(f"/keys/{bens.pk}/", as_shown(boss, bens) | lower | higher).status_code == 302
    bens.refresh_from_db()
    assert (bens.rpm, bens.expires_at, kept(bens)[0]) == (None, None, ("requests", "day", 10))


def test_rotating_shows_the_new_secret_once_and_a_second_press_rotates_nothing(as_person: As, bens: GatewayKey) -> None:
    ben, sent = as_person("ben"), {"hint": bens.hint, "minutes": "60"}
    answer = ben.post(f"/keys/{bens.pk}/rotate", sent)
    plain = plain_in(answer.content.decode())
    row = GatewayKey.objects.get()
    assert (row.digest, row.previous_digest) == (digest_of(plain), bens.digest)
    assert row.previous_until is not None
    assert timedelta(minutes=59) < row.previous_until - timezone.now() <= timedelta(minutes=60)
    again = ben.post(f"/keys/{bens.pk}/rotate", sent)
    assert again.status_code == 422
    assert "was rotated while you looked" in again.content.decode()
    assert GatewayKey.objects.get().digest == row.digest
    third = ben.post(f"/keys/{bens.pk}/rotate", {"hint": row.hint, "minutes": "0"}).content.decode()
    assert "The one from the rotation before still opened until now" in third
    assert GatewayKey.objects.get().previous_digest is None


@pytest.mark.parametrize("minutes", ["", "-60", "61", "99999999", "1e3"])
def test_an_overlap_that_is_not_offered_is_refused(as_person: As, bens: GatewayKey, minutes: str) -> None:
    answer = as_person("ben").post(f"/keys/{bens.pk}/rotate", {"hint": bens.hint, "minutes": minutes})
    assert answer.status_code == 422
    assert GatewayKey.objects.get().digest == bens.digest


def test_a_revoked_key_stays_as_a_record_and_is_no_longer_changed(as_person: As, bens: GatewayKey) -> None:
    ben = as_person("ben")
    assert ben.post(f"/keys/{bens.pk}/revoke")["Location"] == "/keys/"
    bens.refresh_from_db()
    assert bens.revoked_at is not None
    page = ben.get(f"/keys/{bens.pk}/").content.decode()
    assert "revoked" in page
    assert 'name="minutes"' not in page
    for way in ("", "rotate", "revoke"):
        assert ben.post(f"/keys/{bens.pk}/{way}", {"opens": "all"}).status_code == 403


def test_who_sees_a_key_and_does_not_manage_it_only_looks(as_person: As) -> None:
    row, _ = do_create_key(actor=None, owner=User.objects.get(username="zoe"), name="zoes")
    zoe = as_person("zoe")
    page = zoe.get(f"/keys/{row.pk}/").content.decode()
    assert "You may look at this key." in page
    assert 'name="minutes"' not in page
    assert zoe.post(f"/keys/{row.pk}/revoke").status_code in (403, 404)
    row.refresh_from_db()
    assert row.revoked_at is None


def test_a_scope_that_ran_empty_is_not_opened_by_saving_something_else(as_person: As, bens: GatewayKey) -> None:
    Collection.objects.get(name="core").delete()
    ben = as_person("ben")
    page = ben.get(f"/keys/{bens.pk}/").content.decode()
    assert "nothing: its collections are gone" in page
    answer = ben.post(f"/keys/{bens.pk}/", as_shown(ben, bens) | {"rpm": "5"})
    assert answer.status_code == 422
    assert "Choose at least one collection" in answer.content.decode()
    do_revoke_key(actor=None, name="bens")
