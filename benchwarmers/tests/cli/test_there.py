"""Every command that scripts of the original may use is there, with each of its options."""

from __future__ import annotations

import click
import pytest

from benchwarmers.cli.main import bench

COMMANDS = {
    "serve": "",
    "gateway": "",
    "init": "",
    "mcp": "",
    "status": "",
    "ask": "-f --file --system --merged --all --with",
    "verdict": "--useful --not-useful --note --real --false",
    "models": "--all --find --role",
    "model rename": "",
    "model role": "",
    "model ad-hoc": "",
    "model max-tokens": "",
    "model retire": "--reason -y --yes",
    "model restore": "",
    "model retry": "",
    "candidates": "--endpoint --find --new --dismissed",
    "onboard": "--endpoint --wait --quick --ad-hoc",
    "dismiss": "--endpoint --undo",
    "collections": "",
    "collection show": "",
    "collection rm": "-y --yes",
    "collection save": "--members --add --remove --shape --description --tags --reply --merger",
    "endpoints": "",
    "endpoint add": "--base --kind --hub --key-stdin",
    "endpoint test": "",
    "endpoint key": "--key-stdin",
    "endpoint rm": "--with-models -y --yes",
    "endpoint default": "",
    "keys": "",
    "key create": "--collections --rpm",
    "key revoke": "-y --yes",
    "settings gateway": "--max-calls --max-explorers",
    "settings client": "",
    "settings scheduler": "--on --off",
    "up": "",
    "import": "",
    "watch": "",
    "route": "",
    "suite": "",
    "doctor": "",
}


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_there_with_its_options(words: str) -> None:
    command: click.Command = bench
    for word in words.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, words
        command = found
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {*COMMANDS[words].split(), "--json", "--url"} - known == set()
