"""A card for each connection: how full its limits are and those of its models, who rests, and what may be set. Reads
only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce

from benchwarmers.dashboard.quota_gauges import AXES, Gauge, Ledger, make_gauges, stated_gauge
from benchwarmers.dashboard.quotas import BY_ALIAS, BY_CONNECTION, DAY, Known, QuotaPage, Resting, Sent
from collections_app.models import LanguageModel
from gateway.engine.pace_counted import Pressure, load_counted
from gateway.engine.pace_rules import Limits, Scope
from gateway.engine.pace_told import AtOnce
from gateway.models import Call

MOST_SCOPES: Final = 150
"""So many models' own limits are looked up; a page of more would be none."""
WEIGHTS: Final = ("set", "probe", "learned", "operator")
"""Sources of a limit; a later one wins."""
MINUTE: Final = timedelta(minutes=1)
_TOKENS: Final = Coalesce(F("tokens_in"), 0) + Coalesce(F("tokens_out"), 0)


@dataclass(slots=True)
class Card:
    """One connection. `models` are its models with limits of their own or stated by the provider, each with gauges;
    `limits` what is set for it, by axis; `at_once` how many calls it may have since it refused one."""

    connection: str
    gauges: list[Gauge] = field(default_factory=list)
    models: list[tuple[str, list[Gauge]]] = field(default_factory=list)
    resting: list[Resting] = field(default_factory=list)
    at_once: AtOnce | None = None
    limits: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def pressure(self) -> int:
        """The fullest gauge, in percent."""
        return max((one.share for one in self._every()), default=0)

    @property
    def full(self) -> list[Gauge]:
        """Gauges with nothing left."""
        return [one for one in self._every() if one.state == "full"]

    def _every(self) -> list[Gauge]:
        return [*self.gauges, *(one for _, gauges in self.models for one in gauges)]


def load_cards(page: QuotaPage, at_once: Sequence[AtOnce] | None, url: str, now: datetime) -> list[Card]:
    """Every connection that there is a word about, the fullest first. Three queries, and one look into Redis."""
    own: dict[tuple[str, str], dict[str, int | None]] = {}
    limits: dict[str, Mapping[str, int | None]] = {}
    for known in sorted(page.known, key=lambda one: WEIGHTS.index(one.source)):
        if known.alias:
            own.setdefault((known.connection, known.alias), {}).update(_told(known))
        else:
            limits[known.connection] = dict(zip(AXES, known.limits, strict=True))
    scopes = [_scope(name, "", its) for name, its in limits.items()]
    scopes += [_scope(name, alias, its) for (name, alias), its in list(own.items())[:MOST_SCOPES]]
    counted = load_counted(url, [one for one in scopes if one.counts], list(limits), now)
    ledger = _load_ledger(scopes, page.sent, now)
    cards = {name: Card(name) for name in _names(page)}
    for scope in scopes:
        card = cards[scope.connection]
        its = own[scope.connection, scope.alias] if scope.alias else limits[scope.connection]
        open_calls = counted.open_calls.get(scope.connection, 0) if counted else 0
        gauges = make_gauges(its, _window(counted, scope), ledger.get(scope.key, Ledger()), open_calls)
        if scope.alias:
            card.models.append((scope.alias, gauges))
        else:
            card.gauges, card.limits = gauges, its
    _add_told(cards, page, at_once)
    return sorted(cards.values(), key=lambda card: (-card.pressure, -len(card.resting), card.connection))


def _told(known: Known) -> dict[str, int | None]:
    return {axis: number for axis, number in zip(AXES, known.limits, strict=True) if number and axis != "parallel"}


def _scope(connection: str, alias: str, limits: Mapping[str, int | None]) -> Scope:
    held = Limits(**{axis: limits.get(axis) for axis in AXES if not alias or axis not in ("rpmo", "parallel")})
    return Scope(connection, alias, held, held.counts)


def _window(counted: Pressure | None, scope: Scope) -> Any:
    return counted.scopes.get(scope.key) if counted else None


def _add_told(cards: dict[str, Card], page: QuotaPage, at_once: Sequence[AtOnce] | None) -> None:
    stated: dict[tuple[str, str], list[Gauge]] = defaultdict(list)
    for left in page.left:
        if gauge := stated_gauge(left.quota):
            stated[left.quota.connection, left.quota.alias].append(gauge)
    for (connection, alias), gauges in stated.items():
        card = cards[connection]
        if not alias:
            card.gauges += gauges
            continue
        held = dict(card.models)
        held.setdefault(alias, []).extend(gauges)
        card.models = sorted(held.items())
    for resting in page.resting:
        cards[resting.connection].resting.append(resting)
    for one in at_once or ():
        cards.setdefault(one.connection, Card(one.connection)).at_once = one


def _names(page: QuotaPage) -> set[str]:
    """Connections of models on the bench, and those that limits or calls speak of."""
    rows = LanguageModel.objects.filter(retired_at=None).select_related("endpoint").only("tag", "endpoint")
    names = {model.connection for model in rows} - {"?"}
    names |= {row.quota.connection for row in page.left} | {row.connection for row in page.sent}
    return names | {row.connection for row in page.resting} | {row.connection for row in page.known}


def _load_ledger(scopes: Sequence[Scope], sent: Sequence[Sent], now: datetime) -> dict[str, Ledger]:
    """By scope's key."""
    aliases = [scope.alias for scope in scopes if scope.alias]
    by_connection = {one.connection: one for one in sent}
    minute: dict[tuple[str, str], tuple[int, int]] = {}
    day: dict[tuple[str, str], tuple[int, int]] = {}
    lately = Call.objects.filter(at__gt=now - MINUTE).order_by().values_list(BY_CONNECTION, BY_ALIAS)
    for connection, alias, requests, tokens in lately.annotate(Sum("attempts"), tokens=Sum(_TOKENS)):
        for key in ((connection, ""), (connection, alias)):
            had = minute.get(key, (0, 0))
            minute[key] = had[0] + requests, had[1] + tokens
    if aliases:
        wanted = Q(at__gt=now - DAY, alias__in=aliases)
        rows = Call.objects.filter(wanted).order_by().values_list(BY_CONNECTION, BY_ALIAS)
        for connection, alias, requests, tokens in rows.annotate(Sum("attempts"), tokens=Sum(_TOKENS)):
            day[connection, alias] = requests, tokens
    found = {}
    for scope in scopes:
        whole = by_connection.get(scope.connection, Sent(scope.connection))
        last_day = day.get((scope.connection, scope.alias), (0, 0)) if scope.alias else (whole.requests, whole.tokens)
        month = (whole.month_requests, whole.month_tokens)
        found[scope.key] = Ledger(minute.get((scope.connection, scope.alias), (0, 0)), last_day, month)
    return found
