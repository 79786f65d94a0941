"""The set-ups as data: filled in, parsed, and telling each program where the gateway is."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from benchwarmers.tests.agents.flavour import Filling, Flavour, Program, filled
from benchwarmers.tests.agents.flavours import FLAVOURS, PROGRAMS

FILLING = Filling("/clients/run", "http://127.0.0.1:9", "secret", "bench/crew:route", "/rooms/1", "Read it")
LABELS = [flavour.label for flavour in FLAVOURS]


def test_no_two_flavours_share_a_name() -> None:
    assert len(set(LABELS)) == len(LABELS)
    assert {program.client for program in PROGRAMS} == {label.partition("/")[0] for label in LABELS}


@pytest.mark.parametrize("flavour", FLAVOURS, ids=LABELS)
def test_a_filled_flavour_has_the_address_the_key_and_the_model_and_no_placeholder(flavour: Flavour) -> None:
    done = filled(flavour, FILLING)
    told = "\n".join([*done.command, *done.first, *done.env.values(), *done.files.values()])
    assert "$" not in told
    assert all(words in told for words in (FILLING.base, FILLING.key, FILLING.model, FILLING.prompt))
    assert done.command[0] == FILLING.program


@pytest.mark.parametrize("flavour", FLAVOURS, ids=LABELS)
def test_every_configuration_file_can_be_read(flavour: Flavour) -> None:
    for name, text in filled(flavour, FILLING).files.items():
        assert not Path(name).is_absolute()
        assert tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


def test_a_placeholder_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(KeyError, match="address"):
        filled(Flavour(Program("one", "one", "1", "one"), "only", ("$program", "$address")), FILLING)
