"""Each command that the documents print is run by a test as it stands, or stands in `unrun` with the reason."""

from __future__ import annotations

import re

import pytest

from benchwarmers.tests.commands import test_live
from benchwarmers.tests.commands.printed import Printed, commands, printed
from benchwarmers.tests.commands.unrun import UNRUN
from benchwarmers.tests.live import test_formats_docs, test_tutorial_docs

RUNNERS = (test_live, test_formats_docs, test_tutorial_docs)
"""Tests that take commands from the pages and run them: their `RUNS` are (page, command)."""


def ran() -> set[tuple[str, str]]:
    return set().union(*(runner.RUNS for runner in RUNNERS))


def reasons(one: Printed) -> list[str]:
    return [why for page, text, why in UNRUN if re.fullmatch(page, one.page) and re.match(text, one.text)]


def test_every_command_is_run_or_has_a_reason_why_not() -> None:
    there = ran()
    assert len(printed()) > 150
    assert [one for one in printed() if (one.page, one.text) not in there and not reasons(one)] == []


def test_no_reason_is_given_for_what_is_run_and_none_for_nothing() -> None:
    there = ran()
    assert [one for one in printed() if (one.page, one.text) in there and reasons(one)] == []
    used = {why for one in printed() for why in reasons(one)}
    assert {why for _, _, why in UNRUN} - used == set()


def test_what_is_run_is_printed() -> None:
    assert ran() - {(one.page, one.text) for one in printed()} == set()


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ("make up\n", ["make up"]),
        ("# only a remark\nmake up   # try it\n", ["make up   # try it"]),
        ("curl a \\\n  -d b\nmake up\n", ["curl a    -d b", "make up"]),
        ("python3 -c 'import x\nprint(x)'\n", ["python3 -c 'import x\nprint(x)'"]),
        ("\n", []),
    ],
)
def test_commands_are_told_apart(block: str, wanted: list[str]) -> None:
    assert list(commands(block)) == wanted
