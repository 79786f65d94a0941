"""The pack as a whole: what it holds, how it is balanced, and that no prompt gives an answer away."""

from __future__ import annotations

import subprocess
from collections import Counter
from datetime import date
from pathlib import Path

from gateway.canon.kinds import TaskShape
from suite.folders import read_tasks
from suite.keys import digest_of, whole_prompt
from suite.scoring import claim_is_false, score
from suite.starter_pack import FOLDER
from suite.tests.starter.frozen import key_of, pack

ROOT = FOLDER.parents[1]
HUGE = 40_000
"""Characters of a prompt that any model has room for."""


def test_every_task_is_reviewed_ours_and_says_where_it_is_from() -> None:
    for draft, waits in read_tasks(FOLDER):
        assert not waits, draft.slug
        assert draft.slug.startswith("starter-"), draft.slug
        assert (draft.origin, draft.licence, draft.created_on) == ("starter", "MIT", date(2026, 11, 30)), draft.slug
        assert all((draft.why, draft.source, draft.language, draft.contamination)), draft.slug
        assert draft.attachments, draft.slug
        assert len(whole_prompt(draft.prompt, draft.attachments)) < HUGE, draft.slug


def test_there_are_enough_of_every_shape() -> None:
    tasks = pack().values()
    shapes = Counter(draft.shape for draft in tasks)
    assert len(tasks) >= 60
    assert shapes[TaskShape.SEEDED] >= 24
    assert shapes[TaskShape.CLAIM] >= 20
    assert shapes[TaskShape.FINDING] >= 10
    assert sum(draft.slug.startswith("starter-hard-") for draft in tasks) >= 8
    assert {draft.language for draft in tasks} == {"python", "javascript", "go"}


def test_true_and_false_claims_are_balanced() -> None:
    claims = [claim_is_false(key_of(draft)) for draft in pack().values() if draft.shape is TaskShape.CLAIM]
    assert sum(claims) * 2 == len(claims)


def test_no_two_tasks_ask_the_same() -> None:
    tasks = pack().values()
    asked = Counter(digest_of(draft.prompt, draft.attachments, {}) for draft in tasks)
    assert [draft.slug for draft in tasks if asked[digest_of(draft.prompt, draft.attachments, {})] > 1] == []
    assert len({draft.slug for draft in tasks}) == len(list(FOLDER.glob("*/task.json")))


def test_no_prompt_gives_its_answer_away() -> None:
    for draft in pack().values():
        assert draft.why not in whole_prompt(draft.prompt, draft.attachments), draft.slug
        if draft.shape is not TaskShape.SEEDED:  # both halves of a pair are asked in the same words
            found = score(key_of(draft), draft.shape, control=draft.control, answer=draft.prompt)
            assert (found.found, found.invented) == (0, ()), (draft.slug, found.steps)


def test_hunts_of_one_kind_are_worded_alike_whatever_is_behind_them() -> None:
    hunts = [draft for draft in pack().values() if draft.shape is TaskShape.SEEDED]
    assert len({draft.prompt for draft in hunts}) == 2  # of a function, and of a file


def _leaves_out(rules: list[str], file: str) -> bool:
    """Whether the image lacks the file: the last rule that fits one of its parts decides."""
    out = False
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        if any(Path(part).match(pattern) for part in file.split("/")):
            out = not rule.startswith("!")
    return out


def test_every_task_goes_with_the_program() -> None:
    """Into the repository, and into the image: nothing that leaves files out leaves any of these out."""
    files = [str(path.relative_to(ROOT)) for path in FOLDER.rglob("*") if path.is_file()]
    ignored = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=ROOT,
        input="\n".join(files),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ignored.stdout == ""
    rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert [file for file in files if _leaves_out(rules, file)] == []
    assert _leaves_out(rules, "suite/tests/starter/test_pack.py")
