"""Verdicts of the model before are set aside, and counted again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.changed import RAISER, alert_key, do_count_evidence_again, do_set_evidence_aside
from collections_app.models import Alert, Change, Evidence, Standing
from collections_app.refusal import NotAllowed, Refused
from collections_app.standings_store import rebuild_standings
from collections_app.tests.world import World
from gateway.canon.kinds import AlertKind

T0 = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def judged(world: World) -> World:
    """`fast` and `slow` each have one useful answer of each of three days."""
    for alias in ("fast", "slow"):
        for day in range(3):
            at = T0 + timedelta(days=day)
            given = {"call": f"{alias}{day}", "kind": "seat", "shape": "code", "useful": 1.0, "judges": 1, "at": at}
            Evidence.objects.create(language_model=world.model(alias), **given)
    rebuild_standings()
    return world


def counted(alias: str) -> tuple[int, float]:
    row = Standing.objects.get(language_model__alias=alias, collection_name="", shape="")
    return row.judged, row.useful


def test_verdicts_from_before_a_time_are_set_aside_and_counted_again(judged: World, bumps: list[int]) -> None:
    row = do_set_evidence_aside(actor=judged.alice, alias="fast", since=T0 + timedelta(days=2))
    assert row.evidence_since == T0 + timedelta(days=2)
    assert (counted("fast"), counted("slow")) == ((1, 1.0), (3, 3.0))
    do_count_evidence_again(actor=judged.alice, alias="fast")
    assert (counted("fast"), counted("slow")) == ((3, 3.0), (3, 3.0))
    told = (
        Change.objects.filter(name="fast", field="evidence_since")
        .order_by("id")
        .values_list("actor_name", "old", "new")
    )
    since = "2026-12-01T12:00:00+00:00"
    assert list(told) == [("alice", None, since), ("alice", since, None)]


def test_counting_again_takes_the_alert_back_and_no_other(judged: World) -> None:
    model = judged.model("fast")
    for raiser in (RAISER, "served-check"):
        raise_alert(raiser, Raised(alert_key(model), AlertKind.CHANGED, "It is another.", alias="fast"), T0)
    do_set_evidence_aside(actor=None, alias="fast", since=T0, by=RAISER)
    do_count_evidence_again(actor=judged.alice, alias="fast")
    assert list(Alert.objects.values_list("raiser", flat=True)) == ["served-check"]


def test_the_same_again_leaves_no_line(judged: World) -> None:
    before = Change.objects.count()
    do_count_evidence_again(actor=judged.alice, alias="fast")
    do_set_evidence_aside(actor=None, alias="fast", since=T0, by=RAISER)
    do_set_evidence_aside(actor=None, alias="fast", since=T0, by=RAISER)
    assert Change.objects.count() == before + 1
    assert Change.objects.latest("id").actor_name == RAISER


def test_only_who_curates_may_and_only_models_that_there_are(judged: World) -> None:
    for person in (judged.bob, judged.charlie):
        with pytest.raises(NotAllowed):
            do_set_evidence_aside(actor=person, alias="fast", since=T0)
        with pytest.raises(NotAllowed):
            do_count_evidence_again(actor=person, alias="fast")
    with pytest.raises(Refused):
        do_count_evidence_again(actor=judged.alice, alias="nobody")
    assert judged.model("fast").evidence_since is None
