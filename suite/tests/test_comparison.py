"""Whether one model is better, told only where it can be, and always alike."""

from __future__ import annotations

from random import Random

from suite.comparison import compare
from suite.results import Result
from suite.tests.made import result


def answers(model: str, skill: float, tasks: int, seed: int) -> list[Result]:
    rng = Random(seed)
    return [result(model, f"t{number}", found=int(rng.random() < skill)) for number in range(tasks)]


def test_a_clear_difference_is_told_with_its_figures() -> None:
    got = compare(answers("good", 0.9, 60, 1) + answers("poor", 0.4, 60, 2), "poor", "good")
    assert got.better == "good"
    assert got.low <= got.difference <= got.high < 0
    assert got.p < 0.01
    assert got.statement.startswith("good is better than poor: ")
    assert "on 60 common tasks" in got.statement


def test_equals_are_told_apart_no_oftener_than_by_chance() -> None:
    told = sum(
        bool(compare(answers("a", 0.6, 40, seed) + answers("b", 0.6, 40, seed + 500), "a", "b").better)
        for seed in range(40)
    )
    assert told <= 6  # two are expected of forty; the seeds are fixed, so this cannot change


def test_few_tasks_tell_nothing_however_they_went() -> None:
    results = answers("good", 1.0, 5, 1) + answers("poor", 0.0, 5, 2)
    assert compare(results, "good", "poor").better == ""
    more = answers("good", 1.0, 8, 1) + answers("poor", 0.0, 8, 2)
    assert compare(more, "good", "poor").p == 2 / 256


def test_only_common_tasks_count_and_none_is_said_plainly() -> None:
    results = [result("a", "x"), result("b", "y")]
    got = compare(results, "a", "b")
    assert (got.tasks, got.better) == (0, "")
    assert got.statement == "a and b have answered no task in common."


def test_the_same_answers_give_the_same_digits_in_any_order() -> None:
    results = answers("a", 0.7, 50, 3) + answers("b", 0.5, 50, 4)
    assert compare(results, "a", "b") == compare(list(reversed(results)), "a", "b")


def test_a_chance_of_almost_nothing_is_not_called_nothing() -> None:
    results = [result("ann", f"t{number}") for number in range(30)]
    results += [result("bob", f"t{number}", found=0) for number in range(30)]
    assert compare(results, "ann", "bob").statement.endswith("p < 0.001.")
