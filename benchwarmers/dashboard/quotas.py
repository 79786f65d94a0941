"""What the page of quotas reads: what is left, what was sent and by whom, who rests, and which limits are known. Never
writes. No provider's own words are shown: they can name an account.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, Sum, Value
from django.db.models.functions import Coalesce

from benchwarmers.dashboard.quota_gauges import AXES
from collections_app.facts import LIMIT_AXES
from collections_app.models import ConnectionLimit, Fact
from gateway.engine.batch_usage import day_of
from gateway.models import Call, Cooldown, Quota, UsageDay

DAY: Final = timedelta(hours=24)
CALLERS: Final = 3
"""So many callers are named for each connection."""
ENFORCED: Final = ("operator", "learned", "probe")
"""Sources of a model's limits that bear on its calls. What a feed lists does not."""
BY_CONNECTION: Final = Coalesce(F("connection"), Value(""))
BY_ALIAS: Final = Coalesce(F("alias"), Value(""))
"""The same as the columns. By these themselves SQLite would go through their indexes, past every call there is."""
_TOKENS: Final = Coalesce(F("tokens_in"), 0) + Coalesce(F("tokens_out"), 0)


@dataclass(frozen=True, slots=True)
class Left:
    """What a provider said is left of a limit, and when it said so."""

    quota: Quota
    minutes_ago: int


@dataclass(slots=True)
class Sent:
    """Requests, retries included, and tokens in and out of a connection. `callers` are those who sent most of the
    last 24 hours, with their requests and tokens."""

    connection: str
    requests: int = 0
    tokens: int = 0
    month_requests: int = 0
    month_tokens: int = 0
    callers: list[tuple[str, int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Resting:
    """A model that is not asked for so many minutes."""

    alias: str
    connection: str
    minutes: int
    stated: bool


@dataclass(frozen=True, slots=True)
class Known:
    """Limits of a connection (`alias` is empty) or of a model, in the order of AXES; `at` is when they were learned or
    stated, None for what is set for a connection."""

    connection: str
    alias: str
    limits: Sequence[int | None]
    source: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class QuotaPage:
    """The page's panels."""

    left: Sequence[Left]
    sent: Sequence[Sent]
    resting: Sequence[Resting]
    known: Sequence[Known]


def load_quotas(now: datetime) -> QuotaPage:
    """All of it, in six queries, however many calls there were."""
    return QuotaPage(_load_left(now), _load_sent(now), _load_resting(now), _load_known())


def _load_left(now: datetime) -> list[Left]:
    live = Quota.objects.filter(reset_at__gt=now)
    return [Left(row, max(int((now - row.observed_at).total_seconds() // 60), 0)) for row in live]


def _load_sent(now: datetime) -> list[Sent]:
    sent: dict[str, Sent] = {}
    callers: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    lately = Call.objects.filter(at__gt=now - DAY).order_by().values_list(BY_CONNECTION, "caller")
    for connection, caller, requests, tokens in lately.annotate(Sum("attempts"), tokens=Sum(_TOKENS)):
        one = sent.setdefault(connection, Sent(connection))
        one.requests += requests
        one.tokens += tokens
        callers[connection].append((caller, requests, tokens))
    month = UsageDay.objects.filter(day__gte=day_of(now).replace(day=1)).order_by().values_list("connection")
    for connection, requests, tokens in month.annotate(Sum("attempts"), tokens=Sum(F("tokens_in") + F("tokens_out"))):
        one = sent.setdefault(connection, Sent(connection))
        one.month_requests, one.month_tokens = requests, tokens
    sent.pop("", None)  # requests that were refused before a model was chosen
    callers.pop("", None)
    for connection, found in callers.items():
        sent[connection].callers = sorted(found, key=lambda each: (-each[1], -each[2], each[0]))[:CALLERS]
    return sorted(sent.values(), key=lambda one: (-one.requests, -one.month_requests, one.connection))


def _load_resting(now: datetime) -> list[Resting]:
    rows = Cooldown.objects.filter(until__gt=now).select_related("language_model__endpoint").order_by("until")
    return [
        Resting(
            alias=row.language_model.alias,
            connection=row.language_model.connection,
            minutes=max(-(-int((row.until - now).total_seconds()) // 60), 1),
            stated=row.stated,
        )
        for row in rows
    ]


def _load_known() -> list[Known]:
    known = [
        Known(row.connection, "", [getattr(row, axis) for axis in AXES], "set", None)
        for row in ConnectionLimit.objects.all()
    ]
    facts = Fact.objects.filter(field="limits", source__in=ENFORCED, language_model__retired_at__isnull=True)
    for fact in facts.select_related("language_model__endpoint").order_by("language_model__alias", "source"):
        model = fact.language_model
        known.append(Known(model.connection, model.alias, _limits(fact.value), fact.source, fact.seen_at))
    return known


def _limits(value: Any) -> list[int | None]:
    held = value if isinstance(value, dict) else {}
    return [held.get(axis) if axis in LIMIT_AXES else None for axis in AXES]
