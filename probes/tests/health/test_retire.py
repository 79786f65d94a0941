"""Which evidence retires a model: a table of days, with today as day 0."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from probes.health.retire import Attempt, Case, Decision, Fate, after_confirming, decide

TODAY = date(2026, 3, 20)


def day(ago: int, hour: int = 5) -> datetime:
    return datetime(2026, 3, 20, hour, tzinfo=UTC) - timedelta(days=ago)


def failed(failure: str, *ago: int, counts: bool = True) -> tuple[Attempt, ...]:
    return tuple(Attempt(day(days), failure, counts, "its words") for days in ago)


def case(alias: str = "m", connection: str = "north", **known: Any) -> Case:
    return Case(alias, connection, **known)


def fate(*cases: Case) -> list[tuple[str, int | None]]:
    decided = decide(cases, TODAY, UTC)
    return [(str(decided[one.alias].fate), decided[one.alias].days) for one in cases]


@pytest.mark.parametrize(
    ("known", "fate_of_it", "days"),
    [
        # What nobody understands, on three days.
        ({"attempts": failed("other", 2, 1, 0)}, "retire", None),
        ({"attempts": failed("other", 1, 0)}, "counting", 1),
        ({"attempts": failed("other", 0)}, "counting", 2),
        ({"attempts": failed("other", 0, 0, 0)}, "counting", 2),
        # Gone, by its provider's word: one more call decides.
        ({"attempts": failed("paywalled", 0)}, "confirm", None),
        ({"attempts": failed("structural", 1)}, "confirm", None),
        ({"attempts": failed("entitlement", 0)}, "confirm", None),
        ({"attempts": failed("structural", 2)}, "counting", 7),
        ({"attempts": (*failed("structural", 1), *failed("capacity", 0))}, "counting", 6),
        # Busy and silent retire nothing within a week, and nothing counts down for one bad day.
        ({"attempts": failed("capacity", 0)}, "stays", None),
        ({"attempts": failed("timeout", 3)}, "stays", None),
        ({"attempts": (*failed("timeout", 2), *failed("capacity", 0))}, "counting", 5),
        ({"attempts": failed("capacity", 8, 5, 0)}, "retire", None),
        ({"attempts": failed("capacity", 7, 4, 0)}, "retire", None),
        ({"attempts": failed("capacity", 6, 5, 4, 3, 2, 1, 0)}, "counting", 1),
        ({"attempts": failed("capacity", 9, 0)}, "counting", 1),
        ({"attempts": failed("empty", 8, 4, 0)}, "retire", None),
        # No longer listed.
        ({"missing_at": day(3)}, "retire", None),
        ({"missing_at": day(2)}, "counting", 1),
        ({"missing_at": day(0)}, "counting", 3),
        ({"missing_at": day(1), "attempts": failed("timeout", 0)}, "counting", 2),
        ({"missing_at": day(4), "restored_at": day(1)}, "counting", 2),
        ({"missing_at": day(9), "answered_at": day(0)}, "stays", None),
        ({"missing_at": day(9), "answered_at": day(1)}, "counting", 2),
        ({"missing_at": day(9), "answered_at": day(3)}, "retire", None),
        ({"missing_at": day(0), "answered_at": day(0, hour=1)}, "counting", 3),
        ({"missing_at": day(4), "renamed_to": "lab.m"}, "renamed", None),
        # What says nothing of the model.
        ({"attempts": failed("capacity", 9, 5, 0, counts=False)}, "stays", None),
        ({"attempts": failed("entitlement", 0, counts=False)}, "stays", None),
        ({"attempts": failed("signin", 9, 8, 7, 1, 0)}, "stays", None),
        ({"attempts": failed("structural", 0), "guarded": True}, "stays", None),
        ({"missing_at": day(3), "guarded": True}, "retire", None),
        ({}, "stays", None),
        # An answer and a restore begin a new count.
        ({"attempts": failed("other", 2, 1, 0), "answered_at": day(1)}, "counting", 2),
        ({"attempts": (*failed("other", 4, 3, 2), Attempt(day(1)), *failed("other", 0))}, "counting", 2),
        ({"attempts": failed("other", 3, 2, 1), "restored_at": day(2)}, "counting", 2),
        ({"attempts": failed("paywalled", 0), "answered_at": day(0, hour=1)}, "stays", None),
        ({"attempts": failed("structural", 1), "restored_at": day(1, hour=1)}, "stays", None),
    ],
)
def test_the_evidence_of_one_model_decides(known: dict[str, Any], fate_of_it: str, days: int | None) -> None:
    assert fate(case(**known)) == [(fate_of_it, days)]


def test_a_model_that_declines_is_not_retired_however_often_it_does() -> None:
    declined = tuple(Attempt(day(ago)) for ago in range(9, -1, -1))
    assert fate(case(attempts=declined)) == [("stays", None)]


GONE = failed("entitlement", 0)


@pytest.mark.parametrize(
    ("cases", "fates"),
    [
        # All of a connection are down: an outage.
        ([case("a", attempts=GONE), case("b", attempts=GONE)], ["held", "held"]),
        ([case("a", attempts=GONE), case("b", attempts=failed("timeout", 0))], ["held", "stays"]),
        ([case("a", attempts=GONE), case("b", missing_at=day(1))], ["held", "counting"]),
        ([case("a", attempts=failed("other", 2, 1, 0)), case("b", attempts=failed("signin", 0))], ["held", "stays"]),
        # One of them answers, by a probe or at work: no outage.
        ([case("a", attempts=GONE), case("b", attempts=(Attempt(day(0)),))], ["confirm", "stays"]),
        (
            [case("a", attempts=GONE), case("b", attempts=failed("timeout", 0), answered_at=day(0, hour=6))],
            ["confirm", "stays"],
        ),
        # Nothing is known of the other, or it is not asked: no group.
        ([case("a", attempts=GONE), case("b")], ["confirm", "stays"]),
        ([case("a", attempts=GONE), case("b", attempts=GONE, guarded=True)], ["confirm", "stays"]),
        ([case("a", attempts=GONE), case("b", "south", attempts=GONE)], ["confirm", "confirm"]),
        # What stands behind a hub and says nothing of where is no group.
        ([case("a", "?", attempts=GONE), case("b", "?", attempts=GONE)], ["confirm", "confirm"]),
        ([case("a", "?", missing_at=day(4)), case("b", "?", missing_at=day(4))], ["retire", "retire"]),
        # Providers retire in batches: what is missing for long is not held.
        ([case("a", missing_at=day(3)), case("b", missing_at=day(3))], ["retire", "retire"]),
        ([case("a", missing_at=day(3)), case("b", attempts=GONE)], ["retire", "held"]),
    ],
)
def test_a_connection_that_is_down_is_held(cases: list[Case], fates: list[str]) -> None:
    assert [found for found, _ in fate(*cases)] == fates


def test_days_are_those_of_the_servers_time_zone() -> None:
    late = datetime(2026, 3, 19, 23, 30, tzinfo=UTC)
    attempts = (*failed("other", 3, 2), Attempt(late, "other"))
    known = case(attempts=attempts, restored_at=datetime(2026, 3, 19, 1, tzinfo=UTC))
    assert decide([known], TODAY, UTC)["m"].fate is Fate.STAYS
    assert decide([known], TODAY, ZoneInfo("Europe/Berlin"))["m"] == Decision(Fate.COUNTING, "other on 2026-03-20", 2)


def test_reasons_name_the_days_and_the_providers_words() -> None:
    gone = decide([case(attempts=failed("paywalled", 0))], TODAY, UTC)["m"]
    assert gone.why == "paywalled on 2026-03-20 (its words)"
    missing = decide([case(missing_at=day(0))], TODAY, UTC)["m"]
    assert missing.why == "not listed since 2026-03-20, for the first day: it may be a blip"
    assert decide([case(missing_at=day(3))], TODAY, UTC)["m"].why == "not listed since 2026-03-17"
    silent = decide([case(missing_at=day(9), answered_at=day(1))], TODAY, UTC)["m"]
    assert silent.why == "not listed since 2026-03-11, no answer since 2026-03-19"
    renamed = decide([case(missing_at=day(3), renamed_to="lab.m")], TODAY, UTC)["m"]
    assert renamed.why == "is listed as lab.m by now: point it there"


@pytest.mark.parametrize(
    ("attempt", "fate_of_it", "days", "why"),
    [
        (
            Attempt(day(0), "structural", True, "no such model"),
            "retire",
            None,
            "structural again on 2026-03-20 (no such model)",
        ),
        (Attempt(day(0), "entitlement"), "retire", None, "entitlement again on 2026-03-20"),
        (Attempt(day(0), "capacity"), "counting", 1, "paywalled yesterday; asked again on 2026-03-20: capacity"),
        (
            Attempt(day(0), "entitlement", False),
            "counting",
            1,
            "paywalled yesterday; asked again on 2026-03-20: entitlement",
        ),
        (Attempt(day(0), "signin"), "counting", 1, "paywalled yesterday; asked again on 2026-03-20: signin"),
        (Attempt(day(0)), "stays", None, ""),
    ],
)
def test_one_fresh_call_decides_on_what_is_to_be_confirmed(
    attempt: Attempt, fate_of_it: str, days: int | None, why: str
) -> None:
    before = Decision(Fate.CONFIRM, "paywalled yesterday")
    assert after_confirming(before, attempt, TODAY) == Decision(Fate(fate_of_it), why, days)
