"""Tokens that end soon: renewed once, kept in order, and told of when they cannot be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from collections_app.actions.secret import do_save_secret
from collections_app.actions.sign_in import do_end_sign_in
from collections_app.ended import ended_sign_ins
from collections_app.models import Alert, Change, Endpoint, Secret, SignIn
from collections_app.vault import secret_for
from probes.listing import list_models
from probes.sign_ins import store_tokens
from probes.sign_ins.before_use import renew_before_use
from probes.sign_ins.renew import due, renew, renew_due
from probes.sign_ins.tend import tend
from probes.sign_ins.wire import Reply, Wanted
from probes.tests.sign_ins.authority import LIFE_S
from probes.tests.sign_ins.world import Town

pytestmark = pytest.mark.django_db


def row(name: str = "open") -> SignIn:
    return SignIn.objects.select_related("endpoint").get(endpoint__name=name)


@pytest.mark.parametrize(("left", "renewed"), [(301, 0), (300, 1), (1, 1), (-4000, 1)])
def test_a_token_is_renewed_from_five_minutes_before_its_end(town: Town, left: int, renewed: int) -> None:
    town.sign_in()
    before = town.tokens("open")
    town.clock.pass_s(LIFE_S - left)
    assert tend(town.desk) == renewed
    assert (town.tokens("open") != before) == bool(renewed)


def test_both_tokens_are_new_and_the_end_too(town: Town) -> None:
    town.sign_in()
    before, changes = town.tokens("open"), Change.objects.count()
    town.clock.pass_s(LIFE_S)
    assert renew_due(town.desk) == 1
    after = town.tokens("open")
    assert set(after).isdisjoint(before)
    assert after[0] in town.us.tokens
    assert after[1] in town.us.refreshing
    assert row().expires_at == town.clock.now + timedelta(seconds=LIFE_S)
    assert (row().renewed_at, row().renewing_until, row().trouble) == (town.clock.now, None, "")
    assert Change.objects.count() == changes
    assert renew_due(town.desk) == 0
    (asked,) = [one for one in town.us.asked("/token") if one["grant_type"] == "refresh_token"]
    assert asked["client_id"] == "shipped"


def test_a_provider_that_keeps_its_refresh_token_keeps_it_here_too(town: Town) -> None:
    town.us.rotates = False
    town.sign_in()
    refresh = town.tokens("open")[1]
    for _ in range(2):
        town.clock.pass_s(LIFE_S)
        assert renew_due(town.desk) == 1
        assert town.tokens("open")[1] == refresh


def test_a_provider_that_does_not_say_the_life_again_means_the_same(town: Town) -> None:
    town.sign_in()
    town.us.rotates = False
    town.us.says_life = False
    town.clock.pass_s(LIFE_S - 100)
    assert renew_due(town.desk) == 1
    assert row().expires_at == town.clock.now + timedelta(seconds=LIFE_S)


@pytest.mark.parametrize("provider", ["keyed", "open"])
def test_what_does_not_end_or_cannot_renew_is_left_alone(town: Town, provider: str) -> None:
    town.us.life = None
    town.sign_in(provider)
    town.clock.pass_s(10**8)
    assert renew_due(town.desk) == 0


def test_a_renewal_reaches_other_processes_at_once(
    town: Town, bumps: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    before = len(bumps)
    with django_capture_on_commit_callbacks(execute=True):
        assert renew_due(town.desk) == 1
    assert len(bumps) == before + 1


def test_only_the_endpoint_in_use_is_renewed_before_it_is_used(town: Town) -> None:
    first, second = town.sign_in(), town.sign_in()
    town.clock.pass_s(LIFE_S)
    before = town.tokens("open-2")
    renew_before_use(first, town.desk)
    assert town.tokens("open-2") == before
    assert [one.endpoint for one in due(town.clock.now)] == [second]


def test_models_are_listed_with_a_token_that_is_renewed_first(town: Town, tmp_path: Path) -> None:
    row = town.sign_in()
    worn = town.tokens("open")[0]
    town.us.tokens.discard(worn)
    SignIn.objects.update(expires_at=timezone.now())
    file = tmp_path / "providers.json"
    file.write_bytes(msgspec.json.encode(list(town.desk.providers.values())))
    with override_settings(BENCH=replace(settings.BENCH, sign_in_providers=file)):
        assert [model.served for model in list_models(row)] == ["one", "two"]
    assert town.tokens("open")[0] != worn


def test_two_that_saw_the_same_token_end_exchange_once(town: Town) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    (one,), (other,) = due(town.clock.now), due(town.clock.now)
    assert store_tokens.lease(one, town.clock.now)
    assert not renew(town.desk, other)
    assert due(town.clock.now) == []
    town.clock.pass_s(61)  # whoever had it is gone
    assert renew_due(town.desk) == 1
    assert not renew(town.desk, other)
    assert len([asked for asked in town.us.asked("/token") if asked["grant_type"] == "refresh_token"]) == 1


def test_a_refusal_asks_for_somebody_and_a_new_sign_in_settles_it(town: Town) -> None:
    town.sign_in()
    town.us.refreshing.clear()
    town.clock.pass_s(LIFE_S - 200)
    assert renew_due(town.desk) == 0
    trouble = row().trouble
    assert "The refresh token is not known." in trouble
    assert trouble.endswith("sign in again on the Endpoints page.")
    alert = Alert.objects.get()
    assert (alert.raiser, alert.key, alert.kind, alert.message) == ("sign-in", "open", "sign in", trouble)
    assert alert.endpoint == Endpoint.objects.get(name="open")
    assert ended_sign_ins(town.clock.now) == set()
    town.clock.pass_s(201)
    assert ended_sign_ins(town.clock.now) == {"open"}
    assert renew_due(town.desk) == 0
    assert len(town.us.asked("/token")) == 2  # it is not asked every few seconds
    town.sign_in(again="open")
    assert row().trouble == ""
    assert not Alert.objects.exists()


def test_a_provider_that_is_away_is_asked_again_and_told_of_once_the_token_has_ended(town: Town) -> None:
    town.sign_in()
    town.us.fault = "broken"
    town.clock.pass_s(LIFE_S - 100)
    renew_due(town.desk)
    assert row().trouble
    assert not Alert.objects.exists()
    town.clock.pass_s(101)
    renew_due(town.desk)
    assert Alert.objects.get().endpoint is not None
    town.us.fault = ""
    town.clock.pass_s(61)
    assert renew_due(town.desk) == 1
    assert row().trouble == ""
    assert not Alert.objects.exists()


def test_a_key_typed_while_a_renewal_is_on_its_way_stays(town: Town) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    desk = town.desk

    def meanwhile(wanted: Wanted) -> Reply:
        reply = desk.fetch(wanted)
        do_save_secret(actor=None, name="open", plain="typed-by-hand")
        return reply

    (one,) = due(town.clock.now)
    assert not renew(type(desk)(desk.providers, meanwhile, desk.check, desk.clock), one)
    assert secret_for("open") == "typed-by-hand"
    assert not Secret.objects.filter(name="open.refresh").exists()


def test_a_sign_in_made_again_while_a_renewal_is_on_its_way_stays(town: Town) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    desk, fresh = town.desk, []

    def meanwhile(wanted: Wanted) -> Reply:
        reply = desk.fetch(wanted)
        town.sign_in(again="open")
        fresh.append(town.tokens("open"))
        return reply

    (one,) = due(town.clock.now)
    assert not renew(type(desk)(desk.providers, meanwhile, desk.check, desk.clock), one)
    assert town.tokens("open") == fresh[0]


def test_a_provider_that_is_gone_from_the_table_and_a_lost_refresh_token_are_told(town: Town) -> None:
    town.sign_in()
    town.clock.pass_s(LIFE_S)
    (one,) = due(town.clock.now)
    desk = town.desk
    assert not renew(type(desk)({}, desk.fetch, desk.check, desk.clock), one)
    assert "no provider open" in row().trouble
    Secret.objects.filter(name="open.refresh").delete()
    town.clock.pass_s(3601)
    assert renew_due(town.desk) == 0
    assert "no refresh token" in row().trouble


def test_a_sign_in_that_is_ended_takes_its_tokens_with_it(town: Town) -> None:
    town.sign_in()
    do_end_sign_in(actor=town.cora, name="open")
    assert not SignIn.objects.exists()
    assert not Secret.objects.exists()
    assert Endpoint.objects.filter(name="open").exists()
    assert Change.objects.filter(thing="sign-in", name="open").count() == 2


@pytest.mark.parametrize(
    ("refreshes", "trouble", "left", "ended"),
    [
        (True, "", -1, False),  # it will be renewed in a moment
        (True, "refused", -1, True),
        (True, "refused", 1, False),
        (False, "", -1, True),
        (False, "", 1, False),
        (False, "", None, False),
    ],
)
def test_a_token_that_ended_and_that_nobody_renews_is_of_no_use(
    town: Town, monkeypatch: pytest.MonkeyPatch, refreshes: bool, trouble: str, left: int | None, ended: bool
) -> None:
    town.sign_in()
    end = None if left is None else town.clock.now + timedelta(seconds=left)
    SignIn.objects.update(refreshes=refreshes, trouble=trouble, expires_at=end)
    assert ended_sign_ins(town.clock.now) == ({"open"} if ended else set())
    monkeypatch.setenv("BENCHWARMERS_KEY_OPEN", "from-outside")
    assert ended_sign_ins(town.clock.now) == set()
