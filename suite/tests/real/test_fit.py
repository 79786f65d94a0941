"""A change laid over its file: the lines that name the bug, what is shown, and the two tasks."""

from __future__ import annotations

from datetime import date

import pytest

from suite.drafts import Draft
from suite.keys import read_key
from suite.real.draft import Origin, apart, draft_pair, slug_of
from suite.real.fit import fit, window
from suite.real.patch import Unfit, read_change
from suite.scoring import score
from suite.tests.real.made import AFTER, BEFORE, diff

NINE = "".join(f"x{number} = {number}\n" for number in range(1, 13))
GROWN = NINE.replace("x9 = 9\n", "x9 = 9\nnew = 1\n")


@pytest.mark.parametrize(
    ("length", "first", "last", "shown"),
    [
        (120, 50, 50, (1, 120)),
        (400, 399, 399, (1, 400)),
        (1000, 900, 901, (601, 1000)),
        (1000, 10, 10, (1, 400)),
        (1000, 500, 500, (300, 699)),
    ],
)
def test_the_change_stands_in_the_middle_of_what_is_shown(length: int, first: int, last: int, shown: object) -> None:
    assert window(length, first, last) == shown


@pytest.mark.parametrize(
    ("before", "after", "context", "lines"),
    [
        (BEFORE, AFTER, 3, (2,)),
        (NINE, GROWN, 3, (9, 10)),
        (NINE, GROWN, 0, (9, 10)),  # nothing stood there: the diff names the line before
        (NINE, "new = 1\n" + NINE, 3, (1,)),
        (NINE, NINE + "new = 1\n", 3, (12,)),
        (NINE, NINE.replace("x3 = 3\nx4 = 4\n", ""), 3, (3, 4)),
    ],
)
def test_the_bug_stands_where_lines_went_or_beside_where_they_came(
    before: str, after: str, context: int, lines: tuple[int, ...]
) -> None:
    fitted = fit(read_change(diff(before, after, context=context)), before)
    assert fitted.lines == lines
    assert "\n".join(fitted.after) + "\n" == after


@pytest.mark.parametrize(
    ("before", "after", "file", "why"),
    [
        (BEFORE, AFTER, BEFORE.replace("None", "0"), "the diff does not match the file"),
        (BEFORE, AFTER, "x = 1\n", "the diff does not match the file"),
        (BEFORE, AFTER, BEFORE + "\f\n", "a line has characters that end a line elsewhere"),
        (BEFORE, AFTER, BEFORE + "x = 'a\u2028b'\n", "a line has characters that end a line elsewhere"),
        ('def f():\n    """Says."""\n', 'def f():\n    """Tells."""\n', None, "only comments or layout"),
        ("x = 'a'\n", 'x = "a"\n', None, "only comments or layout"),
    ],
)
def test_a_change_of_another_file_or_of_nothing_that_runs_is_turned_down(
    before: str, after: str, file: str | None, why: str
) -> None:
    with pytest.raises(Unfit, match=f"^{why}$"):
        fit(read_change(diff(before, after)), before if file is None else file)


def test_what_this_python_cannot_read_is_no_reason_to_turn_a_change_down() -> None:
    old = "print 'a', 1\nx = 1\n"
    assert fit(read_change(diff(old, old.replace("1\nx", "2\nx"))), old).lines == (1,)


def test_spaces_at_the_end_of_a_line_and_its_kind_of_end_do_not_matter() -> None:
    fitted = fit(read_change(diff()), BEFORE.replace("\n", "  \r\n"))
    assert fitted.lines == (2,)
    assert fitted.after[0] == "def first(items):  "


ORIGIN = Origin("maker__picker-7", "rebench-picker-7", "https://example.org/7", "MIT", date(2025, 7, 2), "It fails.")


def test_the_two_tasks_ask_the_same_and_are_scored_by_their_first_line() -> None:
    change = read_change(diff())
    bug, control = draft_pair(change, fit(change, BEFORE), ORIGIN)
    assert bug.prompt == control.prompt
    assert (bug.pair, control.pair) == (control.slug, bug.slug)
    assert bug.attachments[0]["text"].splitlines()[1] == "2 |     for at in range(1, len(items)):"
    assert control.attachments[0]["text"].splitlines()[1] == "2 |     for at in range(len(items)):"
    assert "It fails." in bug.why
    assert "range" not in control.why

    def ended(draft: Draft, answer: str) -> str:
        return score(read_key(draft.key), bug.shape, control=draft.control, answer=answer).hunt

    assert ended(bug, "FAULT: line 2\nThe first is passed over.") == "found"
    assert ended(bug, "FAULT: line 3") == "wrong line"
    assert ended(bug, "NO FAULT") == "missed"
    assert ended(control, "NO FAULT") == "clean"
    assert ended(control, "FAULT: line 2") == "false alarm"


def test_a_long_file_is_cut_around_the_change_and_the_control_ends_where_the_same_lines_do() -> None:
    head = "".join(f"a{number} = {number}\n" for number in range(1, 901))
    tail = "".join(f"b{number} = {number}\n" for number in range(1, 301))
    before = head + BEFORE + tail
    change = read_change(diff(before, before.replace("    return None\n", "")))
    bug, control = draft_pair(change, fit(change, before), ORIGIN)
    assert "lines 704 to 1103 of a Python file" in bug.prompt
    assert "lines 704 to 1102 of a Python file" in control.prompt
    shown = [draft.attachments[0]["text"].splitlines() for draft in (bug, control)]
    assert [len(lines) for lines in shown] == [400, 399]
    assert shown[0][0] == shown[1][0] == " 704 | a704 = 704"
    assert shown[0][-1].split("|")[1] == shown[1][-1].split("|")[1]


def test_names_are_short_and_two_projects_of_one_name_stay_apart() -> None:
    assert slug_of("rebench", "QuantEcon.py", "769") == "rebench-quantecon-py-769"
    assert slug_of("rebench", "a" * 40, "1") == f"rebench-{'a' * 24}-1"
    assert apart("rebench-x-1", "one/x") != apart("rebench-x-1", "two/x")
