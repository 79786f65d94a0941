"""Rotation with an overlap, budgets, and what is left of a key when it is replaced or revoked."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from collections_app.actions.key import do_adopt_key, do_create_key, do_revoke_key, do_rotate_key
from collections_app.actions.key_budget import do_set_budgets
from collections_app.actions.key_rules import digest_of
from collections_app.models import Change, GatewayKey
from collections_app.refusal import Refused
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
GIVEN = "bwk_" + "a1" * 20


def test_a_rotated_key_keeps_its_row_and_the_old_secret_opens_for_a_while(world: World) -> None:
    row, old = do_create_key(actor=world.bob, owner=world.bob, name="ci", collections=["core"], rpm=60)
    rotated = do_rotate_key(actor=world.bob, name="ci", now=NOW)
    now = GatewayKey.objects.get()
    assert (now.pk, now.rpm, now.scoped) == (row.pk, 60, True)
    assert (now.digest, now.hint) == (digest_of(rotated.plain), rotated.plain[-4:])
    assert (now.previous_digest, now.previous_until) == (digest_of(old), NOW + DAY)
    assert rotated.plain != old
    assert not rotated.replaced
    logged = json.dumps(list(Change.objects.values("old", "new")))
    assert old not in logged
    assert rotated.plain not in logged


@pytest.mark.parametrize(("later", "replaced"), [(HOUR, True), (DAY - HOUR, True), (DAY, False), (DAY + HOUR, False)])
def test_rotating_again_ends_an_overlap_that_still_runs_and_says_so(
    world: World, later: timedelta, replaced: bool
) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci")
    second = do_rotate_key(actor=None, name="ci", now=NOW)
    third = do_rotate_key(actor=None, name="ci", overlap=HOUR, now=NOW + later)
    assert third.replaced is replaced
    row = GatewayKey.objects.get()
    assert (row.previous_digest, row.previous_until) == (digest_of(second.plain), NOW + later + HOUR)


@pytest.mark.parametrize(
    ("overlap", "until"), [(timedelta(0), None), (timedelta(days=30), NOW + timedelta(days=30)), (HOUR, NOW + HOUR)]
)
def test_an_overlap_is_nothing_up_to_thirty_days(world: World, overlap: timedelta, until: datetime | None) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci")
    do_rotate_key(actor=None, name="ci", overlap=overlap, now=NOW)
    row = GatewayKey.objects.get()
    assert row.previous_until == until
    assert (row.previous_digest is None) is (until is None)


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=30, seconds=1)])
def test_a_rotation_out_of_bounds_is_refused(world: World, overlap: timedelta) -> None:
    row, _ = do_create_key(actor=None, owner=world.bob, name="ci")
    with pytest.raises(Refused, match="0 to 30 days"):
        do_rotate_key(actor=None, name="ci", overlap=overlap, now=NOW)
    assert GatewayKey.objects.get().digest == row.digest


def test_an_expired_key_is_not_rotated(world: World) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci", expires_at=NOW)
    with pytest.raises(Refused, match="has expired"):
        do_rotate_key(actor=None, name="ci", now=NOW)


def test_a_revoked_key_opens_under_neither_secret(world: World) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci")
    do_rotate_key(actor=None, name="ci", now=NOW)
    row = do_revoke_key(actor=None, name="ci", now=NOW)
    row.refresh_from_db()
    assert (row.revoked_at, row.previous_digest, row.previous_until) == (NOW, None, None)


def test_a_secret_that_was_rotated_away_is_not_adopted_and_an_adopted_one_ends_the_overlap(world: World) -> None:
    do_adopt_key(actor=None, owner=world.bob, name="ci", plain=GIVEN)
    do_rotate_key(actor=None, name="ci", now=NOW)
    for name in ("ci", "other"):
        with pytest.raises(Refused, match="was rotated"):
            do_adopt_key(actor=None, owner=world.bob, name=name, plain=GIVEN)
    row = do_adopt_key(actor=None, owner=world.bob, name="ci", plain=GIVEN + "zz")
    assert (row.digest, row.previous_digest, row.previous_until) == (digest_of(GIVEN + "zz"), None, None)


def test_budgets_are_kept_in_whole_units_and_logged_in_words(world: World) -> None:
    month = {"unit": "money", "period": "month", "amount": 20}
    do_create_key(actor=None, owner=world.bob, name="ci", budgets=[month], tpm=5000)
    Change.objects.all().delete()
    do_set_budgets(actor=world.dora, name="ci", budgets=[month, {"unit": "requests", "period": "day", "amount": 3}])
    kept = [(one.unit, one.period, one.amount) for one in GatewayKey.objects.get().budgets.all()]
    assert kept == [("money", "month", 20_000_000_000), ("requests", "day", 3)]
    (change,) = Change.objects.all()
    assert (change.field, change.old, change.new) == (
        "budgets",
        ["20.00 USD a month"],
        ["20.00 USD a month", "3 requests a day"],
    )
    do_set_budgets(actor=world.dora, name="ci", budgets=[{"unit": "requests", "period": "day", "amount": 3}, month])
    assert Change.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"tpm": 0}, "tpm"),
        ({"tpm": 100_000_001}, "tpm"),
        ({"team": "nobodies"}, "team"),
        ({"budgets": [{"unit": "money", "period": "day", "amount": 0}]}, "budgets"),
        ({"budgets": [{"unit": "money", "period": "day", "amount": one} for one in (1, 2)]}, "budgets"),
    ],
)
def test_a_broken_limit_names_its_field(world: World, given: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_create_key(actor=None, owner=world.bob, name="ci", **given)
    assert [name for name, _ in refused.value.problems] == [field]
    assert not GatewayKey.objects.exists()
