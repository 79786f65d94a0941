"""What runs on this machine, help, completion, and what the command line loads."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click
import pytest

from benchwarmers.cli.base import Command
from benchwarmers.cli.main import FILES, bench
from benchwarmers.cli.suite import PASSES
from benchwarmers.tests.cli.conftest import Run
from benchwarmers.tests.cli.scripted import Scripted
from benchwarmers.tests.house.tree import ROOT


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The words and variables of the program that took this one's place."""
    seen: list[Any] = []

    def execve(program: str, words: list[str], environment: dict[str, str]) -> None:
        assert (program, words[:3]) == (sys.executable, [sys.executable, "-P", "-m"])
        seen.extend([words[3:], environment])
        raise click.exceptions.Exit(0)

    monkeypatch.setattr(os, "execve", execve)
    return seen


@pytest.mark.parametrize(
    ("line", "words", "variables"),
    [
        ("", ["benchwarmers.up"], {}),
        ("up", ["benchwarmers.up"], {}),
        ("serve", ["benchwarmers.up"], {}),
        ("gateway", ["benchwarmers.serve", "gateway"], {"BENCH_GATEWAY_PORT": "8123"}),
        ("init", ["benchwarmers.manage", "init"], {}),
        ("doctor", ["benchwarmers.manage", "doctor"], {}),
        ("apply setup.toml", ["benchwarmers.manage", "apply", "setup.toml"], {}),
        ("backup /kept --with-keys", ["benchwarmers.manage", "backup", "/kept", "--with-keys"], {}),
        ("restore a.zip --replace", ["benchwarmers.manage", "restore", "a.zip", "--replace"], {}),
        ("import /old --dry-run", ["benchwarmers.manage", "import_original", "/old", "--dry-run"], {}),
        ("suite run --models a --wait", ["benchwarmers.manage", "suite_pass", "--models", "a", "--wait"], {}),
        ("suite table --help", ["benchwarmers.manage", "suite_table", "--help"], {}),
    ],
)
def test_a_command_of_this_machine_becomes_its_program(
    run: Run, became: list[Any], line: str, words: list[str], variables: dict[str, str]
) -> None:
    assert run(*line.split()).exit_code == 0
    assert became[0] == words
    assert variables.items() <= became[1].items()
    assert str(ROOT) in became[1]["PYTHONPATH"].split(os.pathsep)


def test_every_suite_command_stands_for_one_of_djangos() -> None:
    for command, _about, _example in PASSES.values():
        assert (ROOT / "suite/management/commands" / f"{command}.py").exists(), command


def everything() -> Iterator[tuple[str, click.Command]]:
    """Each command with its words."""
    for name in FILES:
        command = bench.get_command(click.Context(bench), name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", one) for below, one in command.commands.items())


@pytest.mark.parametrize(("words", "command"), list(everything()), ids=[words for words, _ in everything()])
def test_every_command_has_help_with_an_example_that_names_it(run: Run, words: str, command: click.Command) -> None:
    assert command.help
    if isinstance(command, click.Group):
        return
    assert isinstance(command, Command)
    assert command.examples
    assert all(f"bench {words}" in one for one in command.examples)
    if command.context_settings.get("help_option_names") != []:
        for word in ("-h", "--help"):
            shown = run(*words.split(), word)
            assert (shown.exit_code, command.examples[0] in shown.stdout) == (0, True)


def test_the_page_of_the_documentation_has_every_command_and_no_other() -> None:
    page = (ROOT / "docs/cli.md").read_text()
    typed = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    calls = {hit for line in typed for hit in re.findall(r"\bbench ((?:[a-z][a-z-]* ?){1,2})", line)}
    known = {words for words, command in everything() if not isinstance(command, click.Group)}
    told = {next((words for words in known if f"{call.strip()} ".startswith(f"{words} ")), call) for call in calls}
    assert told - known == set(), "documented, and no command"
    assert known - told == set(), "commands without an example on the page"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_taught_to_complete(run: Run, shell: str) -> None:
    assert "_BENCH_COMPLETE" in run("completion", shell).stdout
    assert "_BENCHWARMERS_COMPLETE" in run("completion", shell, "--program", "benchwarmers").stdout


def program(*words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.environ["PATH"], "HOME": "/nowhere", **variables}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, timeout=60)


def test_completion_lists_commands_and_their_options() -> None:
    asked = {"_BENCH_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "bench coll"}
    assert program("-m", "benchwarmers.cli", **asked).stdout.split() == [b"plain,collections", b"plain,collection"]


def test_nothing_heavy_is_loaded() -> None:
    code = "import sys, benchwarmers.cli.main as m\nfor name in m.FILES: m.bench.get_command(None, name)\n"
    code += "print([n for n in ('django', 'httpx', 'rich', 'aiohttp') if n in sys.modules])"
    loaded = program("-c", code)
    assert loaded.stdout.strip() == b"[]", loaded.stderr


def test_help_and_a_question_cost_a_few_starts_of_python(server: Scripted) -> None:
    """Seven each, 80 ms, where the start of an empty program takes 11; an HTTP client library alone takes as much."""
    server.says("POST /v1/chat/completions", {"choices": [{"message": {"content": "Yes."}}]})
    empty = processor_seconds("-c", "pass")
    assert processor_seconds("-m", "benchwarmers.cli", "--help") < 12 * empty
    assert processor_seconds("-m", "benchwarmers.cli", "ask", "core", "Well?", "--url", server.url) < 12 * empty


def processor_seconds(*words: str) -> float:
    """What a program takes of the processor, at best."""
    spent = []
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert program(*words).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def test_output_is_utf8_whatever_the_machine_speaks(server: Scripted) -> None:
    model = {"alias": "é", "served": "ü", "retired": False}
    server.says("GET /api/models", {"ok": True, "models": [model]})
    shown = program("-m", "benchwarmers.cli", "models", "--url", server.url, LC_ALL="C", PYTHONUTF8="0")
    assert shown.stdout.decode("utf-8").splitlines()[1].split()[:2] == ["é", "ü"]
