"""The ledger's rows, and the sums that the engine keeps beside them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Sum
from django.db.models.functions import TruncMonth

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.work import Asked
from gateway.engine.usage_store import rebuild_usage
from gateway.models import Call, KeySpend, UsageDay

COLUMNS = (
    *("at", "seat", "language_model", "alias", "endpoint_name", "connection", "served", "owner", "key", "team"),
    *("request", "requests", "caller", "collection_name", "purpose", "status", "upstream_status", "failure"),
    *("attempts", "tokens_in", "tokens_out", "cached", "reasoning", "cost", "seconds", "first_token_s"),
)
PROBER = -1
"""The place of the key that a probe has: none."""


def pour_ledger(house: House, asked: list[Asked]) -> None:
    """So many calls as are wanted, in the order of their time."""
    asked.sort(key=lambda one: one.at)
    merged = heapq.merge(asked, _others(house, house.amounts.calls - len(asked)), key=lambda one: one.at)
    pour(Call, COLUMNS, _rows(house, merged))


def pour_sums() -> None:
    """The ledger's sums, by the product's own program, and what each key has spent."""
    rebuild_usage()
    _pour_spend()


def _others(house: House, number: int) -> Iterator[Asked]:
    """Route turns that are in the ledger alone."""
    rng = house.rng
    times = sorted(house.back() for _ in range(number))
    keys = rng.choices(range(len(house.keys)), house.weights(), k=number)
    for at, place in zip(times, keys, strict=True):
        where = house.scope[place]
        rare = rng.random() < 0.04
        model = rng.choice(house.models) if rare else house.members[where.pk][min(int(rng.expovariate(0.9)), 7)]
        status = rng.choices(("ok", "error", "timeout", "cancelled"), (94, 3, 1, 2))[0]
        yield Asked(at, model, place, where.name, "route", "", status, True)


def _rows(house: House, asked: Iterator[Asked]) -> Iterator[tuple[Any, ...]]:
    rng = house.rng
    for number, one in enumerate(asked):
        model, fine = one.model, one.status in ("ok", "cancelled")
        key = house.keys[one.key] if one.key != PROBER else None
        whose = (key.owner_id, key.pk, key.team_id) if key else (None, None, None)
        tokens_in, tokens_out = rng.randint(300, 9_000), rng.randint(20, 900)
        used = (tokens_in, tokens_out, tokens_in // 3, tokens_out // 4) if fine else (None,) * 4
        cost = tokens_in * 400 + tokens_out * 1_600 if fine and model.pk % 9 else None
        failure = "" if fine else "timeout" if one.status == "timeout" else "capacity"
        seconds = rng.uniform(0.4, 20)
        where = (one.seat, model.pk, model.alias, model.endpoint.name, model.connection, model.served)
        who = (*whose, f"req-{number}", int(one.first and key is not None), key.name if key else "prober")
        ended = (one.collection, one.purpose, one.status, 200 if fine else 429, failure, 1)
        yield one.at, *where, *who, *ended, *used, cost, seconds, seconds / 6 if fine else None


def _pour_spend() -> None:
    """What each key has spent by day and month, from the sums by day."""
    of_keys = UsageDay.objects.exclude(key_id=0).order_by()
    spent = {"requests": Sum("requests"), "money": Sum("cost"), "read": Sum("tokens_in"), "written": Sum("tokens_out")}
    rows: list[tuple[Any, ...]] = []
    for period, start in (("day", "day"), ("month", "month")):
        found = of_keys.annotate(month=TruncMonth("day")).values("key_id", start).annotate(n=Count("pk"), **spent)
        for row in found:
            amounts = {
                "requests": row["requests"],
                "tokens": row["read"] + row["written"],
                "money": row["money"],
            }
            rows += [(row["key_id"], unit, period, row[start], amount) for unit, amount in amounts.items()]
    pour(KeySpend, ("key", "unit", "period", "start", "spent"), rows)
