"""`bench`: the list of commands, and how each way of ending becomes an exit code."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from benchwarmers.cli.base import STOPPED, Group

PLACES: Final = {
    "Ask and judge": {
        "ask": "ask",
        "route": "route",
        "watch": "watch",
        "verdict": "verdict",
        "collections": "collections",
    },
    "Run the bench": {
        "status": "status",
        "models": "models",
        "model": "models",
        "candidates": "candidates",
        "onboard": "onboard",
        "dismiss": "candidates",
        "collection": "collections",
        "endpoints": "endpoints",
        "endpoint": "endpoints",
        "sign-ins": "sign_ins",
        "sign-in": "sign_ins",
        "keys": "keys",
        "key": "keys",
        "settings": "settings",
    },
    "On this machine": {
        "up": "local",
        "serve": "local",
        "gateway": "local",
        "init": "local",
        "doctor": "local",
        "apply": "local",
        "backup": "local",
        "restore": "local",
        "import": "local",
        "suite": "suite",
        "mcp": "mcp",
        "completion": "completion",
    },
}
"""By heading, each command and the file of this folder that has it."""
NAMES: Final = ("bench", "benchwarmers")
FILES: Final = {name: file for places in PLACES.values() for name, file in places.items()}


class Bench(Group):
    """The root. A command's file is imported when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the headings."""
        return list(FILES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """None for a name that is no command."""
        if name not in FILES:
            return None
        module = importlib.import_module(f"benchwarmers.cli.{FILES[name]}")
        found: click.Command = module.COMMANDS[name]
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown command is told with those that come near."""
        if args and args[0] not in FILES:
            import difflib

            near = difflib.get_close_matches(args[0], FILES, 3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Under their headings."""
        width = formatter.width - max(map(len, FILES)) - 6
        for heading, names in PLACES.items():
            found = ((name, self.get_command(ctx, name)) for name in names)
            with formatter.section(heading):
                formatter.write_dl([(name, command.get_short_help_str(width)) for name, command in found if command])

    def main(self, args: Sequence[str] | None = None, *others: Any, **extra: Any) -> Any:
        """Run, and leave with the exit code."""
        _speak_utf8()
        extra["standalone_mode"] = False
        try:
            code = super().main(args, *others, **extra)
        except click.exceptions.Abort:
            click.echo("Stopped.", err=True)
            sys.exit(STOPPED)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def _speak_utf8() -> None:
    """Whatever the machine's language is: a pipe gets UTF-8 too."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _tell_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from benchwarmers.version import version

        click.echo(f"benchwarmers {version().number}")
        ctx.exit()


@click.group(cls=Bench, invoke_without_command=True)
@click.option(
    "-v", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="Say which it is."
)
@click.pass_context
def bench(ctx: click.Context) -> None:
    """Ask panels of language models, judge what they said, and run the bench they sit on.

    Without a command it serves, like `bench serve`. The routes that ask take BENCHWARMERS_KEY, those that change
    things BENCHWARMERS_TOKEN (or BENCHWARMERS_ADMIN_TOKEN); BENCHWARMERS_URL says where the server is and
    BENCHWARMERS_TIMEOUT how many seconds an answer may take.
    """
    if ctx.invoked_subcommand is None:
        command = bench.get_command(ctx, "serve")
        assert command is not None  # noqa: S101 it is in the table above
        ctx.invoke(command)


def main() -> None:
    """The programs `bench` and `benchwarmers`."""
    name = Path(sys.argv[0]).name
    bench.main(prog_name=name if name in NAMES else NAMES[0])
