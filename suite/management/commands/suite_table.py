"""`manage.py suite_table`: what models made of the suite, as plain text."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from gateway.canon.kinds import TaskShape
from suite.comparison import compare
from suite.metrics import sheets
from suite.selectors import Which, load_results
from suite.text_table import told


class Command(BaseCommand):
    help = (
        "The sheet of each model that was asked: what it found, how hunts ended, where it was confidently wrong, time "
        "and cost, each share with its interval. --compare says whether one of two models is better."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--models", default="", help="aliases, parted by commas; all that were asked unless said")
        parser.add_argument("--shape", default="", choices=["", *TaskShape], help="tasks of this shape alone")
        parser.add_argument("--origin", default="", help="tasks of this origin alone: starter, seeded, real, mined")
        parser.add_argument("--language", default="", help="tasks in this language alone")
        parser.add_argument("--retired", action="store_true", help="retired models too")
        parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two models on the tasks both answered")

    def handle(self, *args: Any, **options: Any) -> None:
        pair = options["compare"] or []
        named = tuple(word.strip() for word in options["models"].split(",") if word.strip())
        which = Which(
            shape=options["shape"],
            origin=options["origin"],
            language=options["language"],
            retired=options["retired"],
            models=(*named, *pair) if named or pair else (),
        )
        results = load_results(which).today
        found = sheets(results)
        missing = sorted({*named, *pair} - {sheet.model for sheet in found})
        if missing:
            raise CommandError(f"{missing[0]} was asked none of these tasks.")
        if pair:
            self.stdout.write(compare(results, *pair).statement)
        else:
            self.stdout.write(told(found) if found else "No model was asked any of these tasks yet.")
