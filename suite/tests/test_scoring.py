"""Scores of answers, by tables; the acceptance vectors of the specification among them."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.kinds import TaskShape
from suite.keys import BadKey, digest_of, read_key, whole_prompt
from suite.scoring import Scored, fault_line, first_line, score

FIND = {"must_find": ["no locks taken"], "must_not_claim": ["acquire"]}
FALSE_CLAIM = {"must_find": ["verdict: false"], "must_not_claim": ["verdict: true"], "score_in": "first_line"}
TRUE_CLAIM = {"must_find": ["verdict: true"], "must_not_claim": ["verdict: false"], "score_in": "first_line"}
BUG = {
    "must_find": [{"regex": r"^fault: line (?:9|10)\b", "label": "line 9 or 10"}],
    "must_not_claim": ["no fault"],
    "score_in": "first_line",
    "lines": [9, 10],
}
CONTROL = {
    "must_find": ["no fault"],
    "must_not_claim": [{"regex": "^fault", "label": "a fault"}],
    "score_in": "first_line",
}


def scored(key: dict[str, Any], answer: str, shape: TaskShape = TaskShape.FINDING, *, control: bool = False) -> Scored:
    return score(read_key(key), shape, control=control, answer=answer)


@pytest.mark.parametrize(
    ("answer", "found", "invented"),
    [
        ("No locks taken: nothing does an acquire", 1, ()),
        ("Line 40 does an acquire", 0, ("acquire",)),
        ("Not a reader. Line 40 does an acquire", 0, ("acquire",)),
        ("No locks taken. There is no acquire in line 40, but line 41 does an acquire.", 1, ("acquire",)),
    ],
)
def test_findings_and_inventions(answer: str, found: int, invented: tuple[str, ...]) -> None:
    result = scored(FIND, answer)
    assert (result.found, result.of, result.invented) == (found, 1, invented)
    assert (result.chance, result.wrong) == ("trap", bool(invented))


@pytest.mark.parametrize(
    ("key", "answer", "found", "chance", "wrong"),
    [
        (FALSE_CLAIM, "VERDICT: FALSE\nIt would be true if ...", 1, "false claim", False),
        (FALSE_CLAIM, "Let me see.\nVERDICT: FALSE", 0, "false claim", False),
        (FALSE_CLAIM, "**VERDICT: TRUE**\nbecause", 0, "false claim", True),
        (FALSE_CLAIM, "```\n**Verdict:** FALSE\n```", 1, "false claim", False),
        (TRUE_CLAIM, "VERDICT: FALSE", 0, "", False),
        (TRUE_CLAIM, "\n\n> Verdict: True", 1, "", False),
    ],
)
def test_claims_are_scored_by_their_first_line(
    key: dict[str, Any], answer: str, found: int, chance: str, wrong: bool
) -> None:
    result = scored(key, answer, TaskShape.CLAIM)
    assert (result.found, result.chance, result.wrong) == (found, chance, wrong)


@pytest.mark.parametrize(
    ("answer", "found", "hunt", "wrong"),
    [
        ("FAULT: line 9\nthe bound is off", 1, "found", False),
        ("**FAULT: line 10** - swapped", 1, "found", False),
        ("FAULT: line 100", 0, "wrong line", True),
        ("NO FAULT", 0, "missed", False),
        ("I think FAULT: line 9", 0, "missed", False),
    ],
)
def test_a_hunt_for_a_bug(answer: str, found: int, hunt: str, wrong: bool) -> None:
    result = scored(BUG, answer, TaskShape.SEEDED)
    assert (result.found, result.hunt, result.chance, result.wrong) == (found, hunt, "wrong line", wrong)


def test_no_fault_on_a_bug_is_an_invention() -> None:
    assert scored(BUG, "NO FAULT", TaskShape.SEEDED).invented == ("no fault",)


@pytest.mark.parametrize(
    ("answer", "hunt", "invented"),
    [
        ("NO FAULT\nall is well", "clean", ()),
        ("FAULT: line 3", "false alarm", ("a fault",)),
        ("FAULT: none", "clean", ()),
        ("I cannot tell.", "clean", ()),
    ],
)
def test_a_control(answer: str, hunt: str, invented: tuple[str, ...]) -> None:
    result = scored(CONTROL, answer, TaskShape.SEEDED, control=True)
    assert (result.hunt, result.invented, result.chance) == (hunt, invented, "control")
    assert result.wrong is (hunt == "false alarm")


def test_a_line_whose_number_is_that_of_an_error_scores() -> None:
    key = {**BUG, "must_find": [{"regex": r"^fault: line 502\b", "label": "line 502"}], "lines": [502]}
    result = scored(key, "FAULT: line 502", TaskShape.SEEDED)
    assert (result.found, result.hunt) == (1, "found")


def test_a_bug_without_lines_is_no_opportunity() -> None:
    result = scored({**BUG, "lines": []}, "FAULT: line 3", TaskShape.REAL)
    assert (result.hunt, result.chance) == ("", "")


def test_a_pattern_for_one_line_takes_no_other() -> None:
    key = {"must_find": [{"regex": r"\bline 1\b", "label": "line 1"}]}
    assert scored(key, "see line 12").found == 0
    assert scored(key, "see line 1.").found == 1


def test_patterns_are_ruled_out_like_words() -> None:
    key = {"must_not_claim": [{"regex": r"runs an? insert", "label": "insert"}]}
    assert scored(key, "It never runs an INSERT.").invented == ()
    assert scored(key, "It runs an INSERT.").invented == ("insert",)


def test_claims_can_be_looked_for_in_tables_alone() -> None:
    key = {"must_find": ["x"], "must_not_claim": ["acquire"], "must_not_claim_in": "table"}
    assert scored(key, "x: line 4 does an acquire").invented == ()
    assert scored(key, "x\n| 4 | acquire |").invented == ("acquire",)


@pytest.mark.parametrize(
    ("answer", "ok", "why"),
    [
        ("| a |\n|---|\n| x |", True, ""),
        ("x", False, "0 rows of a table, 3 are needed"),
        ("| a |\n|---|\n| x | sorry", False, "it contains 'Sorry'"),
    ],
)
def test_the_form_is_judged_apart(answer: str, ok: bool, why: str) -> None:
    key = {"must_find": ["x"], "format": {"table": True, "min_rows": 3, "must_not_contain": ["Sorry"]}}
    result = scored(key, answer)
    assert (result.found, result.format_ok, result.format_why) == (1, ok, why)


def test_every_clause_is_explained() -> None:
    steps = scored(FIND, "No locks taken: nothing does an acquire").steps
    assert [(step.kind, step.how, step.where) for step in steps] == [
        ("find", "found", "no locks taken: nothing does an acquire"),
        ("claim", "ruled out", "no locks taken: nothing does an acquire"),
    ]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("fault: line 12", 12),
        ("fault - line 12", 12),
        ("fault at line 12, off by one", 12),
        ("fault: lines 3-5", 3),
        ("fault", None),
    ],
)
def test_where_a_first_line_points(line: str, number: int | None) -> None:
    assert fault_line(line) == number


def test_the_first_line_is_the_first_that_says_something() -> None:
    assert first_line("\n```text\n\n**a** `b`\n```") == "a b"
    assert first_line("") == ""


@pytest.mark.parametrize(
    "key",
    [
        {},
        {"must_find": [""]},
        {"must_find": [{"regex": "("}]},
        {"must_find": [{"regex": "x"}]},
        {"must_find": [{"any_of": [], "label": "x"}]},
        {"must_find": ["x"], "odd": 1},
        {"must_find": ["x"], "min_answer_chars": 0},
        {"must_find": ["x"], "score_in": "second_line"},
        {"must_find": "x"},
    ],
)
def test_a_key_that_cannot_be_meant_is_refused(key: dict[str, Any]) -> None:
    with pytest.raises(BadKey):
        read_key(key)


def test_a_version_is_known_by_all_that_makes_it() -> None:
    shown = [{"name": "a.py", "text": "x = 1"}]
    base = digest_of("find it", shown, FIND)
    assert digest_of(" find it\n", shown, dict(reversed(FIND.items()))) == base
    assert (
        len({base, digest_of("find it", [], FIND), digest_of("find", shown, FIND), digest_of("find it", shown, BUG)})
        == 4
    )
    assert whole_prompt("find it\n", shown) == "find it\n\n===== FILE: a.py =====\nx = 1"
