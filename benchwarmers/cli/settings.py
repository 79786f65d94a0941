"""`bench settings`: the sizes of panels, who asks models, and what runs by schedule."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Failed, Group, split
from benchwarmers.cli.server import Server


@click.group("settings", cls=Group)
def settings() -> None:
    """Change how the whole installation behaves."""


@settings.command("gateway", examples=("bench settings gateway", "bench settings gateway --max-calls 6"))
@click.option("--max-calls", type=click.IntRange(1, 10), help="Seats of a panel, at most.")
@click.option("--max-explorers", type=click.IntRange(0, 2), help="Explorers among them, at most.")
def gateway(max_calls: int | None, max_explorers: int | None) -> None:
    """Show or bound the size of panels; what is not named keeps its value."""
    server = Server()
    pairs = (("max_calls", max_calls), ("max_explorers", max_explorers))
    said = {name: value for name, value in pairs if value is not None}
    answer = server.post("/api/gateway-settings", said) if said else server.get("/api/collections")
    show.reply(
        answer, lambda told: show.facts((name.replace("_", " "), value) for name, value in told["settings"].items())
    )


@settings.command("client", examples=("bench settings client built-in",))
@click.argument("name")
def client(name: str) -> None:
    """Choose the program that asks models. This server has its own, called built-in."""
    show.reply(Server().post("/api/client", {"client": name}), lambda told: show.say(f"Models are asked by {name}."))


@settings.command(
    "scheduler",
    examples=(
        "bench settings scheduler",
        "bench settings scheduler run --off perf,suite",
        "bench settings scheduler --on availability",
    ),
)
@click.argument("mode", required=False, type=click.Choice(["off", "log-only", "run"]))
@click.option("--on", multiple=True, metavar="JOBS", help="Jobs to turn on, parted by commas.")
@click.option("--off", multiple=True, metavar="JOBS", help="Jobs to turn off, parted by commas.")
def scheduler(mode: str | None, on: tuple[str, ...], off: tuple[str, ...]) -> None:
    """Show or change what runs by schedule; a job that is not named stays as it is."""
    server = Server()
    answer = server.get("/api/status")
    now, jobs = str(answer.data.get("scheduler") or ""), dict(answer.data.get("scheduler_jobs") or {})
    said = dict.fromkeys(split(on), True) | dict.fromkeys(split(off), False)
    unknown = [name for name in said if name not in jobs]
    if unknown:
        raise Failed(f"There is no job {', '.join(unknown)}; there are {', '.join(jobs)}.")
    if mode is not None or said:
        now, jobs = mode or now, jobs | said
        # Every job is named: servers of the original take one that is not for turned on.
        answer = server.post("/api/scheduler", {"mode": now, "jobs": jobs})

    def say(told: Any) -> None:
        show.facts([("scheduler", now), *((name, "on" if is_on else "off") for name, is_on in jobs.items())])

    show.reply(answer, say)


COMMANDS: Final = {"settings": settings}
