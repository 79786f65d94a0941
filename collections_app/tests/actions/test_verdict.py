"""Verdicts, the evidence they append and the standings that follow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from collections_app.actions.verdict import do_verdict, do_withdraw_verdict
from collections_app.models import Change, Evidence, Standing, Verdict
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World

T0 = datetime(2026, 11, 29, 12, tzinfo=UTC)
CALL = "p1.member"


@pytest.fixture
def judged(world: World) -> World:
    """One seat of `fast` waits for its verdict."""
    Evidence.objects.create(
        language_model=world.model("fast"),
        collection=world.collection("core"),
        collection_name="core",
        kind="seat",
        shape="review",
        call=CALL,
        task="look at this",
        status="ok",
        at=T0,
    )
    Standing.objects.create(language_model=world.model("fast"), last_work_at=T0, offloads=1)
    return world


def verdict(world: World, who: str = "alice", **values: Any) -> Verdict:
    person = getattr(world, who)
    given = {"useful": True, "blank_keeps": True, "now": T0 + timedelta(hours=1), **values}
    return do_verdict(actor=person, judge_name=who, call=CALL, **given)


def withdraw(world: World, who: str) -> bool:
    later = T0 + timedelta(hours=2)
    return do_withdraw_verdict(actor=getattr(world, who), judge_name=who, call=CALL, now=later)


def standing() -> tuple[int, int, float]:
    row = Standing.objects.get(collection_name="", shape="")
    return row.offloads, row.judged, row.useful


def test_a_verdict_appends_evidence_and_moves_the_standing(judged: World) -> None:
    verdict(judged, note="  good\n one ", real=["a bug in  line 3", ""])
    row = Verdict.objects.get()
    assert (row.useful, row.note, row.real, row.false) == (True, "good one", ["a bug in line 3"], [])
    old, new = Evidence.objects.order_by("id")
    assert (old.current, old.useful) == (False, None)
    assert (new.current, new.useful, new.judges, new.real_claims, new.false_claims) == (True, 1.0, 1, 1, 0)
    assert (new.task, new.collection_name, new.shape, new.at) == (
        "look at this",
        "core",
        "review",
        T0 + timedelta(hours=1),
    )
    assert standing() == (1, 1, 1.0)


def test_the_evidence_is_the_mean_of_all_judges(judged: World) -> None:
    verdict(judged, "alice", useful=True, real=["Same claim"])
    verdict(judged, "bob", useful=False, real=["same claim"], false=["other"])
    now = Evidence.objects.get(current=True)
    assert (now.useful, now.judges, now.real_claims, now.false_claims) == (0.5, 2, 1, 1)
    assert standing() == (1, 1, 0.5)


def test_an_identical_verdict_writes_nothing(judged: World) -> None:
    verdict(judged, note="good", real=["a"])
    Change.objects.all().delete()
    verdict(judged, note="", real=[])
    assert Evidence.objects.count() == 2
    assert not Change.objects.exists()


def test_a_blank_keeps_over_the_api_and_clears_in_a_form(judged: World) -> None:
    verdict(judged, note="good", real=["a"], false=["b"])
    verdict(judged, useful=False)
    row = Verdict.objects.get()
    assert (row.useful, row.note, row.real, row.false) == (False, "good", ["a"], ["b"])
    verdict(judged, useful=False, blank_keeps=False)
    row = Verdict.objects.get()
    assert (row.note, row.real, row.false) == ("", [], [])
    assert standing() == (1, 1, 0.0)


def test_long_texts_are_cut(judged: World) -> None:
    verdict(judged, note="n" * 600, real=[f"{n} " + "c" * 500 for n in range(30)])
    row = Verdict.objects.get()
    assert (len(row.note), len(row.real), {len(claim) for claim in row.real}) == (500, 20, {400})


def test_a_withdrawn_verdict_leaves_the_call_as_the_others_see_it(judged: World) -> None:
    verdict(judged, "alice", useful=True)
    verdict(judged, "bob", useful=False)
    assert withdraw(judged, "bob")
    assert Evidence.objects.get(current=True).useful == 1.0
    assert withdraw(judged, "alice")
    last = Evidence.objects.get(current=True)
    assert (last.useful, last.judges) == (None, 0)
    assert standing() == (1, 0, 0.0)


def test_a_second_withdrawal_writes_nothing(judged: World) -> None:
    verdict(judged, "alice")
    withdraw(judged, "alice")
    rows, changes = Evidence.objects.count(), Change.objects.count()
    assert not withdraw(judged, "alice")
    assert not withdraw(judged, "bob")
    assert (Evidence.objects.count(), Change.objects.count()) == (rows, changes)
    with pytest.raises(NotThere):
        do_withdraw_verdict(actor=judged.alice, judge_name="alice", call="p9.member", now=T0)
    with pytest.raises(NotAllowed):
        withdraw(judged, "charlie")


def test_a_verdict_stays_with_the_person_whatever_they_are_called(judged: World) -> None:
    verdict(judged, "alice", useful=True)
    do_verdict(actor=None, judge_name="alice", call=CALL, useful=False, blank_keeps=True, now=T0)
    assert Evidence.objects.get(current=True).judges == 2
    judged.alice.username = "alicia"
    judged.alice.save()
    do_verdict(actor=judged.alice, judge_name="alicia", call=CALL, useful=False, blank_keeps=True, now=T0)
    assert Verdict.objects.get(judge=judged.alice).useful is False
    assert Evidence.objects.get(current=True).judges == 2


def test_a_claim_is_not_both_true_and_false(judged: World) -> None:
    with pytest.raises(Refused, match="“it leaks” cannot both hold and be false"):
        verdict(judged, real=["it  leaks"], false=["it leaks "])
    verdict(judged, real=["it leaks", "it is slow"])
    verdict(judged, false=["it leaks"])
    row = Verdict.objects.get()
    assert (row.real, row.false) == (["it is slow"], ["it leaks"])


def test_control_characters_are_left_out(judged: World) -> None:
    verdict(judged, note="nul\x00", real=["bell\x07"])
    row = Verdict.objects.get()
    assert (row.note, row.real) == ("nul", ["bell"])


def test_an_unknown_call_is_named(judged: World) -> None:
    with pytest.raises(NotThere, match="p9"):
        do_verdict(actor=None, judge_name="local", call="p9.member", useful=True, blank_keeps=True, now=T0)
    with pytest.raises(NotThere):
        do_verdict(actor=None, judge_name="local", call="", useful=True, blank_keeps=True, now=T0)


@pytest.mark.parametrize("values", [{"useful": "yes"}, {"useful": 1}, {"real": "text"}, {"false": [1]}, {"note": 3}])
def test_values_of_the_wrong_kind_are_refused(judged: World, values: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        verdict(judged, **values)
    assert not Verdict.objects.exists()


def test_the_local_caller_judges_under_its_own_name_and_outsiders_do_not(judged: World) -> None:
    do_verdict(actor=None, judge_name="local", call=CALL, useful=True, blank_keeps=True, now=T0)
    assert Verdict.objects.get().judge is None
    assert Change.objects.filter(thing="verdict").get().actor_name == "local"
    with pytest.raises(NotAllowed):
        verdict(judged, "charlie")
