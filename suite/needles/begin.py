"""Begins passes over needles: the tasks as rows, and one pass for the models that hold the same sizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib import metadata

from django.db import transaction

from collections_app.models import LanguageModel
from gateway.engine.loading import load_snapshot
from probes.jobs.store import enqueue
from suite.drafts import Draft
from suite.models import SuitePass, TaskVersion
from suite.needles.context import read_recipe
from suite.needles.draft import size_name
from suite.needles.room import room_for
from suite.store import begin_pass, keep_task

Say = Callable[[str], None]


def release_of(package: str) -> tuple[str, str]:
    """(release, licence) of the distribution that an installed package is of; empty where none is known."""
    names = metadata.packages_distributions().get(package, [])
    if not names:
        return "", ""
    licence = metadata.metadata(names[0]).get_all("License-Expression") or [""]
    return metadata.version(names[0]), licence[0]


def fitting(aliases: Sequence[str], sizes: Sequence[int], say: Say) -> dict[tuple[int, ...], list[str]]:
    """Aliases by the sizes that each of them holds; what nobody is asked is said, with why.

    :raises LookupError: no model on the bench has one of the aliases; the text says so.
    """
    models = load_snapshot().models
    found: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for alias in aliases:
        if alias not in models or models[alias].retired:
            raise LookupError(f"No model on the bench has the alias {alias}.")
        whys = {size: room_for(models[alias], size) for size in sizes}
        for size, why in whys.items():
            if why:
                say(f"{alias}: not asked {size_name(size)}: {why}")
        if held := tuple(size for size, why in whys.items() if not why):
            found[held].append(alias)
    return found


def begin(
    drafts: Sequence[Draft], groups: dict[tuple[int, ...], list[str]], *, repetitions: int, by: str, now: datetime
) -> list[SuitePass]:
    """Passes, each with its job."""
    versions: dict[int, list[TaskVersion]] = defaultdict(list)
    for draft in drafts:
        task, _ = keep_task(draft, by=by, now=now, reviewed=True)
        recipe = read_recipe(draft.attachments)
        assert recipe is not None  # noqa: S101 every needle has one
        versions[recipe.tokens].append(task.versions.get(current=True))
    made = []
    for sizes, aliases in groups.items():
        models = list(LanguageModel.objects.filter(alias__in=aliases).order_by("alias"))
        wanted = [version for size in sizes for version in versions[size]]
        note = f"needles, {', '.join(size_name(size) for size in sizes)}"
        with transaction.atomic():
            one = begin_pass("needles", wanted, models, by=by, now=now, note=note, repetitions=repetitions)
            enqueue("suite-pass", str(one.pk), now=now, payload={"pass": one.pk}, by=by)
        made.append(one)
    return made
