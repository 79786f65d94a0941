"""The original's suite is taken over: tasks, saved answers, and what neither can be."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from collections_app.models import AliasHistory
from collections_app.tests.world import make_world
from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.models import Attempt, Score, SuitePass, Task, TaskVersion
from suite.original import completed, told_by

CLAIM: dict[str, Any] = {
    "title": "A claim",
    "prompt": "Is it so?",
    "shape": "claim",
    "must_find": [{"any_of": ["verdict: true"]}],
    "must_not_claim": ["verdict: false"],
    "score_in": "first_line",
}
BUG: dict[str, Any] = {
    "title": "A bug",
    "prompt": "Find it.\n\n 9| x",
    "shape": "rebench",
    "must_find": [{"regex": r"^\W*fault:\s*line\s*(?:9|10)\b", "label": "fault: line 9 or 10"}],
    "must_not_claim": ["no fault"],
    "score_in": "first_line",
}
CONTROL: dict[str, Any] = {**BUG, "must_find": ["no fault"], "must_not_claim": [{"regex": "^fault", "label": "fault"}]}


@pytest.mark.parametrize(
    ("text", "outcome", "failure"),
    [
        ("VERDICT: TRUE\nbecause", "answered", ""),
        ("FAULT: line 502", "answered", ""),
        ("Error: the handler raises one when the file is gone", "answered", ""),
        ("Rate limit handling is wrong in line 3", "answered", ""),
        ("<<TIMED OUT after 420s>>", "timeout", "timeout"),
        ("Error: Error code: 401 - invalid key", "error", "other"),
        ("Error: Error code: 429 - slow down", "error", "capacity"),
        ("Error: client failed: the reply had no choices", "error", "other"),
        ("Error: llm exited 1: no such model", "error", "other"),
        ("", "empty", "empty"),
        ("TRUE", "empty", "empty"),
    ],
)
def test_only_the_words_of_the_original_itself_make_a_failure(text: str, outcome: str, failure: str) -> None:
    told = told_by(text, 10)
    assert (told.outcome, told.failure) == (outcome, failure)


def draft(slug: str, said: dict[str, Any], *, control: bool = False) -> Draft:
    return Draft(slug, "T", TaskShape.REAL, said["prompt"], {"must_find": said["must_find"]}, control=control)


def test_the_lines_of_a_bug_and_the_other_half_are_read_from_names() -> None:
    bug = completed(draft("rebench-x-1-bug", BUG))
    assert (bug.key["lines"], bug.pair) == ([9, 10], "rebench-x-1-control")
    control = completed(draft("rebench-x-1-control", CONTROL, control=True))
    assert ("lines" in control.key, control.pair) == (False, "rebench-x-1-bug")
    assert completed(draft("odd", BUG)).pair == ""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_world()
    AliasHistory.objects.create(old="swift", new="fast")
    for name, said, answers in (
        (
            "claim-a",
            CLAIM,
            {"fast": "VERDICT: TRUE\nIt is.", "slow": "<<TIMED OUT after 420s>>", "gone": "VERDICT: TRUE"},
        ),
        ("rebench-x-1-bug", BUG, {"swift": "FAULT: line 10\nIt is off.", "slow": "FAULT: line 3, it is there"}),
        ("rebench-x-1-control", CONTROL, {"fast": "NO FAULT\nIt is fine."}),
        ("draft-a", {**CLAIM, "draft": True}, {}),
        ("odd", {**CLAIM, "attach": ["gone.py"]}, {"fast": "VERDICT: TRUE"}),
    ):
        folder = tmp_path / "suite" / "tasks" / name
        (folder / "output").mkdir(parents=True)
        (folder / "task.json").write_text(json.dumps(said))
        for alias, text in answers.items():
            (folder / "output" / f"{alias}.md").write_text(text)
    return tmp_path


def ran(home: Path, *words: str) -> list[str]:
    out = io.StringIO()
    call_command("import_original_suite", str(home), *words, stdout=out)
    return out.getvalue().splitlines()


@pytest.mark.django_db
def test_tasks_and_answers_come_over_scored_and_a_second_run_adds_nothing(home: Path) -> None:
    assert ran(home, "--dry-run")[-1] == "Nothing was written."
    assert not Task.objects.exists()
    told = ran(home)
    assert told[0] == "tasks of the suite: 4 new, 0 there already, 1 left out"
    assert told[1].startswith("  odd: the file gone.py is neither")
    assert "saved answers: 5 new, 0 there already, 2 left out" in told
    assert "  claim-a, gone: there is no model of this name" in told
    assert any("no date of their own" in line for line in told)
    (one,) = SuitePass.objects.all()
    assert (one.kind, one.ended_at) == ("import", one.created_at)
    rows = Attempt.objects.order_by("version__task__slug", "language_model__alias")
    fields = ("version__task__slug", "language_model__alias", "outcome", "failure", "seconds", "tokens_in")
    assert list(rows.values_list(*fields)) == [
        ("claim-a", "fast", "answered", "", 0, None),
        ("claim-a", "slow", "timeout", "timeout", 0, None),
        ("rebench-x-1-bug", "fast", "answered", "", 0, None),
        ("rebench-x-1-bug", "slow", "answered", "", 0, None),
        ("rebench-x-1-control", "fast", "answered", "", 0, None),
    ]
    scores = Score.objects.order_by("attempt__version__task__slug", "attempt__language_model__alias")
    assert [(row.found, row.hunt) for row in scores] == [(1, ""), (1, "found"), (0, "wrong line"), (1, "clean")]
    assert set(rows.values_list("at", flat=True)) == {one.created_at}
    assert set(Task.objects.filter(draft=True).values_list("slug", flat=True)) == {"draft-a"}
    again = ran(home)
    assert again[0].startswith("tasks of the suite: 0 new, 4 there already, 1 left out")
    assert "saved answers: 0 new, 5 there already, 2 left out" in again
    assert SuitePass.objects.count() == 1


@pytest.mark.django_db
def test_a_task_that_is_here_and_asks_something_else_stays_and_takes_no_answers(home: Path) -> None:
    ran(home)
    file = home / "suite" / "tasks" / "claim-a" / "task.json"
    file.write_text(json.dumps({**CLAIM, "prompt": "Is it otherwise?"}))
    (file.parent / "output" / "fast.md").write_text("VERDICT: FALSE\nNo.")
    told = ran(home / "suite" / "tasks")
    assert "  claim-a: a task of this name is here and asks or expects something else" in told
    assert "  claim-a, fast: its task is left out" in told
    assert TaskVersion.objects.filter(task__slug="claim-a").count() == 1
    assert Attempt.objects.count() == 5


@pytest.mark.django_db
def test_files_come_from_the_repository_that_is_named_and_a_new_answer_is_added(home: Path, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "gone.py").write_text("x = 1")
    ran(home, "--repo", f"default={tmp_path / 'code'}")
    assert TaskVersion.objects.get(task__slug="odd").attachments == [{"name": "gone.py", "text": "x = 1"}]
    (home / "suite" / "tasks" / "claim-a" / "output" / "fast.md").write_bytes(b"VERDICT: FALSE\n\xff\0")
    told = ran(home, "--repo", f"default={tmp_path / 'code'}")
    assert "saved answers: 1 new, 5 there already, 1 left out" in told
    newest = Attempt.objects.latest("id")
    assert newest.answer == "VERDICT: FALSE\n\ufffd\ufffd"


@pytest.mark.django_db
def test_two_names_of_one_model_give_one_answer(home: Path) -> None:
    (home / "suite" / "tasks" / "claim-a" / "output" / "swift.md").write_text("VERDICT: FALSE\nNo.")
    assert "  claim-a, swift: there is another of fast" in ran(home)


@pytest.mark.django_db
@pytest.mark.parametrize(("words", "why"), [((), "no tasks of the original"), (("--repo", "code"), "NAME=FOLDER")])
def test_what_cannot_be_done_is_refused(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        ran(tmp_path, *words)
