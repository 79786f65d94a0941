"""What a sentence asserts and what it rules out, in hard cases."""

from __future__ import annotations

import pytest

from suite.negation import ruled_out, sentences

SAYS = [
    "line 40 does an [acquire]",
    "not bad, it runs an [insert]",
    "it is not only slow but runs an [insert]",
    "there is no doubt that it runs an [insert]",
    "it cannot help but [acquire] the lock",
    "not a select, but an [insert] is run",
    "nothing is read; an [insert] follows",
    "it does not read (an [insert] comes first)",
    "it does not fail to [acquire] the lock",
    "it is not true that nothing does an [acquire]",
    "the check is not a false alarm: an [insert] is run",
    "no fewer than two [insert]s are run",
    "although nothing is read, an [insert] is run",
    "an [acquire] without a timeout",
    "no locks held before, it takes [the lock] here",
    "the [acquire] is not released",
    "yes: [insert]",
    "it never returns because it waits for [the lock]",
]
RULES_OUT = [
    "nothing does an [acquire]",
    "it does not run an [insert]",
    "it doesn't run an [insert]",
    "it doesn\u2019t run an [insert]",
    "there is no select and no [insert]",
    "there is neither a select nor an [insert]",
    "it does not, as far as i can see, run an [insert]",
    "an [insert] is never run",
    "the [insert] does not happen",
    "[insert]: no",
    "that it runs an [insert] is wrong, and without [insert]".replace("[insert] is", "x is", 1),
    "it runs a select rather than an [insert]",
    "it fails to [acquire] the lock",
    "the claim that it runs an [insert] is false".replace("that it runs an [insert]", "of an [insert]"),
    "zero [insert]s are run",
    "it is impossible for it to [acquire] the lock",
    "the function lacks an [insert]",
    "not one [insert] is run",
]


def parted(marked: str) -> tuple[str, int, int]:
    start, end = marked.index("["), marked.index("]") - 1
    return marked.replace("[", "").replace("]", ""), start, end


@pytest.mark.parametrize("marked", SAYS)
def test_it_is_said(marked: str) -> None:
    assert not ruled_out(*parted(marked))


@pytest.mark.parametrize("marked", RULES_OUT)
def test_it_is_ruled_out(marked: str) -> None:
    assert ruled_out(*parted(marked))


def test_sentences_end_at_points_and_lines_but_not_in_numbers_and_names() -> None:
    assert [one for _, one in sentences("Not a reader. Line 40 of a.py does x!\nv1.2 is fine? Yes")] == [
        "Not a reader",
        " Line 40 of a.py does x",
        "v1.2 is fine",
        " Yes",
    ]
