"""`manage.py import_verdicts FILE`: take over work done outside the gateway, with what people thought of it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from collections_app.actions.offline import Planned, do_import_offline, plan_offline
from collections_app.journal import LOCAL
from collections_app.offline_file import COLUMNS, Unreadable, read_offline


class Command(BaseCommand):
    help = f"Import offline work from CSV or JSON ({', '.join(COLUMNS)}). A second time changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="The file; - reads standard input.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be written and write nothing.")
        parser.add_argument("--judge", default=LOCAL, help="Who judged the rows that name nobody.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rows = read_offline(_read(options["file"]))
        except Unreadable as problem:
            raise CommandError(f"{options['file']}: {problem} Nothing was written.") from None
        judge, now = options["judge"], timezone.now()
        if options["dry_run"]:
            planned = plan_offline(rows, by=judge, now=now)
        else:
            planned = do_import_offline(actor=None, by=judge, rows=rows, now=now)
        self._tell(planned, dry_run=options["dry_run"])
        if refused := sum(one.outcome == "refused" for one in planned):
            raise CommandError(f"{refused} row{' was' if refused == 1 else 's were'} refused.")

    def _tell(self, planned: list[Planned], *, dry_run: bool) -> None:
        for one in planned:
            what = one.why or f"{one.alias}, {one.row.on}, {one.row.task}"
            self.stdout.write(f"{one.row.line:>5}  {one.outcome:8}{what}")
        counts = Counter(one.outcome for one in planned)
        told = ", ".join(f"{outcome} {counts[outcome]}" for outcome in ("write", "known", "refused"))
        self.stdout.write(told + (" (dry run: nothing was written)" if dry_run else ""))


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not UTF-8.") from None
