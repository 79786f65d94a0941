"""`bench onboard`: takes models on, and says how the queue of them stands."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

import click

from benchwarmers.cli import show
from benchwarmers.cli.base import Command, Failed, setup
from benchwarmers.cli.server import Server

QUEUE: Final = "/api/onboard-queue"
POLL_S: Final = 5.0
"""Between two looks at the queue."""
STEPS: Final = 5
OPEN: Final = ("queued", "running")
HEADINGS: Final = ("served", "endpoint", "mode", "state", "alias", "note")


@click.command(
    "onboard",
    cls=Command,
    examples=(
        "bench onboard qwen/qwen3-coder --endpoint openrouter --wait",
        "bench onboard llama3.2 mistral-small --quick",
        "bench onboard status",
    ),
)
@click.argument("served", nargs=-1, required=True, metavar="SERVED... | status | stop | clear")
@click.option("--endpoint", default="", help="Where they are served; else the default endpoint.")
@click.option("--quick", is_flag=True, help="Without the suite; scheduled passes fill it in.")
@click.option("--ad-hoc", is_flag=True, help="Seated only where asked for, and never by schedule. Needs --quick.")
@click.option("--wait", is_flag=True, help="Until all are done. Ends with 1 when one is not.")
def onboard(served: tuple[str, ...], endpoint: str, quick: bool, ad_hoc: bool, wait: bool) -> None:
    """Take models on by their served names, or look after the queue.

    `status` says how it stands, `stop` skips what waits, `clear` forgets the results.
    """
    server = Server()
    if served == ("status",):
        if wait:
            _follow(server, set())
            return
        show.reply(server.get(QUEUE), _say)
        return
    if served in (("stop",), ("clear",)):
        show.reply(server.post(f"{QUEUE}/{served[0]}", {}), _say)
        return
    if ad_hoc and not quick:
        raise click.UsageError("--ad-hoc needs --quick.")
    mode = "full" if not quick else "quick-adhoc" if ad_hoc else "quick"
    items = [{"served": name, "mode": mode} | ({"endpoint": endpoint} if endpoint else {}) for name in served]
    answer = server.post(QUEUE, {"items": items})
    if wait:
        _follow(server, set(served))
    else:
        show.reply(answer, _say)


def _say(told: Any) -> None:
    rows = [[row.get(name) for name in HEADINGS] for row in told.get("items") or []]
    show.table(HEADINGS, rows, none="The queue is empty.")
    if told.get("stopping"):
        show.say("Stopping: what runs goes on to its end.", err=True)


def _follow(server: Server, served: set[str]) -> None:
    """Until none of these is open; news on the way. Raises Failed when one ended badly."""
    told = _News()
    while True:
        answer = server.get(QUEUE)
        ours = [row for row in answer.data.get("items") or [] if not served or _is_among(row, served)]
        told.tell(ours)
        if not any(row.get("state") in OPEN for row in ours):
            break
        time.sleep(POLL_S)
    told.end()
    show.reply(answer, _say)
    bad = [str(row.get("served")) for row in ours if row.get("state") != "done"]
    if bad:
        raise Failed(f"Not taken on: {', '.join(bad)}.")


def _is_among(row: dict[str, Any], served: set[str]) -> bool:
    return bool(served & {row.get("served"), f"{row.get('served')}@{row.get('endpoint')}"})


class _News:
    """What has changed since the last look, on stderr: a line that moves on a terminal, else a line for each change."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}
        self._status: Any = None
        if show.is_terminal(sys.stderr) and not setup().json:
            from rich.console import Console

            self._status = Console(stderr=True, highlight=False).status("Looking at the queue")
            self._status.start()

    def tell(self, rows: list[dict[str, Any]]) -> None:
        now = {f"{row.get('served')}@{row.get('endpoint')}": _standing(row) for row in rows}
        if self._status is not None:
            from rich.text import Text

            runs = [f"{name}: {state}" for name, state in now.items() if state.startswith("running")]
            ended = sum(row.get("state") not in OPEN for row in rows)
            self._status.update(Text(show.harmless(f"{ended} of {len(rows)} done. {'; '.join(runs)}")))
        else:
            for name, state in now.items():
                if self._seen.get(name) != state:
                    show.say(f"{name}: {state}", err=True)
        self._seen = now

    def end(self) -> None:
        if self._status is not None:
            self._status.stop()


def _standing(row: dict[str, Any]) -> str:
    return f"running, step {row['step']} of {STEPS}" if row.get("step") else str(row.get("state"))


COMMANDS: Final = {"onboard": onboard}
