"""The lines of the list of models: what is read of those that a page shows, in as many queries for any number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext_lazy

from benchwarmers.operations.models.chips import Chip, chip_of, is_new
from benchwarmers.operations.models.pace import Pace, pace_of
from benchwarmers.operations.models.price import Priced, load_paid, priced
from benchwarmers.operations.models.sorting import Entry, Sums
from benchwarmers.operations.models.strip import Asked, Strip, draw_strip, load_asked
from collections_app.facts import merge
from collections_app.intervals import Interval, wilson
from collections_app.models import DecisionModel, LanguageModel, Standing
from gateway.canon.kinds import ModelStatus
from probes.health.evidence import load_answered
from probes.models import OnboardingIssue
from suite.metrics import Share

ABILITIES: Final = {
    "tools": gettext_lazy("tools"),
    "vision": gettext_lazy("vision"),
    "structured_output": gettext_lazy("json"),
    "reasoning": gettext_lazy("reasons"),
}
LOW: Final = 0.5
"""A model that helped less often than this is marked."""


@dataclass(frozen=True, slots=True)
class Record:
    """How often work was handed to a model, how often somebody judged it, and how often it helped; `useful` sums the
    means of verdicts, so it may be a fraction."""

    offloads: int
    judged: int
    useful: float

    @property
    def percent(self) -> int | None:
        """Of 100 judged, how many helped; None where nothing was judged."""
        return round(100 * self.useful / self.judged) if self.judged else None

    @property
    def low(self) -> bool:
        return bool(self.judged) and self.useful / self.judged < LOW


class Recorded:
    """What has a record of its own: how sure its share of useful work is, and how that is drawn."""

    __slots__ = ()
    record: Record

    @property
    def interval(self) -> Interval | None:
        return wilson(self.record.useful, self.record.judged)

    @property
    def drawn(self) -> tuple[float, float, float] | None:
        """Where the interval begins, how wide it is, and where the share lies, of 100."""
        if (held := self.interval) is None:
            return None
        return round(100 * held.low, 1), round(100 * (held.high - held.low), 1), round(100 * held.share, 1)


@dataclass(frozen=True, slots=True)
class Line:
    """One model of the list. `own_context` is true where an operator stated it; `seats` are the collections it sits in;
    `suite` is how much it found of what the suite's keys ask for, None where it answered nothing; `stopped` that it did
    not answer when it was taken on, and has not since. `asked` are the short questions to it."""

    model: LanguageModel
    chip: Chip
    new: bool
    stopped: bool
    context: int | None
    own_context: bool
    can: Sequence[Any]
    price: Priced
    record: Record
    answered_at: datetime | None
    seats: Sequence[str]
    asked: Asked
    pace: Pace | None
    suite: Share | None
    today: date
    decision: None = None

    @property
    def strip(self) -> Strip:
        """How it answered day by day."""
        return draw_strip(self.asked.asked, self.today, timezone.get_default_timezone())


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision model: the questions it answers, and dashes elsewhere."""

    decision: DecisionModel
    model: None = None


Lines = list[Line | DecisionLine]


def load_lines(shown: Sequence[Entry], sums: Sums, seats: Mapping[int, Sequence[str]], *, record: bool) -> Lines:
    """In the order given. `seats` are the collections that models sit in, by id; what they did and found is read only
    with `record`."""
    rows = [one for one in shown if isinstance(one, LanguageModel)]
    asked = load_asked([row.pk for row in rows], sums.now)
    paces = {pk: pace for pk, one in asked.items() if (pace := pace_of(one.seconds)) is not None}
    totals, found = (sums.totals, sums.found) if record else ({}, {})
    return _lines(shown, rows, Known(sums.now, _answered(rows, sums), asked, paces, seats, totals, found))


def load_every(shown: Sequence[Entry], sums: Sums, seats: Mapping[int, Sequence[str]]) -> Lines:
    """The same of very many: without the days on which they were asked, and with times that are some minutes old."""
    rows = [one for one in shown if isinstance(one, LanguageModel)]
    return _lines(shown, rows, Known(sums.now, sums.answered, {}, sums.paces, seats, sums.totals, sums.found))


def record_of(total: Standing | None) -> Record:
    """What a standing amounts to; nothing without one."""
    return Record(total.offloads, total.judged, total.useful) if total else Record(0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Known:
    """What was read of the models to be shown, by id."""

    now: datetime
    answered: Mapping[int, datetime]
    asked: Mapping[int, Asked]
    paces: Mapping[int, Pace]
    seats: Mapping[int, Sequence[str]]
    totals: Mapping[int, Standing]
    found: Mapping[int, Share]


def _answered(rows: list[LanguageModel], sums: Sums) -> Mapping[int, datetime]:
    """Of these alone, unless all were read for the order."""
    return sums.answered if "answered" in vars(sums) else load_answered(rows, sums.now)


def _lines(shown: Sequence[Entry], rows: list[LanguageModel], known: Known) -> Lines:
    prefetch_related_objects(rows, "facts")
    issues = OnboardingIssue.objects.filter(language_model__in=rows).order_by()
    stopped = set(issues.values_list("language_model", flat=True))
    paid = load_paid()
    return [
        DecisionLine(one) if isinstance(one, DecisionModel) else _line(one, known, one.pk in stopped, paid)
        for one in shown
    ]


def _line(model: LanguageModel, known: Known, stopped: bool, paid: frozenset[str]) -> Line:
    facts = list(model.facts.all())
    values, sources = merge(facts)
    return Line(
        model=model,
        chip=chip_of(model),
        new=is_new(model, known.now),
        stopped=stopped and model.status != ModelStatus.HEALTHY and not model.retired,
        context=values.get("context_window"),
        own_context=sources.get("context_window") == "operator",
        can=[word for field, word in ABILITIES.items() if values.get(field) is True],
        price=priced(model, facts, model.connection in paid),
        record=record_of(known.totals.get(model.pk)),
        answered_at=known.answered.get(model.pk),
        seats=known.seats.get(model.pk, ()),
        asked=known.asked.get(model.pk) or Asked([], []),
        pace=known.paces.get(model.pk),
        suite=known.found.get(model.pk),
        today=timezone.localtime(known.now).date(),
    )
