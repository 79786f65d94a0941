"""How the models are: how many of each status, how they answered day by day, and who was handed the most work.

Reads only; the models are read once, without what only their own pages show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db.models import Case, Count, IntegerField, Q, Value, When
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from benchwarmers.dashboard.kept import keep
from benchwarmers.operations.models.chips import ORDER, TONED, Chip, chip_of, is_new, status_of
from benchwarmers.operations.models.lines import Record, record_of
from benchwarmers.operations.models.pace import Pace, pace_of
from benchwarmers.operations.models.strip import Strip, draw_strip, load_asked
from collections_app.models import LanguageModel, Standing
from gateway.canon.kinds import EndpointKind, ModelStatus
from probes.health.status import TINY, TONES
from probes.models import ProbeSample

DAYS: Final = 14
TOP: Final = 8
"""Models in the short table."""
HIGH: Final = 40
PATIENCE: Final = timedelta(minutes=5)
"""So long the days may be out of date."""
GOOD: Final = 0.9
"""A day on which fewer answered is marked."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How many models have a status; where its part of the bar begins and how wide it is, of 100."""

    status: ModelStatus
    count: int
    tone: str
    x: float
    wide: float


@dataclass(frozen=True, slots=True)
class AskedDay:
    """How many short questions were asked on a day, and how many answered."""

    day: date
    asked: int = 0
    answered: int = 0

    @property
    def share(self) -> float | None:
        return self.answered / self.asked if self.asked else None

    @property
    def high(self) -> float:
        return round(HIGH * (self.share or 0), 1)

    @property
    def y(self) -> float:
        return HIGH - self.high

    @property
    def bad(self) -> bool:
        return self.share is not None and self.share < GOOD

    @property
    def words(self) -> str:
        """The day in a few words."""
        told = {"day": date_format(self.day, "j M"), "answered": self.answered, "asked": self.asked}
        return _("%(day)s: %(answered)d of %(asked)d answered") % told if self.asked else f"{told['day']}: –"


@dataclass(frozen=True, slots=True)
class Row:
    """A model of the short table."""

    model: LanguageModel
    chip: Chip
    new: bool
    record: Record
    strip: Strip
    pace: Pace | None


Records = Mapping[tuple[str, int], Record]
"""By collection, empty for all of them, and model."""


@dataclass(frozen=True, slots=True)
class Squad:
    """`models` are those on the bench, by id. Where there are others, the practice squad is not counted."""

    models: Mapping[int, LanguageModel]
    records: Records
    stands: Sequence[Stand]
    days: Sequence[AskedDay]
    top: Sequence[Row]

    @property
    def total(self) -> int:
        return sum(one.count for one in self.stands)

    @property
    def asked(self) -> bool:
        return any(day.asked for day in self.days)

    @property
    def answered(self) -> float | None:
        """The share of questions that were answered in all these days."""
        asked = sum(day.asked for day in self.days)
        return sum(day.answered for day in self.days) / asked if asked else None


def load_squad(now: datetime, collections: Sequence[str] = ()) -> Squad:
    """The models on the bench, with their records over all their work and in these collections. Three queries and those
    of the days, whatever their number."""
    bench = LanguageModel.objects.filter(retired_at=None).select_related("endpoint").defer("options", "former")
    models = {row.pk: row for row in bench}
    counted = [row for row in models.values() if row.endpoint.kind != EndpointKind.PRACTICE] or list(models.values())
    rows = Standing.objects.filter(collection_name__in=["", *collections], shape="").order_by()
    records = {(row.collection_name, row.language_model_id): record_of(row) for row in rows}
    played = sorted(counted, key=lambda row: (-_record(records, row).offloads, row.alias.casefold()))[:TOP]
    return Squad(models, records, _stands(counted), load_days(now), _rows(played, records, now))


def load_days(now: datetime) -> list[AskedDay]:
    """How all models together answered the short question, today last; some minutes old where it was asked before."""
    slot = int(now.timestamp() // PATIENCE.total_seconds())
    return keep("answered by day", str(slot), lambda: _days(now)).value or []


def _days(now: datetime) -> list[AskedDay]:
    """The database counts, by the server's days."""
    today = timezone.localtime(now).date()
    span = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    begins = [timezone.make_aware(datetime.combine(day, time.min)) for day in span]
    which = Case(
        *(When(at__gte=begin, then=Value(place)) for place, begin in reversed(list(enumerate(begins)))),
        output_field=IntegerField(),
    )
    rows = ProbeSample.objects.filter(prompt=TINY, at__gte=begins[0], at__lte=now, account_wide=False).order_by()
    counts = (
        rows.annotate(which=which)
        .values_list("which")
        .annotate(asked=Count("pk"), replied=Count("pk", filter=Q(answered=True)))
    )
    found = {place: (asked, answered) for place, asked, answered in counts}
    return [AskedDay(day, *found.get(place, (0, 0))) for place, day in enumerate(span)]


def _record(records: Records, model: LanguageModel) -> Record:
    return records.get(("", model.pk)) or record_of(None)


def _rows(played: Sequence[LanguageModel], records: Records, now: datetime) -> list[Row]:
    asked, zone = load_asked([row.pk for row in played], now), timezone.get_default_timezone()
    return [
        Row(
            row,
            chip_of(row),
            is_new(row, now),
            _record(records, row),
            draw_strip(asked[row.pk].asked, now.astimezone(zone).date(), zone),
            pace_of(asked[row.pk].seconds),
        )
        for row in played
    ]


def _stands(models: Sequence[LanguageModel]) -> list[Stand]:
    counts = Counter(status_of(row) for row in models)
    stands: list[Stand] = []
    x = 0.0
    for status in sorted(counts, key=lambda one: (list(_TONES).index(TONED[TONES[one]]), ORDER[one])):
        wide = round(100 * counts[status] / len(models), 2)
        stands.append(Stand(status, counts[status], TONED[TONES[status]], round(x, 2), wide))
        x += wide
    return stands


_TONES: Final = ("ok", "warn", "err", "")
"""The order in which the parts of the bar stand, the good ones first."""
