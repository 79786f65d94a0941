"""`bench verdict`: says whether the answer of one seat helped."""

from __future__ import annotations

from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command
from benchwarmers.cli.server import Server


@click.command(
    "verdict",
    cls=Command,
    examples=(
        'bench verdict p20270105-091500-7c1e.member1 --useful --real "The lock is never released."',
        'bench verdict p20270105-091500-7c1e.explorer --not-useful --note "guessed" --false "Line 9 leaks."',
    ),
)
@click.argument("call")
@click.option("--useful/--not-useful", "useful", default=None, help="Whether it helped; one must be said.")
@click.option("--note", default="", help="What it was about, in a sentence.")
@click.option("--real", multiple=True, metavar="CLAIM", help="A claim that proved right. May be given again.")
@click.option("--false", multiple=True, metavar="CLAIM", help="A claim that proved wrong. May be given again.")
def verdict(call: str, useful: bool | None, note: str, real: tuple[str, ...], false: tuple[str, ...]) -> None:
    """Record a verdict on one call. A later one on the same call replaces it."""
    if useful is None:
        raise click.UsageError("Say --useful or --not-useful.")
    body: dict[str, Any] = {"call": call, "useful": useful}
    body |= {name: value for name, value in (("note", note), ("real", list(real)), ("false", list(false))) if value}
    show.reply(Server().post("/bench/verdict", body), _say)


def _say(told: Any) -> None:
    kept = told["recorded"]
    judged = "useful" if kept["useful"] else "not useful"
    counts = f"{len(kept.get('real') or [])} real and {len(kept.get('false') or [])} false claims"
    show.say(f"Recorded for {kept['call']}: {judged}, {counts}.")


COMMANDS: Final = {"verdict": verdict}
