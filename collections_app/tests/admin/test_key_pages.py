"""Keys with their limits, teams and budgets, and the team of a collection, in the admin."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.actions.collection import do_remove_collection
from collections_app.actions.key import do_create_key
from collections_app.models import Change, GatewayKey, Team
from collections_app.tests.world import World


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """The admin is signed in."""
    client.force_login(world.dora)
    return client


def url(model: str, name: str, *args: object) -> str:
    return reverse(f"admin:collections_app_{model}_{name}", args=args)


def kept(row: GatewayKey) -> list[tuple[str, str, int]]:
    return [(one.unit, one.period, one.amount) for one in row.budgets.all()]


def test_a_key_gets_its_team_tokens_and_budgets_and_the_form_shows_them_again(page: Client, world: World) -> None:
    team = Team.objects.create(name="red")
    sent = {"name": "new", "owner": world.bob.pk, "team": team.pk, "tpm": "5000", "requests_day": "3"}
    answer = page.post(url("gatewaykey", "add"), sent | {"money_month": "12.50"}, follow=True)
    assert answer.content.decode().count("bwk_") == 1
    row = GatewayKey.objects.get()
    assert (row.team, row.tpm) == (team, 5000)
    assert kept(row) == [("money", "month", 12_500_000_000), ("requests", "day", 3)]
    form = page.get(url("gatewaykey", "change", row.pk)).content.decode()
    assert 'name="money_month" value="12.5"' in form
    assert 'name="requests_day" value="3"' in form
    listed = page.get(url("gatewaykey", "changelist")).content.decode()
    assert "12.50 USD a month, 3 requests a day" in listed


def test_budgets_are_changed_and_taken_away_through_the_action(page: Client, world: World) -> None:
    row, _ = do_create_key(
        actor=None, owner=world.bob, name="ci", budgets=[{"unit": "tokens", "period": "day", "amount": 9}]
    )
    Change.objects.all().delete()
    address = url("gatewaykey", "change", row.pk)
    assert page.post(address, {"owner": world.bob.pk, "tokens_day": "20"}).status_code == 302
    assert kept(row) == [("tokens", "day", 20)]
    assert page.post(address, {"owner": world.bob.pk}).status_code == 302
    assert kept(row) == []
    assert set(Change.objects.values_list("actor_name", "field")) == {("dora", "budgets")}


def test_an_amount_that_cannot_be_is_an_error_on_the_page(page: Client, world: World) -> None:
    for name, value in (("requests_day", "0"), ("tokens_month", "x"), ("money_day", "0"), ("tpm", "100000001")):
        answer = page.post(url("gatewaykey", "add"), {"name": "new", "owner": world.bob.pk, name: value})
        assert answer.status_code == 200, name
        assert "errorlist" in answer.content.decode() or "error" in answer.content.decode()
    assert not GatewayKey.objects.exists()


def test_a_scope_that_ran_empty_is_not_opened_by_saving_something_else(page: Client, world: World) -> None:
    row, _ = do_create_key(actor=None, owner=world.bob, name="ci", collections=["core"])
    do_remove_collection(actor=None, name="core")
    answer = page.post(url("gatewaykey", "change", row.pk), {"owner": world.bob.pk, "rpm": "9"})
    assert "is gone, so it opens nothing" in answer.content.decode()
    row.refresh_from_db()
    assert (row.scoped, row.rpm) == (True, None)


def test_a_collection_is_given_to_a_team(page: Client, world: World) -> None:
    team = Team.objects.create(name="red")
    core = world.collection("core")
    rows = {"seatings-TOTAL_FORMS": "1", "seatings-INITIAL_FORMS": "0", "seatings-0-place": "1"}
    rows["seatings-0-language_model"] = str(world.model("fast").pk)
    sent = {"reply": "all", "ranking": "record", "cooldown": "substitute", "on_disconnect": "finish", "shadow": "{}"}
    answer = page.post(url("collection", "change", core.pk), sent | rows | {"team": str(team.pk)})
    assert answer.status_code == 302
    core.refresh_from_db()
    assert core.team == team
    assert Change.objects.get(thing="collection", field="team", actor_name="dora").new == "red"
