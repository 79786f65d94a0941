"""Tasks as folders: read, refused with a reason, and kept."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from gateway.canon.kinds import TaskShape
from suite.folders import BadTask, read_task, read_tasks
from suite.models import Task

GOOD: dict[str, Any] = {
    "prompt": "Is it so?",
    "shape": "claim",
    "must_find": ["verdict: true"],
    "score_in": "first_line",
}


def made(folder: Path, name: str, fixtures: dict[str, str] | None = None, **said: Any) -> Path:
    place = folder / name
    (place / "fixtures").mkdir(parents=True)
    (place / "task.json").write_text(json.dumps({**GOOD, **said}))
    for file, text in (fixtures or {}).items():
        (place / "fixtures" / file).write_text(text)
    return place / "task.json"


def test_a_task_comes_with_its_files_and_what_its_shape_means(tmp_path: Path) -> None:
    made(tmp_path, "one", {"a.py": "x = 1"}, attach=["src/a.py"], repo="fixtures", created="2026-01-31T10:00:00Z")
    ((draft, waits),) = read_tasks(tmp_path)
    assert (draft.slug, draft.shape, waits) == ("one", TaskShape.CLAIM, False)
    assert draft.attachments == [{"name": "src/a.py", "text": "x = 1"}]
    assert draft.key["min_answer_chars"] == 10
    assert str(draft.created_on) == "2026-01-31"


def test_a_file_is_taken_from_the_repository_first_and_never_from_outside_it(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("from the repository")
    (tmp_path / "secret.txt").write_text("secret")
    file = made(tmp_path / "tasks", "one", {"a.py": "from the fixtures"}, attach=["a.py"])
    assert read_task(file, {"default": tmp_path / "code"})[0].attachments[0]["text"] == "from the repository"
    assert read_task(file, {})[0].attachments[0]["text"] == "from the fixtures"
    frozen = made(tmp_path / "tasks", "frozen", {"b.py.txt": "frozen"}, attach=["src/b.py"])
    assert read_task(frozen, {})[0].attachments == [{"name": "src/b.py", "text": "frozen"}]
    outside = made(tmp_path / "tasks", "two", attach=["../secret.txt"])
    with pytest.raises(BadTask, match="neither in the repository nor"):
        read_task(outside, {"default": tmp_path / "code"})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"shape": "riddle"}, "no shape 'riddle'"),
        ({"prompt": " "}, "no prompt"),
        ({"must_find": []}, "nothing to find"),
        ({"attach": ["gone.py"]}, "gone.py"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(tmp_path: Path, said: dict[str, Any], why: str) -> None:
    made(tmp_path, "odd", **said)
    with pytest.raises(BadTask, match=f"odd: .*{why}"):
        list(read_tasks(tmp_path))


@pytest.mark.django_db
def test_the_command_keeps_them_and_says_what_is_new(tmp_path: Path) -> None:
    made(tmp_path, "one")
    made(tmp_path, "two-control", draft=True, shape="seeded")
    out = io.StringIO()
    call_command("load_suite", str(tmp_path), stdout=out)
    call_command("load_suite", str(tmp_path), stdout=out)
    assert out.getvalue() == "2 tasks, 2 of them new or changed\n2 tasks, 0 of them new or changed\n"
    assert {(task.slug, task.draft, task.control) for task in Task.objects.all()} == {
        ("one", False, False),
        ("two-control", True, True),
    }
    with pytest.raises(CommandError, match="no folder"):
        call_command("load_suite", str(tmp_path / "nowhere"))
