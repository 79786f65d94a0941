"""`manage.py import_promptfoo FILE`: take tests of promptfoo in as drafts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from suite.exports.promptfoo_tests import BadFile, read_tests
from suite.models import Task
from suite.store import keep_task


class Command(BaseCommand):
    help = (
        "Take the tests of a promptfoo configuration (YAML or JSON) in as drafts: those whose assertions are contains, "
        "contains-any, contains-all, equals, starts-with, regex, the same without case, or not- of these. What does "
        "not map is told."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--licence", default="", help="kept with each task")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be taken in")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            tests = list(read_tests(options["file"]))
        except BadFile as problem:
            raise CommandError(str(problem)) from None
        count: Counter[str] = Counter()
        others = set(Task.objects.exclude(origin="promptfoo").values_list("slug", flat=True))
        for came in tests:
            for why in came.left:
                self.stdout.write(f"{came.name}: {why}; left out")
            if came.name in others:
                self.stdout.write(f"{came.name}: a task of another origin has this name; left out")
            if came.draft is None or came.name in others:
                count["no task"] += 1
                continue
            count["in part" if came.left else "whole"] += 1
            if not options["dry_run"]:
                keep_task(
                    msgspec.structs.replace(came.draft, licence=options["licence"]), by="import_promptfoo", now=now
                )
        end = "nothing was written" if options["dry_run"] else "they wait for review"
        self.stdout.write(f"{count['whole']} whole, {count['in part']} in part, {count['no task']} not; {end}")
