"""`bench watch`: follows a panel that runs, from wherever it was asked."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.ask import tell_seats
from benchwarmers.cli.base import Command, Failed, setup
from benchwarmers.cli.server import Server
from benchwarmers.cli.sse import Event, events


@click.command(
    "watch", cls=Command, examples=("bench watch p20270105-091500-7c1e", "bench watch p20270105-091500-7c1e --json")
)
@click.argument("panel")
@click.option("--answers", is_flag=True, help="Print each answer as its seat finishes.")
def watch(panel: str, answers: bool) -> None:
    """Follow a panel that you asked for until it is done.

    On a terminal its seats are shown as they stand, in a pipe a line for each that finishes. With --json, the data of
    each event on a line.
    """
    server = Server()
    told: dict[str, Any] | None = None
    with server.stream("GET", f"/bench/panels/{panel}/events") as answer:
        seen = events(answer.iter_lines())
        if setup().json:
            told = _print_events(seen)
        elif show.is_terminal(sys.stdout):
            told = _show_live(server, panel, seen, answers)
        else:
            told = _print_lines(seen, answers)
    if told is None:
        raise Failed("The events ended before the panel did; ask for it again.")
    if not setup().json:
        show.say(f"Panel {panel} is {told.get('state')}.", err=True)
        tell_seats(told)


def _print_events(seen: Any) -> dict[str, Any] | None:
    told = None
    for event in seen:
        click.echo(event.data)
        told = _end(event) or told
    return told


def _print_lines(seen: Any, answers: bool) -> dict[str, Any] | None:
    told = None
    for event in seen:
        if event.name == "seat":
            show.say(seat_line(event.told))
            if answers:
                show.text(f"{event.told.get('answer') or ''}\n")
        told = _end(event) or told
    return told


def _show_live(server: Server, panel: str, seen: Any, answers: bool) -> dict[str, Any] | None:
    from benchwarmers.cli.live import Board

    with Board() as board:
        board.seats(server.get(f"/bench/panels/{panel}").data.get("seats") or [])
        told = None
        for event in seen:
            if event.name == "seat":
                board.write(f"{seat_line(event.told)}\n")
                if answers:
                    board.write(f"{event.told.get('answer') or ''}\n\n")
                board.seats(server.get(f"/bench/panels/{panel}").data.get("seats") or [])
            told = _end(event) or told
    return told


def _end(event: Event) -> dict[str, Any] | None:
    return event.told if event.name == "panel" else None


def seat_line(seat: dict[str, Any]) -> str:
    """A seat that has finished, in a line."""
    error = f": {' '.join(str(seat['error']).split())}" if seat.get("error") else ""
    return f"{seat.get('call')}  {seat.get('alias')}  {seat.get('status')} in {show.cell(seat.get('seconds'))} s{error}"


COMMANDS: Final = {"watch": watch}
