"""`manage.py import_rebench [FILE]`: make tasks of bugs that were really made and repaired, from a set of fixes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from gateway.canon.fault import UpstreamFault
from gateway.engine.fetch import Fetched, fetch_document
from gateway.engine.transport import Transport
from probes.side import side
from suite.models import Task
from suite.real.hub import Hub
from suite.real.rows import BadRows, Row, read_file
from suite.real.take import REJECTED, Known, Tally, read_rejected, take
from suite.real.texts import texts_of
from suite.store import keep_task

WAIT_S = 90.0
OLDEST = "2025-06-01"


class Command(BaseCommand):
    help = (
        "Make a pair of drafts, bug and control, of each fix that changed one place of one Python file: from a file of "
        "rows (JSON or JSON lines), or without one from the data set on the hub. What becomes of it waits for a person."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="rows on this machine; without it, the hub is asked")
        parser.add_argument("--since", default=OLDEST, help=f"fixes proposed on this day or later; {OLDEST}")
        parser.add_argument("--limit", type=int, default=5, help="pairs at most; 5 unless said")
        parser.add_argument("--offset", type=int, default=0, help="pass over so many rows, the newest first")
        parser.add_argument("--scan", type=int, default=400, help="read at most so many rows; 400 unless said")
        parser.add_argument(
            "--clones", type=Path, help="a folder with clones of the projects, asked before the network"
        )
        parser.add_argument("--offline", action="store_true", help="fetch no file from where a project is published")
        parser.add_argument("--rejected", type=Path, help="a JSON object of instances not to take, with the reason")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be made")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["limit"] < 1 or options["offset"] < 0 or options["scan"] < 1:
            raise CommandError("--limit and --scan are above 0, --offset is not below it.")
        tally, now, made = Tally(), timezone.now(), 0
        try:
            text_of = texts_of(options["clones"], None if options["offline"] else _text)
            pairs = take(islice(self._rows(options), options["scan"]), text_of, self._known(options["rejected"]), tally)
            for bug, control in islice(pairs, options["limit"]):
                made += 1
                where = " or ".join(str(line) for line in bug.key["lines"])
                self.stdout.write(f"{bug.source} ({bug.created_on}): {bug.slug}, line {where}")
                for draft in () if options["dry_run"] else (bug, control):
                    keep_task(draft, by="import_rebench", now=now)
        except (BadRows, UpstreamFault) as problem:
            raise CommandError(str(problem)) from None
        end = "nothing was written" if options["dry_run"] or not made else "they wait for review"
        self.stdout.write(f"{made} pairs from {tally.read} rows; left: {tally.told()}; {end}")

    def _rows(self, options: dict[str, Any]) -> Iterable[Row]:
        try:
            since = date.fromisoformat(options["since"])
        except ValueError:
            raise CommandError(f"{options['since']} is no day; write it as {OLDEST}.") from None
        if options["file"] is None:
            if options["offline"]:
                raise CommandError("Name a file of rows, or leave out --offline.")
            folder = Path(settings.BENCH.home) / "cache"
            return Hub(_reply, time.sleep, time.time, folder, self.stdout.write).rows(since, options["offset"])
        rows = [row for row in read_file(options["file"]) if row.created_on >= since]
        return rows[options["offset"] :]

    def _known(self, own: Path | None) -> Known:
        there = Task.objects.values_list("slug", "source", "origin")
        return Known(
            sources=frozenset(source for _, source, origin in there if origin == "real"),
            slugs=frozenset(slug for slug, _, _ in there),
            rejected=read_rejected(REJECTED, *([own] if own is not None else [])),
        )


def _reply(address: str) -> Fetched:
    return side().with_transport(partial(_fetch, address=address))


async def _fetch(transport: Transport, *, address: str) -> Fetched:
    return await fetch_document(transport, "GET", address, wait_s=WAIT_S)


def _text(address: str) -> str | None:
    """The file, or None where it is not to be had: one that cannot be fetched does not hold up the others."""
    try:
        reply = _reply(address)
        return reply.body.decode("utf-8") if reply.ok else None
    except (UpstreamFault, UnicodeDecodeError):
        return None
