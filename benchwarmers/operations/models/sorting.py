"""In which order the list of models stands: the value of each model in one column, read for all of them at once.

Only what the order needs is read of all; the rest is read of the models that a page shows (`lines.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from benchwarmers.dashboard.kept import keep
from benchwarmers.operations.benchmarks.summary import load_found
from benchwarmers.operations.models.chips import ORDER, status_of
from benchwarmers.operations.models.pace import Pace, pace_of
from benchwarmers.operations.models.price import Said, load_priced
from benchwarmers.operations.models.strip import load_seconds
from collections_app.facts import merge
from collections_app.models import DecisionModel, Fact, LanguageModel, Standing
from gateway.canon.kinds import ModelRole
from probes.health.evidence import load_answered
from suite.metrics import Share

PATIENCE: Final = timedelta(minutes=5)
"""So long the times of all models may be out of date in an order and in a file."""
Entry = LanguageModel | DecisionModel
Values = Mapping[int, Any]


class Sums:
    """What is known of all models that fit, by id: each read once, when it is asked for."""

    def __init__(self, models: Iterable[LanguageModel], now: datetime) -> None:
        self.models = list(models)
        self.now = now

    @cached_property
    def totals(self) -> dict[int, Standing]:
        """What the evidence of each amounts to over all its work."""
        rows = Standing.objects.filter(collection_name="", shape="").order_by()
        return {row.language_model_id: row for row in rows}

    @cached_property
    def found(self) -> dict[int, Share]:
        """How much of what the suite's keys ask for each found."""
        return load_found()

    @cached_property
    def answered(self) -> dict[int, datetime]:
        """When each answered last."""
        return load_answered(self.models, self.now)

    @cached_property
    def paces(self) -> dict[int, Pace]:
        """How long short answers took, of every model there is."""
        slot = int(self.now.timestamp() // PATIENCE.total_seconds())
        return keep("paces of models", str(slot), lambda: _paces(self.now)).value or {}


def in_order(entries: Sequence[Entry], sort: str, sums: Sums) -> list[Entry]:
    """Sorted by a column, with a hyphen before it the other way round. What is not known comes last either way, and
    those that are alike go by alias."""
    column, falling = sort.removeprefix("-"), sort.startswith("-")
    values = _LOADERS[column](sums)
    by_name = sorted(entries, key=lambda one: one.alias.casefold())
    keyed = [(one, _of(one, column, values)) for one in by_name]
    told = sorted(((one, value) for one, value in keyed if value is not None), key=lambda row: row[1], reverse=falling)
    return [one for one, _ in told] + [one for one, value in keyed if value is None]


def _of(one: Entry, column: str, values: Values) -> Any:
    if isinstance(one, LanguageModel):
        return values.get(one.pk)
    told = {"alias": one.alias.casefold(), "role": ModelRole.DECISION.value, "endpoint": one.via.name}
    return told.get(column)


def _by(value: Callable[[LanguageModel], Any]) -> Callable[[Sums], Values]:
    """Of what stands in the model's own row."""
    return lambda sums: {row.pk: value(row) for row in sums.models}


def _context(sums: Sums) -> Values:
    said: dict[int, list[Said]] = {}
    facts = Fact.objects.filter(field="context_window").order_by()
    for model, *told in facts.values_list("language_model_id", "field", "value", "source"):
        said.setdefault(model, []).append(Said(*told))
    return {model: merge(facts)[0].get("context_window") for model, facts in said.items()}


def _offloads(sums: Sums) -> Values:
    return {row.pk: sums.totals[row.pk].offloads if row.pk in sums.totals else 0 for row in sums.models}


def _helped(sums: Sums) -> Values:
    return {pk: (one.useful / one.judged, one.judged) for pk, one in sums.totals.items() if one.judged}


def _paces(now: datetime) -> dict[int, Pace]:
    paces = {model: pace_of(seconds) for model, seconds in load_seconds(now).items()}
    return {model: pace for model, pace in paces.items() if pace is not None}


_LOADERS: Final[Mapping[str, Callable[[Sums], Values]]] = {
    "alias": _by(lambda row: row.alias.casefold()),
    "status": _by(lambda row: ORDER[status_of(row)]),
    "endpoint": _by(lambda row: row.endpoint.name),
    "role": _by(lambda row: row.role),
    "context": _context,
    "offloads": _offloads,
    "helped": _helped,
    "suite": lambda sums: {pk: one.share for pk, one in sums.found.items()},
    "reply": lambda sums: {pk: one.p50_s for pk, one in sums.paces.items()},
    "price": lambda sums: {pk: one.million for pk, one in load_priced(sums.models).items()},
    "answered": lambda sums: sums.answered,
}
