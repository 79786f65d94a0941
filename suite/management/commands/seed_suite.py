"""`manage.py seed_suite`: plant changes in code and keep them as drafts for review."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.models import Task
from suite.seeding.languages import LANGUAGES
from suite.seeding.run import Order, seed
from suite.seeding.site import KINDS
from suite.seeding.sources import NoSource, package_root, repository_root
from suite.store import keep_task


class Command(BaseCommand):
    help = (
        "Plant one change in a function, or with --hard in a file, of a repository or an installed package; each with "
        "the same code unchanged as its control. What comes of it waits as drafts for a person."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--package", help="an installed Python package, such as django")
        where.add_argument("--repository", type=Path, help="a folder with code")
        parser.add_argument("--language", choices=LANGUAGES, default="python")
        parser.add_argument("--count", type=int, default=6, help="pairs; 6 unless said")
        parser.add_argument("--seed", type=int, default=0, help="the same number draws the same changes")
        parser.add_argument("--hard", action="store_true", help="whole files of 100 to 400 lines, without a hint")
        parser.add_argument("--kinds", help=f"some of {', '.join(KINDS)}, parted by commas")
        parser.add_argument("--tests", help="what runs the code's own tests, such as 'python -m pytest -q -x'")
        parser.add_argument("--licence", default="", help="the code's licence, kept with each task")

    def handle(self, *args: Any, **options: Any) -> None:
        order = self._order(options)
        now = timezone.now()
        pairs = seed(order, self.stdout.write)
        for bug, control in pairs:
            for draft in (bug, control):
                keep_task(draft, by="seed_suite", now=now)
            self.stdout.write(f"{bug.slug} ({bug.mutation})")
        self.stdout.write(f"{len(pairs)} pairs wait for review" if pairs else "nothing there to change")

    def _order(self, options: dict[str, Any]) -> Order:
        kinds = tuple(kind.strip() for kind in (options["kinds"] or "").split(",") if kind.strip())
        if unknown := [kind for kind in kinds if kind not in KINDS]:
            raise CommandError(f"{unknown[0]} is no kind of change; there are {', '.join(KINDS)}.")
        if not 1 <= options["count"] <= 1000:
            raise CommandError("Ask for 1 to 1000 pairs.")
        try:
            package, folder = options["package"], options["repository"]
            root = package_root(package) if package else repository_root(folder)
        except NoSource as problem:
            raise CommandError(str(problem)) from None
        return Order(
            root=root,
            count=options["count"],
            seed=options["seed"],
            hard=options["hard"],
            kinds=kinds,
            language=options["language"],
            prefix=f"{package}/" if package else "",
            licence=options["licence"],
            tests=tuple(shlex.split(options["tests"] or "")),
            used=frozenset(Task.objects.filter(origin="seeded").values_list("source", flat=True)),
        )
