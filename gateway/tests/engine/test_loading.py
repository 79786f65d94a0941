"""What a snapshot reads beside models and keys, and at what cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collections_app.actions.alias import do_save_alias
from collections_app.actions.collection import do_save_collection
from collections_app.actions.verdict import do_verdict
from collections_app.models import Evidence, GatewayKey, KeyBudget, LanguageModel, Standing, Team, Verdict
from collections_app.standings_store import rebuild_standings
from collections_app.tests.world import World, make_world
from gateway.engine.loading import load_snapshot
from gateway.engine.snapshot import Budget, Votes

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


def judge(world: World, alias: str, call: str, *votes: bool) -> None:
    Evidence.objects.create(language_model=world.model(alias), kind="seat", call=call, at=NOW)
    for number, useful in enumerate(votes):
        do_verdict(actor=None, judge_name=f"judge{number}", call=call, useful=useful, blank_keeps=True, now=NOW)


def test_verdicts_are_summed_over_all_work_and_judges(world: World) -> None:
    judge(world, "fast", "p1.member1", True)
    judge(world, "fast", "p2.member1", True, False)
    judge(world, "fast", "p3.member1", False, False)
    judge(world, "slow", "p1.member2", False)
    judge(world, "home", "p1.member3")
    rebuild_standings()
    known = load_snapshot()
    assert known.useful == {"fast": 1.5, "slow": 0.0}
    assert known.not_useful == {"fast": 1.5, "slow": 1.0}
    assert set(known.last_work) == {"fast", "slow", "home"}


def test_aliases_are_full_names(world: World) -> None:
    do_save_alias(actor=None, name="gpt-oss:20b", target="pair")
    assert load_snapshot().aliases == {"gpt-5.5": "bench/core:route", "gpt-oss:20b": "bench/pair"}


def test_a_collection_says_who_answers_in_the_shadow(world: World) -> None:
    do_save_collection(
        actor=None, name="core", members=["fast"], shadow={"share": 1, "who": "explorers", "daily": 3}, ranking="bayes"
    )
    core, pair = load_snapshot().collections["core"], load_snapshot().collections["pair"]
    assert (core.shadow_share, core.shadow_who, core.shadow_daily, core.ranking) == (1.0, "explorers", 3, "bayes")
    assert (pair.shadow_share, pair.shadow_who, pair.shadow_daily) == (0.0, "members", 100)


def test_reading_costs_the_same_however_much_there_is(world: World) -> None:
    judge(world, "fast", "p0.member1", True)
    with CaptureQueriesContext(connection) as small:
        load_snapshot()
    for number in range(1, 20):
        judge(world, "fast", f"p{number}.member1", True)
        judge(world, "slow", f"p{number}.member2", False)
        do_save_alias(actor=None, name=f"name-{number}", target="core")
        do_save_collection(actor=None, name=f"more-{number}", members=["fast", "slow"])
    with CaptureQueriesContext(connection) as large:
        load_snapshot()
    assert len(large) == len(small) <= 15
    for table in (Evidence, Verdict):
        assert not [query["sql"] for query in large if f'"{table._meta.db_table}"' in query["sql"]]


def test_a_key_brings_its_limits_and_a_rotated_one_both_of_its_digests(world: World) -> None:
    team = Team.objects.create(name="ants")
    fresh = GatewayKey.objects.create(owner=world.alice, name="fresh", digest="a" * 64, rpm=5, tpm=900, team=team)
    KeyBudget.objects.create(key=fresh, unit="money", period="month", amount=5_000_000_000)
    KeyBudget.objects.create(key=fresh, unit="requests", period="day", amount=100)
    rotated = GatewayKey.objects.create(
        owner=world.bob, name="rotated", digest="b" * 64, previous_digest="c" * 64, previous_until=NOW
    )
    closed = {"revoked": {"revoked_at": NOW}, "bobs": {}}
    for number, (name, facts) in enumerate(closed.items()):
        owner = world.alice if facts else User.objects.create_user("gone", is_active=False)
        GatewayKey.objects.create(
            owner=owner, name=name, digest=str(number) * 64, previous_digest=str(number + 5) * 64, **facts
        )
    keys = load_snapshot().keys
    assert set(keys) == {"a" * 64, "b" * 64, "c" * 64}
    view = keys["a" * 64]
    assert (view.id, view.rpm, view.tpm, view.team_id) == (fresh.pk, 5, 900, team.pk)
    assert view.budgets == (Budget("money", "month", 5_000_000_000), Budget("requests", "day", 100))
    assert keys["b" * 64] is keys["c" * 64]
    assert (keys["b" * 64].id, keys["b" * 64].previous_until) == (rotated.pk, NOW.timestamp())


def test_verdicts_are_told_by_shape_and_as_they_have_decayed(world: World) -> None:
    now = timezone.now()
    facts: dict[str, Any] = {"judged": 4, "lately_judged": 3.0, "lately_at": now - timedelta(days=60)}
    Standing.objects.create(language_model=world.model("fast"), useful=3, lately_useful=2.0, **facts)
    Standing.objects.create(language_model=world.model("fast"), shape="code", useful=2, lately_useful=1.0, **facts)
    Standing.objects.create(language_model=world.model("fast"), collection_name="core", useful=1, **facts)
    Standing.objects.create(language_model=world.model("slow"), offloads=2, last_work_at=NOW)
    known = load_snapshot()
    assert known.by_shape == {"code": {"fast": Votes(2.0, 2.0)}}
    late = {shape: (votes["fast"].useful, votes["fast"].not_useful) for shape, votes in known.lately.items()}
    assert late[""] == pytest.approx((1.0, 0.5), rel=1e-4)
    assert late["code"] == pytest.approx((0.5, 1.0), rel=1e-4)
    assert (known.useful, known.not_useful, known.last_work) == (
        {"fast": 3.0},
        {"fast": 1.0},
        {"slow": NOW.timestamp()},
    )


def test_what_is_about_to_be_retired_and_what_went_paid_is_known(world: World) -> None:
    LanguageModel.objects.filter(alias="fast").update(retire_in=3)
    LanguageModel.objects.filter(alias__in=("slow", "coder")).update(went_paid_at=NOW)
    LanguageModel.objects.filter(alias="coder").update(allow_paid=True)
    models = load_snapshot().models
    assert [alias for alias in sorted(models) if models[alias].retiring] == ["fast"]
    assert {alias: model.paid_since for alias, model in models.items() if model.guarded} == {"slow": "2026-11-29"}
