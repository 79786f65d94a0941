"""What the squad says where it is asked for a planted change, or to judge a claim."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from gateway.practice.hunt import read_hunt
from gateway.practice.request import read_request
from gateway.practice.squad import CHARACTERS, play

FILE = [f"x{number} = {number}" for number in range(1, 61)]
ASKED = (
    "Was it changed? The first line is exactly `FAULT: line N`, or exactly `NO FAULT`.\n\n===== FILE: pkg/a.py =====\n"
)


def known(name: str) -> Sequence[str]:
    return FILE if name == "pkg/a.py" else ()


def shown(changed: int = 0, first: int = 1, last: int = 60) -> str:
    """The prompt with these lines of the file, of which one is changed."""
    lines = [*FILE]
    if changed:
        lines[changed - 1] = "y = 0"
    return ASKED + "\n".join(f"{number:>2} | {lines[number - 1]}" for number in range(first, last + 1))


def said(served: str, prompt: str, seed: int = 1) -> str:
    body = msgspec.json.encode({"model": served, "messages": [{"role": "user", "content": prompt}]})
    return play(served, read_request(body), Random(seed), recall=known).text("text")


def first(served: str, prompt: str, seed: int = 1) -> str:
    return said(served, prompt, seed).splitlines()[0]


@pytest.mark.parametrize(
    ("changed", "right"),
    [(5, {"slow", "terse", "thinker"}), (25, {"slow", "thinker"}), (45, {"thinker"})],
)
def test_a_change_is_found_as_far_as_a_character_reads(changed: int, right: set[str]) -> None:
    found = {served for served in CHARACTERS[:5] if first(served, shown(changed)) == f"FAULT: line {changed}"}
    assert found == right


def test_line_numbers_are_those_that_are_shown() -> None:
    assert first("slow", shown(45, first=40)) == "FAULT: line 45"
    assert first("slow", shown(first=40)) == "NO FAULT"


def test_code_as_it_was_is_called_so_by_all_but_one() -> None:
    assert {served: first(served, shown()) for served in CHARACTERS if served != "wrong"} == dict.fromkeys(
        [served for served in CHARACTERS if served != "wrong"], "NO FAULT"
    )


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("changed", [0, 1, 30, 60])
def test_wrong_is_sure_of_a_fault_and_never_right(seed: int, changed: int) -> None:
    line = int(first("wrong", shown(changed), seed).removeprefix("FAULT: line "))
    assert 1 <= line <= 60
    assert abs(line - changed) > 1 or not changed


def test_code_that_nobody_has_read_tells_nobody_anything() -> None:
    assert first("thinker", shown(5).replace("pkg/a.py", "own/b.py")) == "NO FAULT"


def test_terse_says_one_line() -> None:
    assert said("terse", shown(5)) == "FAULT: line 5"


def test_claims_are_agreed_with_except_by_wrong() -> None:
    asked = "Is it so? The first line is exactly `VERDICT: TRUE` or `VERDICT: FALSE`."
    assert {served: first(served, asked) for served in CHARACTERS[:5]} == {
        "slow": "VERDICT: TRUE",
        "wrong": "VERDICT: FALSE",
        "terse": "VERDICT: TRUE",
        "flaky": "VERDICT: TRUE",
        "thinker": "VERDICT: TRUE",
    }


@pytest.mark.parametrize(
    "text",
    ["", "===== FILE: a.py =====\n1 | x", "FAULT: line N", "FAULT: line N\n===== FILE: a.py =====\nno numbers"],
)
def test_other_prompts_are_no_hunts(text: str) -> None:
    assert read_hunt(text) is None


@pytest.mark.parametrize("text", ["===== FILE: " * 2_000, " " * 20_000, "1 | " * 5_000, "===== FILE: a" + " " * 20_000])
def test_a_hostile_prompt_takes_no_time(text: str) -> None:
    read_hunt(f"FAULT: line N\n{text}")
