"""The task and its judgement."""

from __future__ import annotations

import pytest

from benchwarmers.tests.agents.task import AFTER, BEFORE, LINE, Task, find_task, judge


def test_a_task_is_found_again_in_what_an_agent_makes_of_its_words() -> None:
    task = Task("/tmp/agent-1/project/notes.txt")
    assert find_task(f"<system>Be brief.</system>\n\n{task.prompt}\n\nToday is Sunday.") == task
    assert find_task("Title this conversation") is None


@pytest.mark.parametrize(
    ("left", "problem"),
    [
        (AFTER, ""),
        (AFTER.rstrip("\n"), ""),
        (BEFORE, "the file is as it was"),
        (None, "the file is gone"),
        (f"{AFTER}{LINE}\n", "the line was appended more than once"),
        (f"{LINE}\n{BEFORE}", "the file was edited otherwise"),
        ("", "the file was edited otherwise"),
    ],
)
def test_only_the_file_that_was_asked_for_will_do(left: str | None, problem: str) -> None:
    assert judge(left).startswith(problem)
    assert bool(judge(left)) is bool(problem)
