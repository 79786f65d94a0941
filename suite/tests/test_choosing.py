"""Whose turn it is in the suite, and with which tasks."""

from __future__ import annotations

from datetime import datetime, timedelta

from gateway.canon.fault import FailureClass
from suite.choosing import Candidate, Taken, next_model, pick_tasks

DAY = datetime(2026, 6, 1)
TASKS = [f"t{number}" for number in range(10)]


def taken(task: str, days: int, *, failure: str = "") -> Taken:
    return Taken(task, DAY + timedelta(days=days), not failure, failure)


def test_tasks_without_an_answer_come_first() -> None:
    answered = [taken(task, 0) for task in TASKS[:4]]
    assert pick_tasks(TASKS, answered) == TASKS[4:]


def test_where_all_are_answered_the_oldest_answers_are_made_anew() -> None:
    answered = [taken(task, number) for number, task in enumerate(reversed(TASKS))]
    assert pick_tasks(TASKS, answered) == ["t9", "t8", "t7", "t6", "t5", "t4"]


def test_a_rate_limit_is_a_gap_and_a_time_out_is_not() -> None:
    seen = [taken(task, 0) for task in TASKS[2:]]
    seen += [taken("t0", 1, failure=FailureClass.CAPACITY), taken("t1", 1, failure=FailureClass.TIMEOUT)]
    assert pick_tasks(TASKS, seen) == ["t0"]


def candidate(alias: str, answered: int, newest: int | None = None, *, free: bool = False) -> Candidate:
    at = None if newest is None else DAY + timedelta(days=newest)
    return Candidate(alias, f"v/{alias}{':free' if free else ''}", answered, at)


def whose(*candidates: Candidate, free: bool = False) -> str | None:
    found = next_model(candidates, 10, free=free)
    return found.alias if found else None


def test_never_scored_then_incomplete_then_oldest() -> None:
    new, part = candidate("new", 0), candidate("part", 4, 9)
    old, late = candidate("old", 10, 1), candidate("late", 10, 5)
    assert whose(late, old, part, new) == "new"
    assert whose(late, old, part) == "part"
    assert whose(late, old) == "old"


def test_a_model_that_never_gets_through_does_not_keep_the_others_from_their_turn() -> None:
    stuck, whole = candidate("stuck", 0, 9), candidate("whole", 10, -4)
    assert whose(stuck, whole) == "stuck"
    assert whose(candidate("stuck", 0, 11), whole) == "whole"


def test_of_those_with_tasks_left_the_one_asked_longest_ago_goes_on() -> None:
    assert whose(candidate("a", 4, 3), candidate("b", 9, 2), candidate("c", 0, 3)) == "b"


def test_free_and_paid_take_turns_apart() -> None:
    free, paid = candidate("free", 10, 5, free=True), candidate("paid", 0)
    assert whose(free, paid, free=True) == "free"
    assert whose(free, paid) == "paid"
    assert whose(free) is None
    assert next_model([paid], 0, free=False) is None
