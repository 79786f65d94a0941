"""What a script notices in a prompt."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from gateway.practice.prompt import Finding, read_prompt, shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What is 17 + 25?", "42"),
        ("what is 17+25", "42"),
        ("12 times 12 please", "144"),
        ("6 x 7", "42"),
        ("6*7", "42"),
        ("1 - 3", "-2"),
        ("10 / 4", "2.5"),
        ("1 divided by 3", "0.3333"),
        ("0.1 + 0.2", "0.3"),
        ("-4 + 1", "-3"),
    ],
)
def test_a_calculation_is_worked_out_exactly(text: str, value: str) -> None:
    found = read_prompt(text).sum
    assert found is not None
    assert found.value is not None
    assert shown(found.value) == value


@pytest.mark.parametrize("text", ["on 2026-11-29", "v1.2+3.4.5", "and/or", "a + b", "2x4 boards", "page 3/4"])
def test_dates_versions_and_fractions_are_no_calculations(text: str) -> None:
    assert read_prompt(text).sum is None


def test_nothing_is_divided_by_zero() -> None:
    found = read_prompt("1 / 0").sum
    assert found is not None
    assert found.value is None


def test_faults_in_code_are_found_by_line() -> None:
    prompt = read_prompt(
        "Review this:\n```python\ndef f(a=[]):\n    return a\n\nif f() == None:\n    pass\n```\nThanks"
    )
    assert prompt.code is not None
    assert prompt.code.lines == 5
    assert [(one.line, type(one)) for one in prompt.code.findings] == [(1, Finding), (4, Finding)]


def test_code_without_a_fence_is_seen_too() -> None:
    prompt = read_prompt("import os\n\ndef main():\n    for i in range(len(x)):\n        eval(x)\n    return 1\n")
    assert prompt.code is not None
    assert [one.line for one in prompt.code.findings] == [4, 5]


def test_an_ordinary_question_has_an_opening_a_keyword_and_a_count() -> None:
    prompt = read_prompt("How should we cache expensive queries without serving stale results?")
    assert prompt.opening == "How should we cache expensive queries without …"
    assert prompt.keyword == "expensive"
    assert prompt.words == 10
    assert (prompt.sum, prompt.code, prompt.items) == (None, None, 0)


@pytest.mark.parametrize(("text", "items"), [("List 3 risks", 3), ("name five", 5), ("give me 99 ideas", 10)])
def test_a_list_of_so_many_is_noticed(text: str, items: int) -> None:
    assert read_prompt(text).items == items


def test_numbers_are_kept_in_order() -> None:
    assert read_prompt("add 17 and 25.5").numbers == (Fraction(17), Fraction(51, 2))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n" * 50_000,
        " " * 50_000,
        "1 " * 25_000,
        "9" * 50_000,
        "(" * 50_000,
        "def f(" * 9_000,
        "```",
        "a-" * 25_000,
    ],
)
def test_odd_prompts_are_read_quickly(text: str) -> None:
    began = time.perf_counter()
    read_prompt(text)
    assert time.perf_counter() - began < 0.5
