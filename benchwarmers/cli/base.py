"""What every command has: `--json` and `--url` before or after it, examples in its help, and the ways it may end.

Exit codes: 0 done, 1 refused or failed, 2 wrongly asked, 3 nobody answers, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Final

import click

FAILED: Final = 1
UNREACHABLE: Final = 3
STOPPED: Final = 130


@dataclass
class Setup:
    """What holds for the whole command line. `url` is None where the environment decides."""

    json: bool = False
    url: str | None = None


class Failed(click.ClickException):
    """It was refused, or did not work: one sentence on stderr."""

    exit_code = FAILED

    def show(self, file: Any = None) -> None:
        """The sentence, without click's own word before it."""
        click.echo(f"bench: {self.format_message()}", err=True)


class Unreachable(Failed):
    """Nobody answers at the address."""

    exit_code = UNREACHABLE


def setup() -> Setup:
    """That of the command line that runs."""
    found: Setup = click.get_current_context().find_root().ensure_object(Setup)
    return found


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """A word given anywhere holds; one left out changes nothing."""
    if value and param.name is not None:
        setattr(ctx.find_root().ensure_object(Setup), param.name, value)


def _global_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--json"], is_flag=True, expose_value=False, callback=_keep, help="Print the server's reply unchanged."
        ),
        click.Option(
            ["--url"],
            metavar="URL",
            expose_value=False,
            callback=_keep,
            help="The server; BENCHWARMERS_URL, else http://127.0.0.1:8122.",
        ),
    ]


class Command(click.Command):
    """A command with the global options and examples. `examples` are whole lines as people type them."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **extra: Any) -> None:
        extra.setdefault("context_settings", {}).setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*args, **extra)
        self.examples = examples
        self.params += _global_options()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, each on its line."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"  {line}\n")


class Group(click.Group):
    """A command with commands below it."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **extra: Any) -> None:
        extra.setdefault("context_settings", {}).setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*args, **extra)
        self.params += _global_options()


def sees_terminal() -> bool:
    """Whether a person types."""
    return sys.stdin.isatty()


def confirm(question: str, yes: bool) -> None:
    """Ask before something that cannot be taken back, unless `-y` was said; without a terminal it must be."""
    if yes:
        return
    if not sees_terminal():
        raise click.UsageError("This asks first, and there is no terminal to ask on. Say -y to do it.")
    if not click.confirm(question, err=True):
        raise Failed("Nothing was changed.")


yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")


def read_secret(what: str) -> str:
    """A secret from stdin, without the line's end; asked for without an echo on a terminal."""
    if sees_terminal():
        return str(click.prompt(what, hide_input=True, err=True)).strip()
    secret = sys.stdin.readline().strip()
    if not secret:
        raise click.UsageError(f"{what}: stdin holds none.")
    return secret


def split(words: tuple[str, ...]) -> list[str]:
    """Words given one by one or parted by commas, each once, in their order."""
    parts = (part.strip() for word in words for part in word.split(","))
    return list(dict.fromkeys(part for part in parts if part))
