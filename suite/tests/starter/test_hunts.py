"""Seeded tasks: each pair shows the same code twice, one of them with one change, and the key points at it."""

from __future__ import annotations

import ast
import textwrap
from difflib import SequenceMatcher

import pytest

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.scoring import score
from suite.seeding.languages import language
from suite.tests.starter.frozen import key_of, only, pack, plain, shown

HUNTS = [draft for draft in pack().values() if draft.shape is TaskShape.SEEDED]
BUGS = [pytest.param(draft, id=draft.slug) for draft in HUNTS if not draft.control]


def first_line(draft: Draft) -> int:
    return int(only(shown(draft)).partition("|")[0])


def test_every_hunt_has_its_other_half() -> None:
    by_slug = {draft.slug: draft for draft in HUNTS}
    for draft in HUNTS:
        other = by_slug[draft.pair]
        assert (other.pair, other.control, other.prompt) == (draft.slug, not draft.control, draft.prompt)
        assert other.attachments[0]["name"] == draft.attachments[0]["name"]
        assert (other.source, other.language) == (draft.source, draft.language)


@pytest.mark.parametrize("bug", BUGS)
def test_the_halves_differ_in_one_line_and_the_key_names_it(bug: Draft) -> None:
    control = pack()[bug.pair]
    changed, was = (plain(only(shown(draft))).splitlines() for draft in (bug, control))
    edits = [one for one in SequenceMatcher(None, was, changed, autojunk=False).get_opcodes() if one[0] != "equal"]
    ((kind, old, old_end, new, new_end),) = edits
    assert old_end - old == 1
    line = first_line(bug) + new
    if kind == "delete":
        assert key_of(bug).lines == (line - 1, line)
    else:
        assert (kind, new_end - new) == ("replace", 1)
        assert key_of(bug).lines == (line,)


@pytest.mark.parametrize("bug", BUGS)
def test_both_halves_can_be_read_as_their_language_and_mean_different_things(bug: Draft) -> None:
    changed, was = (textwrap.dedent(plain(only(shown(draft)))) for draft in (bug, pack()[bug.pair]))
    assert not language(bug.language).same(was, changed)
    if bug.language == "python":
        ast.parse(changed)
        ast.parse(was)


@pytest.mark.parametrize("bug", BUGS)
def test_a_right_answer_scores_and_a_wrong_one_does_not(bug: Draft) -> None:
    control = pack()[bug.pair]
    lines = key_of(bug).lines

    def hunt(draft: Draft, answer: str) -> tuple[int, str, bool]:
        scored = score(key_of(draft), draft.shape, control=draft.control, answer=answer)
        return scored.found, scored.hunt, scored.wrong

    for line in lines:
        assert hunt(bug, f"**FAULT: line {line}**\nIt is the wrong way round.") == (1, "found", False)
    assert hunt(bug, f"FAULT: line {max(lines) + 1}\nHere.") == (0, "wrong line", True)
    assert hunt(bug, "NO FAULT\nAll is well.") == (0, "missed", False)
    assert hunt(control, "NO FAULT\nAll is well.") == (1, "clean", False)
    assert hunt(control, f"FAULT: line {lines[0]}\nIt is the wrong way round.") == (0, "false alarm", True)


def test_whole_files_called_hard_are_long_and_functions_are_not() -> None:
    for draft in HUNTS:
        length = len(plain(only(shown(draft))).splitlines())
        if draft.slug.startswith("starter-hard-"):
            assert 99 <= length <= 400, draft.slug
        elif "::" in draft.source:
            assert 10 <= length <= 60, draft.slug
