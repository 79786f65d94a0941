"""A pass before it begins: who would be asked what, how many calls that is and what they cost by what was paid before.
Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Avg
from django.http import QueryDict

from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES
from collections_app.models import LanguageModel
from suite.actions import MOST_CALLS
from suite.models import Attempt, TaskVersion
from suite.selectors import Which
from suite.work import NEVER_CHAT

MOST_MODELS: Final = 500
MOST_NAMED: Final = 2_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a form says. `models` are aliases; `slugs` names single tasks, else all that fit the rest are meant."""

    models: tuple[str, ...] = ()
    shape: str = ""
    origin: str = ""
    language: str = ""
    slugs: tuple[str, ...] = ()
    repetitions: int = 1
    timeout_s: float = 420.0
    note: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> Wanted:
        """From the address or a form. A number that cannot be read is 0, which no pass takes."""
        shape, origin = query.get("shape", ""), query.get("origin", "")
        return cls(
            models=tuple(dict.fromkeys(query.getlist("model")))[:MOST_MODELS],
            shape=shape if shape in SHAPES else "",
            origin=origin if origin in ORIGINS else "",
            language=query.get("language", "")[:16],
            slugs=tuple(dict.fromkeys(query.getlist("task")))[:MOST_NAMED],
            repetitions=_whole(query.get("repetitions", "1")),
            timeout_s=float(_whole(query.get("timeout_s", "420"))),
            note=query.get("note", "").strip()[:200],
        )

    @property
    def fields(self) -> list[tuple[str, str]]:
        """As hidden fields of the form that begins it."""
        pairs = [("model", one) for one in self.models] + [("task", one) for one in self.slugs]
        pairs += [("shape", self.shape), ("origin", self.origin), ("language", self.language)]
        pairs += [("repetitions", str(self.repetitions)), ("timeout_s", f"{self.timeout_s:.0f}"), ("note", self.note)]
        return [(name, value) for name, value in pairs if value]


@dataclass(frozen=True, slots=True)
class Planned:
    """What would be done. `cost` is in nano-dollars by the mean of earlier answers, None where a model has none with a
    known cost; `unknown` names those. `too_many` is the limit where it is passed."""

    models: Sequence[LanguageModel]
    versions: Sequence[TaskVersion]
    calls: int
    cost: float | None
    unknown: Sequence[str]
    too_many: int


def askable() -> list[LanguageModel]:
    """Whom a pass may ask: everybody on the bench who chats and may be called, ad hoc models too."""
    found = LanguageModel.objects.filter(retired_at=None).exclude(role__in=NEVER_CHAT)
    found = found.exclude(went_paid_at__isnull=False, allow_paid=False)
    return list(found.select_related("endpoint").order_by("alias"))


def load_versions(wanted: Wanted) -> list[TaskVersion]:
    """The current versions of the tasks that are meant. Drafts only where they are named."""
    found = TaskVersion.objects.filter(current=True, task__dropped=False).select_related("task").order_by("task__slug")
    if wanted.slugs:
        return list(found.filter(task__slug__in=wanted.slugs))
    return list(found.filter(Which(wanted.shape, wanted.origin, wanted.language).tasks()))


def plan(wanted: Wanted, models: Sequence[LanguageModel]) -> Planned:
    """Of these models those that are wanted."""
    chosen = [model for model in models if model.alias in wanted.models]
    versions = load_versions(wanted)
    calls = len(chosen) * len(versions) * wanted.repetitions
    means = _mean_costs(chosen)
    unknown = [model.alias for model in chosen if model.pk not in means]
    each = len(versions) * wanted.repetitions
    cost = None if unknown else sum(means.values()) * each
    return Planned(chosen, versions, calls, cost, unknown, MOST_CALLS if calls > MOST_CALLS else 0)


def _mean_costs(models: Sequence[LanguageModel]) -> Mapping[int, float]:
    rows: Any = Attempt.objects.filter(language_model__in=models, cost__isnull=False).order_by()
    return dict(rows.values_list("language_model").annotate(Avg("cost")))


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
