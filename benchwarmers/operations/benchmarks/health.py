"""What the pictures of real work and of reliability read: standings, and probes of two weeks, one query each."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count

from benchwarmers.dashboard.kept import keep
from benchwarmers.operations.benchmarks.figures.outcomes import ANSWERED, ERROR, OUTCOMES, Probed
from benchwarmers.operations.benchmarks.figures.work import Worked
from collections_app.models import LanguageModel, Standing
from probes.models import ProbeSample

DAYS: Final = 14
MANY: Final = 20_000
KEPT_S: Final = 300


def load_work(*, retired: bool) -> list[Worked]:
    """All work of each model, over collections and shapes."""
    rows = Standing.objects.filter(collection_name="", shape="", judged__gt=0).order_by()
    if not retired:
        rows = rows.filter(language_model__retired_at=None)
    fields = ("language_model__alias", "offloads", "judged", "useful")
    return [Worked(*row) for row in rows.values_list(*fields)]


def load_probed(now: datetime, *, retired: bool) -> list[Probed]:
    """How the probes of the last DAYS ended, by model. What was used up of an account is passed over. Of many probes
    the counts are at most KEPT_S old: two weeks do not change in these."""
    if not ProbeSample.objects.order_by("pk")[MANY : MANY + 1].exists():
        return _count(now, retired=retired)
    mark = f"{int(now.timestamp()) // KEPT_S}"
    return keep(f"probed {retired}", mark, lambda: _count(now, retired=retired)).value or []


def _count(now: datetime, *, retired: bool) -> list[Probed]:
    models = LanguageModel.objects.all() if retired else LanguageModel.objects.filter(retired_at=None)
    rows = ProbeSample.objects.filter(at__gt=now - timedelta(days=DAYS), at__lte=now, account_wide=False)
    rows = rows.filter(language_model__in=models).order_by()
    ends: dict[str, dict[str, int]] = defaultdict(dict)
    counted = rows.values_list("language_model__alias", "answered", "refusal", "failure").annotate(Count("id"))
    for model, answered, refusal, failure, count in counted:
        end = ANSWERED if answered or refusal else failure if failure in OUTCOMES else ERROR
        ends[model][end] = ends[model].get(end, 0) + count
    return [Probed(model, found) for model, found in ends.items()]
