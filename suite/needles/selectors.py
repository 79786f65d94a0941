"""What was tried of needles, from rows."""

from __future__ import annotations

import msgspec
from django.db.models import Prefetch

from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.models import Attempt, Score, TaskVersion
from suite.needles.context import read_recipe
from suite.needles.sheet import Try


def tries() -> list[Try]:
    """Every attempt at the current version of a needle that is not dropped. Hand-made ones without a recipe have no
    size and are left out."""
    recipes = {}
    needles = TaskVersion.objects.filter(current=True, task__shape=TaskShape.NEEDLE, task__dropped=False)
    for version in needles.only("attachments"):
        try:
            recipe = read_recipe(version.attachments)
        except msgspec.MsgspecError:
            continue  # somebody edited it; asking says so
        if recipe is not None:
            recipes[version.pk] = recipe
    rows = Attempt.objects.filter(version__in=list(recipes)).exclude(outcome="").order_by("at", "id")
    rows = rows.select_related("language_model", "version__task").prefetch_related(
        Prefetch("scores", Score.objects.filter(current=True), to_attr="current_scores")
    )
    return [
        Try(
            model=row.language_model.alias,
            task=row.version.task.slug,
            tokens=recipes[row.version_id].tokens,
            depth=recipes[row.version_id].depth,
            outcome=AttemptOutcome(row.outcome),
            found=any(one.of and one.found == one.of for one in row.current_scores),
        )
        for row in rows
    ]
