"""Fixes become pairs of drafts: proven by the repository's tests, or marked as unproven."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from suite.models import Task, TaskVersion
from suite.tests.commits.conftest import FIXED, PICK, TEST, Past

pytestmark = pytest.mark.django_db
RUN = f"env PYTHONPATH=. {sys.executable} check.py"


def ran(root: Path, *words: str) -> str:
    out = io.StringIO()
    call_command("mine_history", str(root), *words, stdout=out)
    return out.getvalue()


def fixed(past: Past, check: str = TEST) -> str:
    past.commit("One", pick=PICK, check="")
    past.git("rm", "-q", "check.py")
    past.commit("Without the check", other="x = 1\n")
    return past.commit("Fix the end", pick=FIXED, tests__test_pick=check)


def test_a_fix_whose_test_fails_before_and_passes_after_becomes_a_pair_with_the_fix_as_the_key(past: Past) -> None:
    sha = fixed(past)
    tests = f"env PYTHONPATH=. {sys.executable} {{tests}}"
    said = ran(past.root, "--tests", tests, "--url", "https://example.org/picker/", "--licence", "MIT")
    assert "1 pairs from 3 commits; left: 2 no fix of one file; they wait for review" in said
    bug, control = Task.objects.order_by("slug")
    assert bug.slug == f"past-picker-{sha[:7]}-bug"
    assert (bug.source, bug.source_url) == (f"picker@{sha}", f"https://example.org/picker/commit/{sha}")
    assert bug.draft
    assert control.control
    assert bug.contamination.startswith("Public since ")
    version = TaskVersion.objects.get(task=bug)
    assert version.key["lines"] == [3]
    assert "Proven" in version.why
    assert "3 |     return items[end]\n" in version.attachments[0]["text"] + "\n"
    assert "1 already here" in ran(past.root)


@pytest.mark.parametrize(
    ("check", "words", "why"),
    [
        ("assert True\n", (), "its tests pass before it too"),
        ("assert False\n", (), "its tests do not pass after it"),
        ("while True:\n    pass\n", ("--seconds", "0.5"), "its tests do not pass after it"),
    ],
)
def test_a_fix_that_no_test_proves_is_left_and_said(past: Past, check: str, words: tuple[str, ...], why: str) -> None:
    sha = fixed(past, check)
    said = ran(past.root, "--tests", f"{sys.executable} {{tests}}", *words)
    assert f"{sha[:10]} Fix the end: {why}" in said
    assert not Task.objects.exists()


def test_without_a_place_for_the_tests_the_command_runs_as_it_is(past: Past) -> None:
    past.commit("One", pick=PICK, check=TEST)
    past.commit("Fix the end", pick=FIXED)
    assert "1 pairs" in ran(past.root, "--tests", RUN)


def test_the_first_run_leaves_no_compiled_code_for_the_second(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    less, more = "def small(n):\n    return n < 3\n", "def small(n):\n    return n > 3\n"
    check = "import pathlib\nfrom pick import small\n\nassert small(1) == (not pathlib.Path('__pycache__').exists())\n"
    past.commit("One", pick=less, check=check)
    past.commit("Change it", pick=more, check=check)
    past.commit("Fix the comparison", pick=less)
    assert "1 pairs" in ran(past.root, "--tests", RUN)


def test_without_tests_drafts_are_marked_as_unproven_and_a_dry_run_writes_none(past: Past) -> None:
    fixed(past)
    assert "1 pairs" in ran(past.root, "--dry-run")
    assert not Task.objects.exists()
    ran(past.root, "--name", "maker/choose")
    task = Task.objects.order_by("slug")[0]
    assert task.slug.startswith("past-choose-")
    assert "Unproven" in TaskVersion.objects.get(task=task).why
    assert task.contamination == ""


def test_the_repository_is_left_as_it_was_and_what_it_names_is_not_run(past: Past, tmp_path: Path) -> None:
    sha = fixed(past)
    spoiled = tmp_path / "spoiled"
    hook = past.root / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {spoiled}\n")
    hook.chmod(0o755)
    past.git("config", "core.fsmonitor", f"touch {spoiled}")
    past.git("config", "diff.noprefix", "true")
    (past.root / "pick.py").write_text("half done")
    spoiled.unlink(missing_ok=True)
    assert "1 pairs" in ran(past.root, "--tests", f"env PYTHONPATH=. {sys.executable} {{tests}}")
    assert not spoiled.exists()
    assert (past.root / "pick.py").read_text() == "half done"
    past.git("config", "--unset", "core.fsmonitor")
    assert past.git("rev-parse", "HEAD") == sha


def test_two_places_and_files_that_are_no_text_are_left(past: Past) -> None:
    past.commit("One", pick=PICK)
    (past.root / "latin.py").write_bytes(b"x = '\xe9'\n")
    past.commit("Add another")
    (past.root / "latin.py").write_bytes(b"x = 'e'\n")
    past.commit("Fix the letter")
    past.commit("Fix both ends", pick=FIXED.replace("def last(items)", "def last(items, why=None)"))
    said = ran(past.root)
    assert "1 changes several places" in said
    assert "1 a file that is no UTF-8, or no file before it" in said


@pytest.mark.parametrize(
    ("words", "why"),
    [(("--limit", "0"), "above 0"), (("--tests", "'open"), "cannot be read"), ((), "not a git repository")],
)
def test_what_cannot_be_done_is_refused(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        ran(tmp_path, *words)
