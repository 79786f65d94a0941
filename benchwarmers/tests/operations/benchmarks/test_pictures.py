"""The pictures of the page of benchmarks: who is in them, in which order, what they say, and what stands in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from benchwarmers.charts.figure import Figure
from benchwarmers.operations.benchmarks.figures.hunts import hunts
from benchwarmers.operations.benchmarks.figures.outcomes import ANSWERED, ERROR, Probed, outcomes
from benchwarmers.operations.benchmarks.figures.pace import pace
from benchwarmers.operations.benchmarks.figures.trust import trust
from benchwarmers.operations.benchmarks.figures.work import Worked, work
from benchwarmers.operations.benchmarks.figures.wrongs import wrongs
from suite.metrics import Hunt, Share, Sheet

ALL = slice(None)


def sheet(model: str, recall: float = 5, traps: float = 1, **fields: object) -> Sheet:
    given = {"recall": Share(recall, 10), "wrong": {"trap": Share(traps, 10)}, "seconds": 2.0}
    return Sheet(model, tasks=10, asked=10, **(given | fields))  # type: ignore[arg-type]


def names(figure: Figure) -> list[str]:
    return [row[0] for row in figure.table.rows]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (trust, "Nobody has answered both"),
        (hunts, "No hunt has ended yet"),
        (work, "No judged offloads"),
        (wrongs, "Nobody has answered a task in which"),
        (outcomes, "No probes in the last 14 days"),
        (pace, "No timings"),
    ],
)
def test_without_anything_to_draw_it_says_what_is_missing(
    make: Callable[[Sequence[object], slice], Figure], words: str
) -> None:
    figure = make([], ALL)
    assert figure.empty.startswith(words)
    assert not figure.svg


def test_who_to_trust_needs_both_numbers_and_says_who_stands_well() -> None:
    rows = [sheet("good", 9, 0), sheet("poor", 2, 6), sheet("half", recall=5, wrong={}), Sheet("none", 0, 3)]
    figure = trust(rows, ALL)
    assert names(figure) == ["good", "poor"]
    assert "good finds most (90%), good is least often sure of something false (0%)." in figure.says
    assert "good stands where you want them." in figure.says
    assert "None of them stands" in trust([sheet("poor", 2, 6), sheet("bold", 9, 6)], ALL).says


def test_the_best_hunter_comes_first_by_what_it_found_less_its_alarms() -> None:
    wild = Hunt(found=10, missed=0, false_alarm=9, clean=1)
    calm = Hunt(found=6, wrong_line=2, missed=2, clean=10)
    figure = hunts([sheet("wild", hunt=wild), sheet("calm", hunt=calm), sheet("none")], ALL)
    assert names(figure) == ["calm", "wild"]
    assert figure.says.startswith("calm hunts best: 6 of 10 bugs, and 0 false alarms in 10 controls.")
    assert "calm: 2 of 10 wrong line" in figure.svg
    assert "wild: 9 of 10 false alarm" in figure.svg


def test_work_that_helped_in_less_than_half_is_marked_by_more_than_colour() -> None:
    figure = work([Worked("poor", 30, 10, 4.0), Worked("good", 30, 10, 9.0), Worked("new", 4, 0, 0.0)], ALL)
    assert names(figure) == ["good", "poor"]
    assert "! 4/10" in figure.svg
    assert "texture-fall" in figure.svg
    assert "Below one half: 1 of 2." in figure.says
    assert "texture-fall" not in work([Worked("good", 30, 10, 5.0)], ALL).svg


def test_the_most_often_wrong_stands_first_by_what_luck_does_not_explain() -> None:
    lucky = sheet("few", wrong={"trap": Share(1, 1)})
    sure = sheet("many", wrong={"trap": Share(20, 40), "control": Share(20, 40)})
    assert names(wrongs([lucky, sure], ALL)) == ["many", "few"]


def test_how_probes_ended_is_told_by_outcome_the_most_reliable_first() -> None:
    figure = outcomes([Probed("weak", {ANSWERED: 1, "timeout": 2, ERROR: 1}), Probed("firm", {ANSWERED: 3})], ALL)
    assert names(figure) == ["firm", "weak"]
    assert [column.key for column in figure.table.columns] == ["model", "probes", "reliability", "timeout", "error"]
    assert "1 of these 2 answered every probe. The least reliable is weak: 25% of 4" in figure.says
    assert [key.words for key in figure.legend] == ["answered", "timeout", "error"]


def test_speed_tells_the_fastest_and_the_best() -> None:
    figure = pace([sheet("slow", 9, seconds=20.0), sheet("fast", 4, seconds=0.5), sheet("none", seconds=None)], ALL)
    assert names(figure) == ["fast", "slow"]
    assert figure.says == "fast is the fastest: 0.5 s, and it finds 40%. slow finds most: 90%, in 20.0 s."


def test_a_page_of_a_picture_shows_its_rows_and_no_others() -> None:
    figure = work([Worked(f"m{at}", 9, 9, float(at)) for at in range(9)], slice(2, 4))
    assert names(figure) == ["m6", "m5"]
    assert "m8" not in figure.svg
