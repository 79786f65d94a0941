"""What scores amount to, by tables."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.metrics import Sheet, sheets
from suite.results import Result, counting
from suite.tests.made import hunt, result


def sheet(*results: Result) -> Sheet:
    (only,) = sheets(results)
    return only


def test_recall_counts_findings_of_answered_finding_tasks_alone() -> None:
    got = sheet(
        result("m", "a", found=3, of=4),
        result("m", "b", found=0, of=2),
        result("m", "c", outcome=AttemptOutcome.TIMEOUT, found=0, of=5),
        result("m", "d", shape=TaskShape.CLAIM),
        hunt("m", "e", "found"),
    )
    assert (got.recall.hits, got.recall.of) == (3, 6)
    assert (got.tasks, got.asked) == (4, 5)
    interval = got.recall.interval
    assert interval is not None
    assert interval.low < 0.5 < interval.high


def test_precision_is_what_holds_of_what_was_said() -> None:
    got = sheet(result("m", "a", found=3, of=4, invented=1), result("m", "b", found=1))
    assert got.precision.share == 0.8
    assert got.invention.share == 0.5


def test_hunts_are_counted_by_their_end_and_a_model_that_always_cries_fault_gains_nothing() -> None:
    honest = [hunt("honest", "b1", "found"), hunt("honest", "b2", "missed"), hunt("honest", "c1", "clean")]
    crier = [hunt("crier", "b1", "found"), hunt("crier", "b2", "found"), hunt("crier", "c1", "false alarm")]
    by_name = {one.model: one for one in sheets(honest + crier)}
    assert by_name["honest"].hunt.score == 0.5
    assert by_name["crier"].hunt.score == 0.0
    assert by_name["crier"].controls.share == 1.0
    assert sheet(result("m", "a")).hunt.score is None


def test_confidently_wrong_is_told_by_kind() -> None:
    got = sheet(
        hunt("m", "b1", "wrong line"),
        hunt("m", "b2", "missed"),
        hunt("m", "c1", "false alarm"),
        result("m", "d", shape=TaskShape.CLAIM, chance="false claim", wrong=True),
        result("m", "e", chance="trap", wrong=False),
        result("m", "f", shape=TaskShape.CLAIM),
    )
    assert {kind: (one.hits, one.of) for kind, one in got.wrong.items()} == {
        "control": (1, 1),
        "wrong line": (1, 2),
        "false claim": (1, 1),
        "trap": (0, 1),
    }
    assert (got.wrongs.hits, got.wrongs.of) == (3, 5)


def test_repetitions_are_averaged_and_their_spread_is_told() -> None:
    got = sheet(
        result("m", "a", found=1, of=2), result("m", "a", found=2, of=2, day=1), result("m", "b", found=0, of=2)
    )
    assert (got.recall.hits, got.recall.of) == (1.5, 4)
    assert got.spread == 1


def test_what_a_finding_costs_in_time_and_money() -> None:
    got = sheet(result("m", "a", found=2, of=2, cost=300, seconds=3), result("m", "b", found=1, cost=300, seconds=6))
    assert (got.cost_a_finding, got.seconds_a_finding, got.seconds) == (200, 3, 4.5)
    assert sheet(result("m", "a", cost=None)).cost_a_finding is None
    assert sheet(result("m", "a", found=0, cost=5)).cost_a_finding is None


def test_an_answer_without_a_time_says_nothing_of_speed() -> None:
    got = sheet(result("m", "a", seconds=3), result("m", "b", seconds=0))
    assert (got.seconds, got.seconds_a_finding) == (3, None)
    assert sheet(result("m", "a", seconds=0)).seconds is None


def test_answers_to_an_older_version_do_not_count_once_the_newer_was_answered() -> None:
    old, new = result("m", "a", version="v1", found=0), result("m", "a", version="v2", day=1)
    late = result("m", "a", version="v2", day=2, outcome=AttemptOutcome.ERROR)
    assert counting([old, new, late]) == [new]
    assert counting([old]) == [old]


@pytest.mark.parametrize(
    ("fields", "credit"),
    [
        ({"found": 1, "of": 4}, 0.25),
        ({"found": 2, "of": 2, "invented": 1}, 1.0),
        ({"shape": TaskShape.CLAIM, "found": 1, "invented": 1}, 0.0),
        ({"found": 0, "of": 0, "invented": 1}, 0.0),
        ({"found": 0, "of": 0}, 1.0),
    ],
)
def test_credit(fields: dict[str, Any], credit: float) -> None:
    assert result("m", "a", **fields).credit == credit


def test_needles_are_counted_elsewhere() -> None:
    got = sheet(result("m", "a", found=1, of=2), result("m", "n", shape=TaskShape.NEEDLE, found=1, of=1))
    assert (got.recall.hits, got.recall.of, got.tasks, got.asked) == (1, 2, 1, 1)
