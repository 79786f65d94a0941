"""docs/reference/commands.md: the commands of manage.py, from their own parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from django.core.management import get_commands, load_command_class

from benchwarmers.tests.house.reference.words import code, one_line, page, table
from benchwarmers.tests.house.tree import ROOT

OURS: Final = ("benchwarmers", "gateway", "collections_app", "probes", "suite")
_OF_ALL: Final = frozenset(
    {"help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"}
)


def write() -> str:
    """The page."""
    return page(
        "Commands of manage.py",
        "Run on the machine where the server is, as `.venv/bin/python manage.py NAME`; they work on the data "
        "folder and the database of the environment ([settings](../settings.md)). Each also takes Django's own "
        "options, such as `--verbosity`; `manage.py NAME --help` lists all. "
        "From elsewhere there are [the command line](../cli.md) and [the routes](routes.md).",
        *(f"## {name}\n\n{text}" for name, text in _sections()),
    )


def names() -> dict[str, str]:
    """Our commands, by name: the app that each is in."""
    return {name: str(app) for name, app in sorted(get_commands().items()) if str(app) in OURS}


def _sections() -> Iterator[tuple[str, str]]:
    for name, app in names().items():
        command = load_command_class(app, name)
        rows = [row for action in command.create_parser("manage.py", name)._actions for row in _row(action)]
        about = one_line(command.help)
        yield name, f"{about}\n\n{table(('argument', 'what'), rows)}" if rows else about


def _row(action: argparse.Action) -> Iterator[tuple[str, str]]:
    if action.dest in _OF_ALL or action.help == argparse.SUPPRESS:
        return
    spelling = ", ".join(action.option_strings) or _value(action)
    if action.option_strings and action.nargs != 0:
        spelling += f" {_value(action)}"
    yield code(spelling), one_line((action.help or "").replace("%(default)s", str(action.default))) + _default(action)


def _value(action: argparse.Action) -> str:
    if action.choices:
        return "|".join(filter(None, map(str, action.choices)))
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.metavar or action.dest.upper()


def _default(action: argparse.Action) -> str:
    if action.nargs == 0 or action.default in (None, False, "", [], ()) or callable(action.default):
        return ""
    told = str(action.default).removeprefix(f"{ROOT}/").removesuffix(".0")
    return "" if told in (action.help or "") or "%(default)" in (action.help or "") else f" Default: {code(told)}"
