"""What is kept of evidence as it comes must be what is made of it all at once, on any database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.actions.changed import do_count_evidence_again, do_set_evidence_aside
from collections_app.actions.setting import do_save_settings
from collections_app.actions.verdict import do_verdict, do_withdraw_verdict
from collections_app.decay import Lately
from collections_app.models import Evidence, Standing
from collections_app.standings_store import COUNTS, rebuild_standings
from gateway.engine.batch import write_records
from gateway.tests.engine.written import AT, Rows, work

LATEST = AT + timedelta(days=400)


def judge(
    call: str,
    useful: bool = True,
    who: str = "alice",
    days: float = 1,
    real: Sequence[str] = (),
    false: Sequence[str] = (),
) -> None:
    do_verdict(
        actor=None,
        judge_name=who,
        call=call,
        useful=useful,
        real=real,
        false=false,
        blank_keeps=True,
        now=AT + timedelta(days=days),
    )


def kept(half_life_days: float = 60) -> dict[tuple[object, ...], list[object]]:
    """Every standing, the decayed sums as they will be at one late time."""
    found: dict[tuple[object, ...], list[object]] = {}
    for row in Standing.objects.all():
        late = Lately(row.lately_useful, row.lately_judged, row.lately_at).told_at(LATEST, half_life_days)
        # Enlarged, so that a thousand-millionth is measured of what they were and not of what is left.
        sums = [late.useful * 100, late.judged * 100]
        numbers = [getattr(row, name) for name in COUNTS]
        found[row.language_model_id, row.collection_name, row.shape] = [*numbers, *sums, row.last_work_at]
    return found


def alike(one: dict[tuple[object, ...], list[object]], other: dict[tuple[object, ...], list[object]]) -> None:
    assert one.keys() == other.keys()
    for key, numbers in one.items():
        assert numbers[:-1] == pytest.approx(other[key][:-1], rel=1e-9, abs=1e-9), key
        assert numbers[-1] == other[key][-1], key


def what_was_kept_is_what_is_made_anew(rows: Rows) -> None:
    rng = Random(5)
    calls: list[str] = []
    for number in range(60):
        shape, collection = rng.choice(["code", "prose", ""]), rng.choice(["core", "other", ""])
        kind = rng.choice(["seat", "seat", "merger", "route"])
        at = AT + timedelta(days=number, microseconds=rng.choice([0, 1, 999_999]))
        made = work(rows, rng.randint(1, 3), f"p{number}", shape=shape, collection_name=collection, kind=kind, at=at)
        write_records([made])
        calls.append(made.call)
    for number in range(150):
        call, who, days = rng.choice(calls), rng.choice(["alice", "bob", "carol"]), 60 + number * 1.7
        if rng.random() < 0.2 and Evidence.objects.filter(call=call, current=True, judges=1).exists():
            do_withdraw_verdict(actor=None, judge_name=who, call=call, now=AT + timedelta(days=days))
            continue
        real, false = [f"claim {n}" for n in range(rng.randint(0, 3))], [f"slip {rng.randint(0, 2)}"]
        judge(call, rng.random() < 0.6, who, days, real, false)
    incremental = kept()
    whole = [numbers for key, numbers in incremental.items() if key[1:] == ("", "")]
    assert sum(numbers[1] for numbers in whole) > 30  # type: ignore[misc]
    assert rebuild_standings() == 3
    alike(kept(), incremental)
    call_command("rebuild_standings", verbosity=0)
    alike(kept(), incremental)


def a_verdict_takes_the_same_statements_however_much_there_is(rows: Rows) -> None:
    write_records([work(rows, 1, f"p{number}") for number in range(40)])
    for number in range(30):
        judge(f"p{number}.member1")
    with CaptureQueriesContext(connection) as many:
        judge("p39.member1")
    standings = [one["sql"] for one in many if "collections_app_standing" in one["sql"]]
    assert len(standings) == 2, standings


def missing_standings_are_no_obstacle(rows: Rows) -> None:
    write_records([work(rows, 1)])
    Standing.objects.all().delete()
    judge("p1.member1", real=["a"])
    incremental = kept()
    rebuild_standings()
    alike(kept(), incremental)
    assert len(incremental) == 4


def another_half_life_makes_them_anew(rows: Rows) -> None:
    write_records([work(rows, 1), work(rows, 1, "p2")])
    judge("p1.member1", True, days=0)
    judge("p2.member1", False, days=20)
    row = Standing.objects.get(collection_name="", shape="")
    assert (row.lately_useful, row.lately_judged) == pytest.approx((0.5 ** (1 / 3), 1 + 0.5 ** (1 / 3)))
    do_save_settings(actor=None, half_life_days=10)
    row = Standing.objects.get(collection_name="", shape="")
    assert (row.lately_useful, row.lately_judged) == pytest.approx((0.25, 1.25))
    judge("p1.member1", True, days=30, real=["a"])
    incremental = kept(10)
    rebuild_standings()
    alike(kept(10), incremental)


def what_was_set_aside_counts_no_more_in_either_way(rows: Rows) -> None:
    for number in range(6):
        write_records([work(rows, 1 + number % 2, f"p{number}", at=AT + timedelta(days=number), shape="code")])
    judge("p0.member1", True, days=10, false=["a"])
    judge("p1.member2", False, days=10)
    judge("p2.member1", True, days=11)
    judge("p4.member1", False, days=12)
    before = kept()
    do_set_evidence_aside(actor=None, alias="m1", since=AT + timedelta(days=3))
    one = Standing.objects.get(language_model=rows.models[0], collection_name="", shape="")
    assert (one.offloads, one.judged, one.useful, one.panels_not_useful, one.false_claims) == (1, 1, 0.0, 1, 0)
    assert one.last_work_at == AT + timedelta(days=12)
    other = {key: numbers for key, numbers in before.items() if key[0] == rows.models[1].pk}
    alike({key: numbers for key, numbers in kept().items() if key[0] == rows.models[1].pk}, other)
    judge("p2.member1", False, "bob", days=20)  # late, on what the model before has done
    judge("p4.member1", True, "bob", days=21)
    write_records([work(rows, 1, "p9", at=AT + timedelta(days=22), shape="code")])
    judge("p9.member1", True, days=23)
    incremental = kept()
    one.refresh_from_db()
    assert (one.offloads, one.judged, one.useful) == (2, 2, 1.5)
    rebuild_standings()
    alike(kept(), incremental)
    do_count_evidence_again(actor=None, alias="m1")
    one = Standing.objects.get(language_model=rows.models[0], collection_name="", shape="")
    assert (one.offloads, one.judged, one.useful, one.false_claims) == (4, 4, 3.0, 1)


CHECKS: list[Callable[[Rows], None]] = [
    what_was_kept_is_what_is_made_anew,
    a_verdict_takes_the_same_statements_however_much_there_is,
    missing_standings_are_no_obstacle,
    another_half_life_makes_them_anew,
    what_was_set_aside_counts_no_more_in_either_way,
]
