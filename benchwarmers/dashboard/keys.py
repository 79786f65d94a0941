"""What the pages of gateway keys read: the list with its filters, and one key with what it used. Never writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from benchwarmers.dashboard.keys_order import FIRST, in_order, load_sorted, read_sort, turned
from benchwarmers.dashboard.paging import Filters
from benchwarmers.sight import visible_keys
from collections_app.actions.key_budget import budgets_of
from collections_app.actions.key_rules import may_loosen
from collections_app.budgets import PERIODS, Budget, period_end, period_start, tell_amount
from collections_app.models import GatewayKey
from gateway.models import KeySpend

PAGE = 30
STATES = ("open", "rotating", "expired", "revoked")
"""What the list can be narrowed to; without, it shows every key that is not revoked."""


@dataclass(frozen=True, slots=True)
class KeyFilters(Filters):
    """Also narrowed to an owner's or a team's name, and in an order of `keys_order`."""

    person: str = ""
    team: str = ""
    sort: str = FIRST

    @classmethod
    def read(cls, query: QueryDict, states: Sequence[str] = STATES) -> KeyFilters:
        """From the address; a state that is none does not narrow."""
        state = query.get("state", "")
        return cls(
            state=state if state in states else "",
            text=query.get("q", "").strip()[:32],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
            person=query.get("person", "")[:150],
            team=query.get("team", "")[:32],
            sort=read_sort(query.get("sort", "")),
        )

    @property
    def narrows(self) -> bool:
        """True when some rows are left out that would be shown without."""
        return bool(self.state or self.text or self.person or self.team)

    @property
    def as_csv(self) -> str:
        """The query string of all of it as a file."""
        return self.address(format="csv")

    def sorted_by(self, column: str) -> KeyFilters:
        """The same from its start by this column; the other way round where it is already."""
        return replace(self, sort=turned(self.sort, column), before="", after="")

    def address(self, before: str = "", after: str = "", **more: str) -> str:
        """The query string of this list at another place."""
        pairs = {"person": self.person, "team": self.team, "state": self.state, "q": self.text}
        pairs |= {"sort": "" if self.sort == FIRST else self.sort, "before": before, "after": after, **more}
        return "?" + urlencode({name: value for name, value in pairs.items() if value})


@dataclass(frozen=True, slots=True)
class Bar:
    """A budget and what is used of it. `share` is whole percent, at most 100; it starts anew at `resets`."""

    words: str
    share: int
    resets: datetime

    @property
    def full(self) -> bool:
        """Nothing is left."""
        return self.share >= 100


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key. `state` is open, rotating, expired, revoked or closed (its owner is disabled); `opens` names its
    collections, None for every one."""

    key: GatewayKey
    state: str
    opens: Sequence[str] | None
    bars: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class KeyList:
    """One page; `older` and `newer` are query strings further on and back, empty where the list ends. `managed` are the
    ids of those that the reader may revoke."""

    rows: Sequence[KeyRow]
    older: str
    newer: str
    managed: frozenset[int]


def load_keys(person: User, filters: KeyFilters, now: datetime, size: int = PAGE) -> KeyList:
    """The page of the list that the filters and their cursor name."""
    found = narrow(with_use(visible_keys(person), now), filters, now)
    page = load_sorted(found, filters.sort, filters, size)
    return KeyList([row_of(key, now) for key in page.rows], page.older, page.newer, managed_of(person, page.rows))


def load_every_key(person: User, filters: KeyFilters, now: datetime) -> list[KeyRow]:
    """All that pass the filters, in their order."""
    found = in_order(narrow(with_use(visible_keys(person), now), filters, now), filters.sort)
    return [row_of(key, now) for key in found]


def managed_of(person: User, rows: Sequence[GatewayKey]) -> frozenset[int]:
    """The ids of those that this person may change, and that still open something; asks once however many there are."""
    teams = set() if may_loosen(person) else set(person.teams.values_list("pk", flat=True))
    asks = person.has_perm("gateway.ask")
    return frozenset(
        row.pk
        for row in rows
        if row.revoked_at is None
        and (may_loosen(person) or (asks and (row.team_id in teams if row.team_id else row.owner_id == person.pk)))
    )


def narrow(found: QuerySet[GatewayKey], filters: KeyFilters, now: datetime) -> QuerySet[GatewayKey]:
    """Only the keys that pass the filters."""
    if filters.state == "revoked":
        found = found.filter(revoked_at__isnull=False)
    else:
        found = found.filter(revoked_at__isnull=True)
    if filters.state == "expired":
        found = found.filter(expires_at__lte=now)
    elif filters.state in ("open", "rotating"):
        found = found.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now), owner__is_active=True)
    if filters.state == "rotating":
        found = found.filter(previous_until__gt=now)
    if filters.person:
        found = found.filter(owner__username=filters.person)
    if filters.team:
        found = found.filter(team__name=filters.team)
    if filters.text:
        found = found.filter(Q(name__icontains=filters.text) | Q(hint__iexact=filters.text.removeprefix("…")))
    return found


def with_use(found: QuerySet[GatewayKey], now: datetime) -> QuerySet[GatewayKey]:
    """The keys with all that a row shows, in as many queries for many as for one."""
    today = timezone.localtime(now).date()
    spends = KeySpend.objects.filter(start__in={period_start(period, today) for period in PERIODS})
    return found.select_related("owner", "team", "signed").prefetch_related(
        "collections", "budgets", Prefetch("spends", queryset=spends)
    )


def row_of(key: GatewayKey, now: datetime) -> KeyRow:
    """A key that `with_use` brought, as it stands."""
    opens = sorted(one.name for one in key.collections.all()) if key.scoped else None
    today = timezone.localtime(now).date()
    return KeyRow(key, state_of(key, now), opens, bars_of(budgets_of(key), key.spends.all(), today))


def state_of(key: GatewayKey, now: datetime) -> str:
    """What the key is good for now."""
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= now:
        return "expired"
    if not key.owner.is_active:
        return "closed"
    return "rotating" if key.previous_until is not None and key.previous_until > now else "open"


def bars_of(budgets: Iterable[Budget], spends: Iterable[KeySpend], today: date) -> list[Bar]:
    """Each budget with what was used in its present period. `today` is in the server's time zone."""
    spent = {(one.unit, one.period, one.start): one.spent for one in spends}
    bars = []
    for budget in budgets:
        start = period_start(budget.period, today)
        used = spent.get((budget.unit, budget.period, start), 0)
        words = f"{_bare(budget.unit, used)} of {budget.words}"
        bars.append(Bar(words, min(100, used * 100 // budget.amount), _midnight(period_end(budget.period, start))))
    return bars


def load_owners(person: User) -> list[str]:
    """The owners of the keys this person sees, by name."""
    return _names(visible_keys(person), "owner__username")


def load_teams(person: User) -> list[str]:
    """The teams of the keys this person sees, by name."""
    return _names(visible_keys(person).filter(team__isnull=False), "team__name")


def _names(found: QuerySet[GatewayKey], field: str) -> list[str]:
    return list(found.order_by(field).values_list(field, flat=True).distinct())


def _bare(unit: str, amount: int) -> str:
    """The number alone; the unit stands after the limit."""
    return tell_amount(unit, amount).rpartition(" ")[0]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=timezone.get_default_timezone())
