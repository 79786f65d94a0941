"""Claims that people settle, split and judge; what that writes into their verdicts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from collections_app.actions.claim import (
    do_forget_claim,
    do_judge_claim,
    do_settle_claim,
    do_split_claim,
    load_settled,
)
from collections_app.actions.verdict import do_verdict
from collections_app.claim_map import Claim, Wording, map_claims
from collections_app.models import Change, ClaimGroup, ClaimSeat, Evidence, Verdict
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World

T0 = datetime(2026, 11, 29, 12, tzinfo=UTC)
A, B, C = "p1.member1", "p1.member2", "p1.explorer"
LOCK = "The lock is released before the write"
LOCK_TOO = "The lock gets released before the write happens"


@pytest.fixture
def panel(world: World) -> World:
    """Three seats that finished."""
    for call, alias in ((A, "fast"), (B, "slow"), (C, "coder")):
        Evidence.objects.create(language_model=world.model(alias), kind="seat", call=call, status="ok", at=T0)
    return world


def both() -> Claim:
    """The claim that two seats made, as the map suggests it."""
    return map_claims(load_settled("p1"), [Wording(A, LOCK), Wording(B, LOCK_TOO)], [])[0]


def judge(world: World, claim: Claim, holds: bool | None, who: str = "alice") -> ClaimGroup:
    actor = getattr(world, who)
    return do_judge_claim(actor=actor, judge_name=who, panel="p1", claim=claim, holds=holds, now=T0)


def said(call: str, who: str = "alice") -> tuple[Any, ...] | None:
    row = Verdict.objects.filter(call=call, judge_name=who).first()
    return (row.useful, row.note, row.real, row.false) if row else None


def test_one_judgement_writes_the_claim_into_the_verdicts_on_all_its_seats(panel: World) -> None:
    judge(panel, both(), True)
    assert said(A) == (True, "", [LOCK], [])
    assert said(B) == (True, "", [LOCK_TOO], [])
    assert said(C) is None
    assert set(ClaimSeat.objects.values_list("call", "text")) == {(A, LOCK), (B, LOCK_TOO)}
    assert both().settled
    now = Evidence.objects.get(call=B, current=True)
    assert (now.useful, now.real_claims) == (1.0, 1)


def test_a_false_claim_makes_a_seat_that_was_not_judged_not_useful_and_leaves_one_that_was(panel: World) -> None:
    do_verdict(actor=panel.alice, judge_name="alice", call=A, useful=True, note="mostly", blank_keeps=True, now=T0)
    judge(panel, both(), False)
    assert said(A) == (True, "mostly", [], [LOCK])
    assert said(B) == (False, "", [], [LOCK_TOO])


def test_a_claim_can_be_turned_round_and_taken_back(panel: World) -> None:
    judge(panel, both(), True)
    judge(panel, both(), False)
    assert said(A) == (True, "", [], [LOCK])
    judge(panel, both(), None)
    assert said(A) == (True, "", [], [])
    judge(panel, both(), None, "bob")
    assert said(A, "bob") is None


def test_the_same_judgement_twice_writes_once(panel: World) -> None:
    judge(panel, both(), True)
    rows, changes = Evidence.objects.count(), Change.objects.count()
    judge(panel, both(), True)
    assert (Evidence.objects.count(), Change.objects.count()) == (rows, changes)


def test_two_people_judge_for_themselves(panel: World) -> None:
    judge(panel, both(), True)
    judge(panel, both(), False, "bob")
    assert said(A)[2] == [LOCK]  # type: ignore[index]
    assert said(A, "bob")[3] == [LOCK]  # type: ignore[index]
    assert Evidence.objects.get(call=A, current=True).useful == 0.5


def test_a_full_verdict_is_refused_and_nothing_of_it_is_written(panel: World) -> None:
    full = [f"claim {number}" for number in range(20)]
    do_verdict(actor=panel.alice, judge_name="alice", call=B, useful=True, real=full, blank_keeps=True, now=T0)
    with pytest.raises(Refused, match="20 such claims"):
        judge(panel, both(), True)
    assert said(A) is None
    assert not ClaimGroup.objects.exists()


def test_a_seat_without_evidence_is_named(panel: World) -> None:
    with pytest.raises(NotThere, match="member9"):
        judge(panel, Claim(None, LOCK, (Wording("p1.member9", LOCK),)), True)


def test_a_split_settles_both_sides(panel: World) -> None:
    do_split_claim(actor=panel.alice, by="alice", panel="p1", claim=both(), call=B, now=T0)
    claims = map_claims(load_settled("p1"), [Wording(A, LOCK), Wording(B, LOCK_TOO)], [])
    assert [(claim.calls, claim.settled) for claim in claims] == [([A], True), ([B], True)]
    with pytest.raises(Refused):
        do_split_claim(actor=panel.alice, by="alice", panel="p1", claim=claims[0], call=A, now=T0)


def test_claims_that_do_not_look_alike_can_be_put_together_and_forgotten(panel: World) -> None:
    do_split_claim(actor=panel.alice, by="alice", panel="p1", claim=both(), call=B, now=T0)
    claims = map_claims(load_settled("p1"), [], [])
    group = do_settle_claim(actor=panel.alice, by="alice", panel="p1", claims=claims, now=T0)
    assert [row.pk for row in ClaimGroup.objects.all()] == [group.pk]
    assert (both().settled, both().text) == (True, LOCK)
    do_forget_claim(actor=panel.alice, by="alice", panel="p1", group=group.pk)
    assert not both().settled
    with pytest.raises(NotThere):
        do_forget_claim(actor=panel.alice, by="alice", panel="p1", group=group.pk)


def test_who_may_not_judge_may_not_settle_either(panel: World) -> None:
    with pytest.raises(NotAllowed):
        judge(panel, both(), True, "charlie")
    with pytest.raises(NotAllowed):
        do_settle_claim(actor=panel.charlie, by="charlie", panel="p1", claims=[both()], now=T0)
    with pytest.raises(NotAllowed):
        do_split_claim(actor=panel.charlie, by="charlie", panel="p1", claim=both(), call=B, now=T0)
    with pytest.raises(NotAllowed):
        do_forget_claim(actor=panel.charlie, by="charlie", panel="p1", group=1)
    with pytest.raises(Refused):
        do_settle_claim(actor=panel.alice, by="alice", panel="p1", claims=[], now=T0)
    assert not ClaimGroup.objects.exists()
