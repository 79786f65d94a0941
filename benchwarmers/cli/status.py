"""`bench status`: how the installation stands."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command
from benchwarmers.cli.server import Server


@click.command("status", cls=Command, examples=("bench status", "bench status --json --url http://bench.lan:8122"))
def status() -> None:
    """Say how the installation stands: version, counts, schedule, what is being taken on."""
    show.reply(Server().get("/api/status"), _say)


LEFT_OUT: Final = frozenset({"ok", "errors", "scheduler_jobs", "onboarding", "scheduler"})


def _say(told: Any) -> None:
    pairs = [(name.replace("_", " "), value) for name, value in told.items() if name not in LEFT_OUT]
    if "scheduler" in told:
        jobs = [name for name, on in (told.get("scheduler_jobs") or {}).items() if on]
        pairs.append(("scheduler", f"{told['scheduler']}: {', '.join(jobs) or 'no job is on'}"))
    onboarding = told.get("onboarding") or {}
    if onboarding.get("items"):
        state = "running" if onboarding.get("running") else "waiting"
        pairs.append(("onboarding", f"{onboarding['items']} models, {state}"))
    show.facts(pairs)


COMMANDS: Final = {"status": status}
