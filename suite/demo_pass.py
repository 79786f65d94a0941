"""The demonstration itself, within an installation: seeds, accepts, asks, prints and draws."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from suite.actions import do_accept_tasks
from suite.heat_map import draw_heat_map, heat_map
from suite.models import Task
from suite.selectors import Which, load_results


def run(setup: Path, models: Sequence[str], *, package: str, pairs: int, seed: int, to: Path) -> None:
    """A pass of these models, which the set-up file brings in, over planted changes in the package."""
    call_command("apply", str(setup))
    release = metadata.version(package)
    _say(f"Planting changes in {package} {release}")
    call_command("seed_suite", "--package", package, "--count", str(pairs), "--seed", str(seed))
    _say("A person would look at each draft; here all of them are taken as they are")
    tasks = list(Task.objects.filter(draft=True, origin="seeded"))
    do_accept_tasks(actor=None, tasks=tasks, now=timezone.now())
    _say("Asking the practice squad, which is scripted: no model is behind it")
    slugs = ",".join(task.slug for task in tasks)
    call_command("suite_pass", "--models", ",".join(models), "--tasks", slugs, "--note", "demo", "--wait")
    _say("What came of it")
    call_command("suite_table")
    print()
    call_command("suite_table", "--compare", models[0], models[-1])
    shown = heat_map(load_results(Which()).today)
    to.parent.mkdir(parents=True, exist_ok=True)
    title = f"The practice squad on {len(shown.tasks)} tasks from the code of {package} {release}"
    to.write_text(draw_heat_map(shown, title), encoding="utf-8")
    _say(f"Drawn as {to}")


def _say(words: str) -> None:
    print(f"\n== {words}\n", flush=True)
