"""Who asks when a person asks from the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory
from msgspec.structs import replace

from benchwarmers.ask.access import Asker, bench_of, load_asker
from collections_app.models import Collection, Team
from gateway.canon.fault import BadRequest, Fault, Forbidden, Unauthenticated, Unavailable
from gateway.engine.snapshot import Budget, KeyView, Snapshot

NOW = 1_800_000_000.0
BUDGETS = (Budget("requests", "day", 3),)
MINE = KeyView(id=7, name="mine", digest="d", owner_id=1, owner_name="ben", rpm=5, budgets=BUDGETS)


def known(**changes: Any) -> Snapshot:
    return Snapshot(keys={"d": replace(MINE, **changes)})


def test_a_person_without_a_key_asks_as_themselves() -> None:
    caller = Asker(1, "ben", None, frozenset({"den"})).identify(Snapshot(), NOW)
    assert (caller.owner_id, caller.key_id, caller.budgets, caller.rpm) == (1, None, (), None)
    assert caller.may_call("core")
    assert not caller.may_call("den")


def test_a_key_that_is_drawn_on_brings_its_limits_and_its_reach() -> None:
    caller = Asker(1, "ben", 7).identify(known(scope=frozenset({"core"})), NOW)
    assert (caller.owner_id, caller.key_id, caller.budgets, caller.rpm) == (1, 7, BUDGETS, 5)
    assert caller.may_call("core")
    assert not caller.may_call("other")


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"owner_id": 2}, BadRequest),
        ({"id": 8}, BadRequest),
        ({"expires_at": NOW - 1}, Unauthenticated),
        ({"may_ask": False}, Forbidden),
    ],
)
def test_a_key_that_is_not_ones_own_or_over_is_refused(changes: dict[str, Any], refusal: type[Fault]) -> None:
    with pytest.raises(refusal):
        Asker(1, "ben", 7).identify(known(**changes), NOW)


@pytest.mark.usefixtures("people")
def test_what_belongs_to_another_team_is_withheld_from_those_who_do_not_see_it() -> None:
    team = Team.objects.create(name="red")
    Collection.objects.filter(name="quick").update(team=team)
    ben, maya = User.objects.get(username="ben"), User.objects.get(username="maya")
    assert load_asker(ben).withheld == {"quick"}
    assert load_asker(maya).withheld == set()
    team.members.add(ben)
    assert load_asker(ben).withheld == set()


def test_pages_without_an_engine_say_so() -> None:
    with pytest.raises(Unavailable):
        bench_of(RequestFactory().get("/ask/"))
