"""Seeding from a repository whose tests say which changes matter, and the command."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from suite.models import Task, TaskVersion
from suite.seeding.alive import Liveness, bed_of
from suite.seeding.run import Order, seed

BODY = "\n".join(f"    step_{number} = value * {number + 3}" for number in range(12))
CODE = f"""def tested(value):
{BODY}
    return value > 4


def untested(value):
{BODY}
    return value > 7
"""
TESTS = """from code_here import tested
assert tested(5) is True
assert tested(4) is False
"""
COMMAND = (sys.executable, "check.py")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "code_here.py").write_text(CODE)
    (tmp_path / "check.py").write_text(TESTS)
    return tmp_path


def test_a_change_that_a_test_notices_is_proven_and_the_code_stays_as_it_is(repository: Path) -> None:
    for number in range(4):
        ((bug, control),) = seed(Order(repository, count=1, seed=number, tests=COMMAND))
        proven = "Some test of the code fails with it." in bug.why
        assert proven is (bug.source == "code_here.py::tested")
        assert proven or "No test of the code notices it." in bug.why
        assert "> 4" in control.attachments[0]["text"] or "> 7" in control.attachments[0]["text"]
    assert (repository / "code_here.py").read_text() == CODE


def test_no_trial_leaves_compiled_code_that_the_next_could_be_judged_by(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    (repository / "check.py").write_text("import pathlib\nassert not pathlib.Path('__pycache__').exists()\n" + TESTS)
    with bed_of(repository, COMMAND) as bed:
        assert bed.trial("code_here.py", CODE.replace("> 4", "< 4")).liveness is Liveness.KILLED
        assert bed.trial("code_here.py", CODE.replace("> 7", "< 7")).liveness is Liveness.SURVIVED


def test_tests_that_fail_anyway_prove_nothing(repository: Path) -> None:
    (repository / "check.py").write_text("raise SystemExit(1)")
    ((bug, _),) = seed(Order(repository, count=1, tests=COMMAND))
    assert "the tests do not pass as the code is" in bug.why


@pytest.mark.django_db
def test_the_command_keeps_pairs_as_drafts_and_a_second_run_takes_other_code(repository: Path) -> None:
    out = io.StringIO()
    call_command("seed_suite", "--repository", str(repository), "--count", "1", stdout=out)
    assert "1 pairs wait for review" in out.getvalue()
    assert {(task.draft, task.control) for task in Task.objects.all()} == {(True, False), (True, True)}
    first = set(Task.objects.values_list("source", flat=True))
    call_command("seed_suite", "--repository", str(repository), "--count", "1", stdout=out)
    assert len(set(Task.objects.values_list("source", flat=True)) - first) == 1
    call_command("seed_suite", "--repository", str(repository), stdout=out)
    assert out.getvalue().endswith("nothing there to change\n")
    assert TaskVersion.objects.filter(current=True).count() == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--package", "no_such_package"], "no_such_package"),
        (["--package", "json", "--kinds", "typo"], "typo is no kind"),
        (["--package", "json", "--count", "0"], "1 to 1000"),
    ],
)
def test_what_cannot_be_meant_is_said(words: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("seed_suite", *words)
