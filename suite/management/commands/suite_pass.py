"""`manage.py suite_pass`: ask models the suite's tasks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from collections_app.models import LanguageModel
from collections_app.refusal import Refused
from gateway.canon.kinds import JobState
from probes.models import Job
from suite.actions import do_begin_pass
from suite.models import TaskVersion
from suite.needles.text import CannotShow, shown
from suite.work import current_versions, models_to_ask

SHOWN = 600
"""Characters of each prompt in a dry run."""
LOOK_S = 0.5
HINT_S = 20.0
OPEN = (JobState.QUEUED, JobState.RUNNING)


class Command(BaseCommand):
    help = (
        "Ask models the suite's tasks. Unless said, the models that the schedule would ask, and the reviewed tasks; "
        "needles are asked by needle_suite. A worker makes the calls: `make up` has one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--models", default="", help="aliases, parted by commas; scripted and ad hoc ones too")
        parser.add_argument("--tasks", default="", help="names, or patterns such as 'seeded-*'; a draft by its name")
        parser.add_argument("--repetitions", type=int, default=1, help="how often each task is asked")
        parser.add_argument("--timeout", type=float, default=420.0, help="seconds that an answer may take")
        parser.add_argument("--note", default="", help="what the pass is for")
        parser.add_argument("--dry-run", action="store_true", help=f"print the first {SHOWN} characters of each prompt")
        parser.add_argument("--wait", action="store_true", help="until the pass has ended")

    def handle(self, *args: Any, **options: Any) -> None:
        models, versions = _models(_words(options["models"])), _versions(_words(options["tasks"]))
        calls = len(models) * len(versions) * options["repetitions"]
        if options["dry_run"]:
            self._show(versions)
            self.stdout.write(f"{len(versions)} tasks for {_told(models)}: {calls} calls")
            return
        try:
            one, job = do_begin_pass(
                actor=None,
                models=models,
                versions=versions,
                now=timezone.now(),
                repetitions=options["repetitions"],
                timeout_s=options["timeout"],
                note=options["note"],
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"pass {one.pk} begins: {len(versions)} tasks for {_told(models)}, {calls} calls")
        if options["wait"]:
            self._wait(job.pk)

    def _show(self, versions: Sequence[TaskVersion]) -> None:
        for version in versions:
            try:
                prompt = shown(version)
            except CannotShow as problem:
                prompt = f"It cannot be asked: {problem}"
            more = f"\n... {len(prompt) - SHOWN:,} characters more" if len(prompt) > SHOWN else ""
            head = f"{version.task.slug} ({version.task.shape}, {len(prompt):,} characters)"
            self.stdout.write(f"{head}\n{'-' * len(head)}\n{prompt[:SHOWN]}{more}\n")

    def _wait(self, pk: int) -> None:
        """Tells how far it is. Ends with an error where the pass did not come to its end."""
        began, done, hinted = time.monotonic(), 0, False
        while (job := Job.objects.get(pk=pk)).state in OPEN:
            if job.done - done >= max(1, job.total // 10):
                done = job.done
                self.stdout.write(f"{done} of {job.total}")
                self.stdout.flush()
            if job.state == JobState.QUEUED and not hinted and time.monotonic() - began > HINT_S:
                self.stderr.write("No worker has taken it yet; `make up` or `celery worker` has to run.")
                hinted = True
            time.sleep(LOOK_S)
        if job.state in (JobState.FAILED, JobState.SKIPPED):
            raise CommandError(f"{job.state}: {job.note}")
        self.stdout.write(f"{job.state}: {job.note}")


def _models(aliases: Sequence[str]) -> list[LanguageModel]:
    if not aliases:
        return models_to_ask()
    found = {model.alias: model for model in LanguageModel.objects.filter(alias__in=aliases)}
    if missing := [alias for alias in aliases if alias not in found]:
        raise CommandError(f"No model on the bench has the alias {missing[0]}.")
    return [found[alias] for alias in dict.fromkeys(aliases)]


def _versions(words: Sequence[str]) -> list[TaskVersion]:
    """A name takes a draft too, a pattern does not: who wants a draft asked says which."""
    if not words:
        return current_versions()
    every = TaskVersion.objects.filter(current=True, task__dropped=False).select_related("task").order_by("task__slug")
    found: dict[str, TaskVersion] = {}
    for word in words:
        fitting = [row for row in every if _fits(row, word)]
        if not fitting:
            raise CommandError(f"No task is called {word}.")
        found |= {row.task.slug: row for row in fitting}
    return [found[slug] for slug in sorted(found)]


def _fits(version: TaskVersion, word: str) -> bool:
    task = version.task
    return task.slug == word or (not task.draft and fnmatchcase(task.slug, word))


def _words(said: str) -> list[str]:
    return [word.strip() for word in said.split(",") if word.strip()]


def _told(models: Sequence[LanguageModel]) -> str:
    return ", ".join(model.alias for model in models) or "nobody"
