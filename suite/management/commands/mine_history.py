"""`manage.py mine_history REPOSITORY`: make tasks of the bugs that a repository's own commits repaired."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.commits.git import NoRepository
from suite.commits.mine import Order, mine
from suite.commits.proof import LIMIT_S, TESTS
from suite.models import Task
from suite.real.take import Known, Tally
from suite.store import keep_task


class Command(BaseCommand):
    help = (
        "Make a pair of drafts, bug and control, of each commit that repaired one place of one Python file. With "
        "--tests, only of those whose tests fail before and pass after; without, they are marked as unproven."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("repository", type=Path)
        parser.add_argument(
            "--tests", help=f"what runs its tests from its root; {TESTS} are those that came with a fix"
        )
        parser.add_argument(
            "--seconds", type=float, default=LIMIT_S, help=f"the longest that they may take; {LIMIT_S:g}"
        )
        parser.add_argument("--limit", type=int, default=5, help="pairs at most; 5 unless said")
        parser.add_argument("--scan", type=int, default=2000, help="commits to read; 2000 unless said")
        parser.add_argument("--name", help="what the project is called; the folder's name unless said")
        parser.add_argument("--url", default="", help="where it is published; it then counts as known to models")
        parser.add_argument("--licence", default="", help="the code's licence, kept with each task")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be made")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["limit"] < 1 or options["scan"] < 1 or options["seconds"] <= 0:
            raise CommandError("--limit, --scan and --seconds are above 0.")
        there = Task.objects.values_list("slug", "source")
        known = Known(frozenset(source for _, source in there), frozenset(slug for slug, _ in there))
        tally, now, made = Tally(), timezone.now(), 0
        try:
            for bug, control in islice(mine(self._order(options), known, tally, self.stdout.write), options["limit"]):
                made += 1
                self.stdout.write(f"{bug.slug}: {bug.title}")
                for draft in () if options["dry_run"] else (bug, control):
                    keep_task(draft, by="mine_history", now=now)
        except NoRepository as problem:
            raise CommandError(str(problem)) from None
        end = "nothing was written" if options["dry_run"] or not made else "they wait for review"
        self.stdout.write(f"{made} pairs from {tally.read} commits; left: {tally.told()}; {end}")

    def _order(self, options: dict[str, Any]) -> Order:
        root: Path = options["repository"]
        if not root.is_dir():
            raise CommandError(f"{root} is no folder.")
        try:
            tests = tuple(shlex.split(options["tests"] or ""))
        except ValueError as error:
            raise CommandError(f"The command of --tests cannot be read: {error}.") from None
        return Order(
            root=root,
            name=(options["name"] or root.resolve().name)[:100],
            tests=tests,
            limit_s=options["seconds"],
            scan=options["scan"],
            licence=options["licence"],
            url=options["url"].rstrip("/"),
        )
