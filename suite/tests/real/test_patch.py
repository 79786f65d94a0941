"""Which fixes become tasks: one table, a line for each reason."""

from __future__ import annotations

import pytest

from suite.real.patch import Unfit, bare, is_test, read_change
from suite.tests.real.made import AFTER, BEFORE, diff

LONG = "".join(f"x{number} = {number}\n" for number in range(20))


def test_a_change_of_one_line_is_read_with_what_stands_around_it() -> None:
    change = read_change(diff(context=1))
    assert (change.path, change.start) == ("src/pick.py", 1)
    assert [tag for tag, _ in change.lines] == [" ", "-", "+", " "]
    assert change.removed == ["    for at in range(1, len(items)):"]


def edited(*numbers: int, drop: bool = False) -> str:
    lines = LONG.splitlines(keepends=True)
    for number in numbers:
        lines[number] = "" if drop else f"y{number} = 0\n"
    return "".join(lines)


ADDED = diff("", "x = 1\n").replace("--- a/src/pick.py", "--- /dev/null")
RENAMED = diff().replace("--- a/src/pick.py", "--- a/src/choose.py")
MODE = "diff --git a/run.py b/run.py\nold mode 100644\nnew mode 100755\n"


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ("", "no diff of a file"),
        ("nothing of the kind", "no diff of a file"),
        (diff() + diff(path="src/other.py"), "changes more than one file"),
        (diff() + diff(path="tests/test_pick.py"), "changes more than one file"),
        (ADDED, "adds, deletes or renames a file"),
        (RENAMED, "adds, deletes or renames a file"),
        (MODE, "no change of lines"),
        (diff(path="tests/pick.py"), "not a Python source file"),
        (diff(path="src/test_pick.py"), "not a Python source file"),
        (diff(path="src/pick.js"), "not a Python source file"),
        (diff(LONG, edited(2, 15)), "changes several places"),
        (diff(LONG, edited(2, 4)), "changes several places"),
        (diff(LONG, edited(3, 4, 5, 6, 7, 8, drop=True)), "more than 5 lines removed or added"),
        (diff(LONG, LONG + "z = 0\n" * 6), "more than 5 lines removed or added"),
        (diff("x = 1\n", "x = 1  # one\n"), "only comments or layout"),
        (diff("x = f(1,2)\n", "x = f(1, 2)\n"), "only comments or layout"),
        (diff("x = 1\n", "x = 1\n\n# the end\n"), "only comments or layout"),
        ("\n".join(diff().splitlines()[:-2]), "the diff is cut off"),
        (diff().replace("     return", "what"), "the diff is damaged"),
    ],
)
def test_what_no_task_can_be_made_of_is_turned_down_with_the_reason(patch: str, why: str) -> None:
    with pytest.raises(Unfit, match=f"^{why}$"):
        read_change(patch)


@pytest.mark.parametrize(
    "patch",
    [
        diff(LONG, edited(3, 4, 5, 6, 7, drop=True)),
        diff("if a:\n    x()\n    y()\n", "if a:\n    x()\ny()\n"),  # the line leaves its block
        diff('x = "a # b"\n', 'x = "a # c"\n'),  # no comment but text
        diff('x = "a b"\n', 'x = "ab"\n'),
        diff().replace("diff --git a/src/pick.py b/src/pick.py\n", ""),
        diff() + "\\ No newline at end of file\n",
        diff().replace("\n", "\r\n"),
        diff(BEFORE + "\n\n", AFTER + "\n\n").replace("\n \n", "\n\n"),  # spaces were lost on the way
        diff("y = 0\n-- y\n", "y = 0\n"),  # the removed line looks like the head of a file
    ],
)
def test_small_changes_of_code_are_kept(patch: str) -> None:
    assert read_change(patch).path == "src/pick.py"


def test_lines_are_bare_of_comments_and_spaces_but_keep_how_far_they_are_indented() -> None:
    assert bare(["", "  # words", "  x = {1: 'a # b'}  # c", "x  =  1"]) == ["  x={1:'a # b'}", "x=1"]
    assert bare([r"x = 'it\'s # here'  # c"]) == [r"x='it\'s # here'"]


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("tests/helpers.py", True),
        ("pkg/tests/x.py", True),
        ("pkg/test_x.py", True),
        ("pkg/x_test.py", True),
        ("conftest.py", True),
        ("pkg/testing/x.py", True),
        ("pkg/latest.py", False),
        ("pkg/contest_x.py", False),
        ("pkg/attest/x.py", False),
    ],
)
def test_tests_are_known_by_their_path(path: str, test: bool) -> None:
    assert is_test(path) is test
