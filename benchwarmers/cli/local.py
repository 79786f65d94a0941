"""What runs on this machine: the server itself, and the commands that work on its folder.

Each is a program of its own, which takes this one's place; settings are the server's (docs/settings.md).
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NoReturn

import click

from benchwarmers.cli.base import Command

GATEWAY_PORT: Final = "8123"
PASSED_ON: Final = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []}
"""For commands whose words are all those of another program, `--help` too."""


def become(*words: str, **variables: str) -> NoReturn:
    """Run `python -m` with these words in this process's place, wherever it was started."""
    from benchwarmers.version import ROOT

    # A clone is no installed package: its folder is named. Where the person stands stays as it is, and nothing is
    # imported from there (-P).
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH", "")) if part)
    environment = os.environ | {"PYTHONPATH": path} | variables
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, "-P", "-m", *words], environment)  # noqa: S606 our own modules


def manage(*words: str) -> NoReturn:
    """Run one of Django's commands."""
    become("benchwarmers.manage", *words)


@click.command("up", cls=Command, examples=("bench up", "BENCH_PORT=9000 bench up"))
def up() -> None:
    """Run everything on this machine until Ctrl-C: queue, server, worker and schedule."""
    become("benchwarmers.up")


@click.command("serve", cls=Command, examples=("bench serve",))
def serve() -> None:
    """Run everything on this machine; another name for `bench up`."""
    become("benchwarmers.up")


@click.command("gateway", cls=Command, examples=("bench gateway", "BENCH_GATEWAY_PORT=9001 bench gateway"))
def gateway() -> None:
    """Serve the gateway's routes alone, beside an installation that runs.

    One web process more, on BENCH_GATEWAY_PORT (8123 unless set) and without pages. It uses the database and Redis of
    the installation: the same data folder, or the same DATABASE_URL, REDIS_URL and secret keys.
    """
    port = os.environ.get("BENCH_GATEWAY_PORT", "").strip() or GATEWAY_PORT
    become("benchwarmers.serve", "gateway", BENCH_GATEWAY_PORT=port)


@click.command("init", cls=Command, examples=("bench init", "BENCHWARMERS_HOME=/srv/bench bench init"))
def init() -> None:
    """Make the data folder, its secrets and its database. Safe to repeat."""
    manage("init")


@click.command("doctor", cls=Command, examples=("bench doctor",))
def doctor() -> None:
    """Check the installation on this machine, and say what is wrong and what to do."""
    manage("doctor")


def passed(name: str, command: str, about: str, *examples: str) -> click.Command:
    """A command whose words go on to one of Django's."""

    @click.command(name, cls=Command, examples=examples, context_settings=dict(PASSED_ON), help=about)
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def pass_on(words: tuple[str, ...]) -> None:
        if words in (("-h",), ("--help",)):
            click.echo(click.get_current_context().get_help())
            click.echo("\nWhat it takes:\n", nl=True)
            words = ("--help",)
        manage(command, *words)

    found: Any = pass_on
    return found  # type: ignore[no-any-return]


COMMANDS: Final = {
    "up": up,
    "serve": serve,
    "gateway": gateway,
    "init": init,
    "doctor": doctor,
    "apply": passed(
        "apply",
        "apply",
        "Make the installation on this machine as a set-up file says.",
        "bench apply setup.toml",
    ),
    "backup": passed(
        "backup",
        "backup",
        "Back up the installation on this machine into one file, while it runs.",
        "bench backup /srv/backups",
        "bench backup --with-keys whole.zip",
    ),
    "restore": passed(
        "restore",
        "restore",
        "Make the installation on this machine be what a backup has.",
        "bench restore --check backup.zip",
        "bench restore backup.zip",
    ),
    "import": passed(
        "import",
        "import_original",
        "Move in from the original: read its data folder into the installation on this machine.",
        "bench import ~/.local/share/benchwarmers-old --dry-run",
        "bench import ~/.local/share/benchwarmers-old --owner maya",
    ),
}
