"""Models that nobody chooses any more: those about to be retired, and those that cost money since some day."""

from __future__ import annotations

from random import Random

import pytest

from gateway.canon.fault import FailureClass, NotSent
from gateway.canon.kinds import Shape
from gateway.engine.explorers import Field, choose_explorers
from gateway.engine.merge_plan import skipped_merger
from gateway.engine.moment import Moment
from gateway.engine.route_plan import plan_route
from gateway.engine.upstreams import upstream_of
from gateway.tests.engine.world import NOW, ask, collection, model, plan, sitting, skips, snapshot

PAID = model("paid", paid_since="2026-11-20")
LEAVING = model("leaving", retiring=True)
A, B = model("a"), model("b")
WHY = "costs money since 2026-11-20; allow it on its page to call it"


def test_a_guarded_model_is_not_called_whoever_asks() -> None:
    with pytest.raises(NotSent, match=f"not sent: paid {WHY}") as caught:
        upstream_of(PAID, "key")
    assert caught.value.failure is FailureClass.ENTITLEMENT
    assert not caught.value.retryable


def test_a_guarded_member_is_skipped_with_the_reason_and_its_chair_goes_on() -> None:
    planned = plan(ask(), collection("paid", "a", max_explorers=0), snapshot(PAID, A))
    assert sitting(planned) == ["a"]
    assert skips(planned)["paid"] == ("member", WHY)


def test_a_member_about_to_be_retired_sits_on() -> None:
    assert sitting(plan(ask(), collection("leaving", max_explorers=0), snapshot(LEAVING))) == ["leaving"]


def test_neither_explores() -> None:
    field = Field({one.alias: one for one in (PAID, LEAVING, A)}, Shape.GENERAL, (), {}, {}, NOW)
    assert [pick.alias for pick in choose_explorers(field, (), 3, Random(1))[0]] == ["a"]


def test_a_caller_may_name_the_one_and_not_the_other() -> None:
    field = Field({one.alias: one for one in (PAID, LEAVING)}, Shape.GENERAL, (), {}, {}, NOW)
    picks, skipped = choose_explorers(field, ("paid", "leaving"), 2, Random(1))
    assert [pick.alias for pick in picks] == ["leaving"]
    assert [(skip.alias, skip.why) for skip in skipped] == [("paid", WHY)]


def test_in_route_mode_the_one_comes_last_and_the_other_not_at_all() -> None:
    known = snapshot(LEAVING, PAID, A, B, useful={"leaving": 9.0})
    planned = plan_route(ask(), collection("leaving", "paid", "a", "b"), known, Moment(NOW, {}, {}), Random(2))
    assert set(planned.eligible) == {"leaving", "a", "b"}
    assert planned.eligible[-1] == "leaving"
    assert [(one.alias, one.why) for one in planned.passed] == [("paid", WHY)]


def test_a_guarded_merger_is_skipped() -> None:
    skipped = skipped_merger(collection("a", "paid", merger="paid"), snapshot(A, PAID))
    assert skipped is not None
    assert skipped.why.startswith(WHY)
