"""A judge's error, who may judge, and what is left when the error is taken out."""

from __future__ import annotations

from random import Random

import pytest

from suite.judging.measure import Rates, correct, rates


def test_the_error_is_counted_from_trials_and_silence_counts_for_nothing() -> None:
    trials = [(True, True), (True, False), (True, True), (False, False), (False, True), (False, None), (True, None)]
    assert rates(trials) == Rates(sensed=2, trues=3, refused=1, falses=2, silent=2)


@pytest.mark.parametrize(
    ("measured", "why"),
    [
        (Rates(), "0 trials"),
        (Rates(15, 15, 14, 14), "29 trials"),
        (Rates(15, 15, 15, 15), ""),
        (Rates(40, 40, 5, 5), "5 false claims"),
        (Rates(5, 5, 40, 40), "5 true claims"),
        (Rates(20, 20, 0, 20), "told from chance"),
        (Rates(10, 20, 10, 20), "told from chance"),
        (Rates(11, 20, 12, 20), "told from chance"),
        (Rates(2, 20, 2, 20), "told from chance"),
        (Rates(16, 20, 15, 20), ""),
    ],
)
def test_who_was_hardly_tried_or_is_no_better_than_chance_must_not_judge(measured: Rates, why: str) -> None:
    assert why in measured.why_not
    assert bool(measured.why_not) is bool(why)


@pytest.mark.parametrize(
    ("measured", "answers", "corrected"),
    [
        (Rates(90, 100, 80, 100), [(62, 100)], 0.6),  # 0.9 * 0.6 + 0.2 * 0.4
        (Rates(100, 100, 100, 100), [(3, 10), (1, 10)], 0.2),
        (Rates(90, 100, 80, 100), [(95, 100)], 1.0),  # more than it would call true if all were
        (Rates(90, 100, 80, 100), [(10, 100)], 0.0),
    ],
)
def test_the_corrected_share_is_what_would_look_like_this(
    measured: Rates, answers: list[tuple[int, int]], corrected: float
) -> None:
    one = correct("m", measured, answers)
    assert one is not None
    assert one.corrected == pytest.approx(corrected)
    assert one.low <= one.corrected <= one.high
    assert correct("m", measured, answers) == one


def test_few_answers_and_few_trials_make_a_wide_interval() -> None:
    def width(measured: Rates, answers: list[tuple[int, int]]) -> float:
        one = correct("m", measured, answers)
        assert one is not None
        return one.high - one.low

    sharp, blunt = Rates(190, 200, 190, 200), Rates(15, 16, 15, 16)
    many, few = [(3, 5)] * 40, [(3, 5)] * 4
    assert width(sharp, many) < width(blunt, many)
    assert width(sharp, many) < width(sharp, few)
    # Answers that are all true or all false tell less than as many claims that differ within an answer.
    assert width(sharp, many) < width(sharp, [(5, 5), (5, 5), (5, 5), (0, 5), (0, 5)] * 8)
    assert width(sharp, [(5, 5)] * 2) > 0.1


def test_nothing_judged_is_nothing_known() -> None:
    assert correct("m", Rates(20, 20, 20, 20), []) is None
    assert correct("m", Rates(20, 20, 20, 20), [(0, 0)]) is None
    with pytest.raises(ValueError, match="not measured"):
        correct("m", Rates(), [(1, 2)])


def test_the_interval_holds_the_truth_of_judges_of_known_error() -> None:
    rng = Random(8)
    held = 0
    for _ in range(20):
        sense, specific, truth = rng.uniform(0.7, 0.95), rng.uniform(0.7, 0.95), rng.uniform(0.2, 0.9)
        trials = [(at % 2 == 0, rng.random() < (sense if at % 2 == 0 else 1 - specific)) for at in range(80)]
        answers = []
        for _ in range(20):
            said = [rng.random() < (sense if rng.random() < truth else 1 - specific) for _ in range(4)]
            answers.append((sum(said), len(said)))
        one = correct("m", rates(trials), answers)
        assert one is not None
        held += one.low <= truth <= one.high
    assert held >= 18
