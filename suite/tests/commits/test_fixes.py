"""Which commits look like the repair of a bug."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from suite.commits.fixes import Commit, commits, reads_as_fix
from suite.commits.git import NoRepository
from suite.tests.commits.conftest import FIXED, PICK, TEST, Past


@pytest.mark.parametrize(
    ("message", "fix"),
    [
        ("Fix the end of the list", True),
        ("The last item was wrong", True),
        ("Handle empty lists\n\nCloses #12", True),
        ("fixes: off-by-one in last()", True),
        ("Correct the bound", True),
        ("Count from zero", False),
        ("Fix a typo", False),
        ("Fix the docs", False),
        ("Revert \u201cFix the end\u201d", False),
        ("Fix mypy", False),
        ("Add prefixes", False),
        ("", False),
    ],
)
def test_a_message_says_whether_a_bug_was_repaired(message: str, fix: bool) -> None:
    assert reads_as_fix(message) is fix


@pytest.mark.parametrize(
    ("files", "message", "fix"),
    [
        ([("M", "pick.py")], "Fix it", True),
        ([("M", "pick.py"), ("M", "CHANGES.md")], "Fix it", True),
        ([("M", "pick.py"), ("A", "tests/test_pick.py")], "Count from zero", True),
        ([("M", "pick.py")], "Count from zero", False),
        ([("M", "pick.py"), ("D", "tests/test_pick.py")], "Count from zero", False),
        ([("M", "pick.py"), ("M", "other.py")], "Fix it", False),
        ([("A", "pick.py")], "Fix it", False),
        ([("D", "pick.py")], "Fix it", False),
        ([("M", "tests/test_pick.py")], "Fix it", False),
        ([("M", "CHANGES.md")], "Fix it", False),
    ],
)
def test_one_python_file_changed_and_the_message_or_a_test_tells(
    files: list[tuple[str, str]], message: str, fix: bool
) -> None:
    assert Commit("a" * 40, date(2026, 1, 1), message, tuple(files)).looks_like_a_fix is fix


def test_commits_are_read_with_their_words_and_files_the_newest_first(past: Past) -> None:
    past.commit("One", pick=PICK)
    sha = past.commit("Fix the end\n\nIt was one too far.", pick=FIXED, tests__test_pick=TEST)
    newest, oldest = commits(past.root, 10)
    assert (newest.sha, newest.subject) == (sha, "Fix the end")
    assert newest.message.endswith("It was one too far.")
    assert newest.files == (("M", "pick.py"), ("A", "tests/test_pick.py"))
    assert (newest.tests, newest.sources) == (("tests/test_pick.py",), ("pick.py",))
    assert not oldest.looks_like_a_fix
    assert len(list(commits(past.root, 1))) == 1


def test_a_folder_without_a_repository_is_refused_in_the_words_of_git(tmp_path: Path) -> None:
    with pytest.raises(NoRepository, match="not a git repository"):
        list(commits(tmp_path, 1))
