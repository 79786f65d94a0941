"""An answer cut into claims, and what the key says of each."""

from __future__ import annotations

import pytest

from gateway.canon.kinds import TaskShape
from suite.judging.claims import Claim, claims, units
from suite.keys import read_key
from suite.scoring import score

KEY = read_key(
    {
        "must_find": ["the handle leaks", {"regex": r"line 4\d", "label": "line 40"}],
        "must_not_claim": ["the lock is taken twice"],
    }
)


def judged(answer: str, shape: TaskShape = TaskShape.FINDING) -> list[tuple[str, bool | None]]:
    scored = score(KEY, shape, control=False, answer=answer)
    steps = [{"kind": one.kind, "label": one.label, "how": one.how} for one in scored.steps]
    return [(claim.text, claim.truth) for claim in claims(KEY, shape, steps, answer)]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (
            "The handle leaks in close(). Nobody frees the buffer.",
            ["The handle leaks in close().", "Nobody frees the buffer."],
        ),
        ("- The handle leaks. It is never freed.\n- Nobody frees the buffer", 2),
        ("1. The handle leaks when it\n   fails to open\n2) Nobody frees the buffer", 2),
        ("# What I found in this file\n\nHere is what I found here:\n\nIs the handle closed anywhere?", 0),
        ("```python\nthe_handle_leaks = open('a file') or None\n```", 0),
        ("| place | what is wrong here |\n|---|---|\n| close() | the handle leaks there |", 1),
        ("It is too short.", 0),
        ("x" * 900, 1),
        ("", 0),
    ],
)
def test_items_and_rows_are_claims_as_a_whole_and_other_text_by_sentence(answer: str, found: list[str] | int) -> None:
    told = units(answer)
    assert (told if isinstance(found, list) else len(told)) == found
    assert all(len(one) <= 400 for one in told)


def test_wrapped_lines_are_one_claim() -> None:
    assert units("The handle leaks when\nthe file cannot be opened.") == [
        "The handle leaks when the file cannot be opened."
    ]
    assert units("- The handle leaks when\n  the file cannot be opened.") == [
        "The handle leaks when the file cannot be opened."
    ]


@pytest.mark.parametrize(
    ("said", "truth"),
    [
        ("In close() the handle leaks every time", True),
        ("The lock is taken twice by the writer", False),
        ("Nobody frees the buffer after a retry", None),
    ],
)
def test_a_claim_is_what_the_key_says_of_it(said: str, truth: bool | None) -> None:
    assert judged(f"- {said}") == [(said, truth)]


@pytest.mark.parametrize(
    "said",
    [
        "The handle leaks because the lock is taken twice",
        "It is not so that the lock is taken twice by anybody",
    ],
)
def test_what_touches_the_key_without_saying_it_plainly_is_neither_known_nor_unknown(said: str) -> None:
    assert judged(f"- {said}") == []


def test_the_same_words_are_one_claim() -> None:
    assert len(judged("- Nobody frees the buffer at all\n- Nobody frees the buffer at all")) == 1


CLAIM_KEY = read_key({"must_find": ["verdict: false"], "score_in": "first_line", "min_answer_chars": 10})


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("VERDICT: FALSE\nThe lock is\nheld once.", [Claim("VERDICT: FALSE The lock is held once.", True)]),
        ("VERDICT: TRUE\nIt is held twice.", [Claim("VERDICT: TRUE It is held twice.", False)]),
        ("I cannot tell from this.\nTRUE, perhaps.", []),
    ],
)
def test_a_verdict_on_a_claim_is_one_claim(answer: str, found: list[Claim]) -> None:
    scored = score(CLAIM_KEY, TaskShape.CLAIM, control=False, answer=answer)
    steps = [{"kind": one.kind, "label": one.label, "how": one.how} for one in scored.steps]
    assert claims(CLAIM_KEY, TaskShape.CLAIM, steps, answer) == found


def test_a_hunt_has_no_claims() -> None:
    assert judged("FAULT: line 40\nThe handle leaks there every time.", TaskShape.SEEDED) == []
