"""docs/agents.md against the set-ups that are run."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from benchwarmers.tests.agents.flavour import ROUTE, Flavour, Program
from benchwarmers.tests.agents.flavours import FLAVOURS, PROGRAMS
from benchwarmers.tests.up.running import ROOT

PAGE = (ROOT / "docs" / "agents.md").read_text()
ROWS: list[tuple[str, str, str]] = re.findall(r"^\| \[(.+?)\]\(#(.+?)\) \| (.+?) \|", PAGE, re.M)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.client for program in PROGRAMS])
def test_the_table_names_the_version_that_is_run(program: Program) -> None:
    assert (program.client, program.version) in [(place, version) for _, place, version in ROWS]


@pytest.mark.parametrize("flavour", FLAVOURS, ids=[flavour.label for flavour in FLAVOURS])
def test_the_page_tells_every_variable_that_brings_an_address_or_a_key(flavour: Flavour) -> None:
    section = PAGE.split(f"\n## {_title(flavour.program)}\n")[1].split("\n## ")[0]
    for name, value in flavour.env.items():
        if "$base" in value or "$key" in value:
            assert name in section


def test_the_page_names_every_alias_that_is_run() -> None:
    aliases = {flavour.model for flavour in FLAVOURS} - {ROUTE}
    assert aliases
    assert all(f"`{name}`" in PAGE for name in aliases)


def test_every_configuration_on_the_page_can_be_read() -> None:
    blocks = re.findall(r"^```(toml|json)\n(.*?)^```", PAGE, re.M | re.S)
    assert len(blocks) > 4
    for kind, text in blocks:
        assert tomllib.loads(text) if kind == "toml" else json.loads(text)


def _title(program: Program) -> str:
    return next(title for title, place, _ in ROWS if place == program.client)
