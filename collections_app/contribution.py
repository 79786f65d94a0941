"""What a seat adds to the others: pure, from which seats of which panels had which true claim.

A panel is its seats; a seat is who sat, which true claims it had, and what it cost. Claims are told apart within a
panel by any value, such as the id of their group. A claim that nobody had is not known to exist, so "missed" always
means: missed what another seat saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations
from math import inf, sqrt
from operator import mul
from random import Random
from typing import Final, NamedTuple

from collections_app.intervals import Interval, poisson, poisson_bounds, wilson

ENOUGH_PANELS: Final = 20
"""In fewer panels nothing is told of a seat."""
ENOUGH_CLAIMS: Final = 20
"""On fewer claims nothing is told of how two seats agree."""
RESAMPLES: Final = 200

Pair = tuple[str, str]


class SeatWork(NamedTuple):
    """One seat of a panel. `cost` is in any one currency, None where it is not known."""

    who: str
    found: frozenset[Hashable]
    cost: float | None = None


class Added(NamedTuple):
    """What one model added. `alone` counts true claims that no other seat had. Rates are a panel and a claim; None says
    that there is too little data. Without an upper bound, `cost_per_claim.high` is infinite."""

    who: str
    panels: int
    found: int
    alone: int
    alone_per_panel: Interval | None
    cost_per_claim: Interval | None


class Agreement(NamedTuple):
    """Two models that sat together: of the `either` claims that one of them had, the share that both had."""

    pair: Pair
    either: int
    share: Interval | None


class Contribution(NamedTuple):
    """`opinions` is how many independent opinions the seats amount to, from 1 to the number of models."""

    seats: list[Added]
    agreements: dict[Pair, Agreement]
    opinions: Interval | None


class Table(NamedTuple):
    """Claims of panels in which both sat, by who had them."""

    both: int = 0
    first: int = 0
    second: int = 0
    neither: int = 0

    def plus(self, other: Table) -> Table:
        return Table(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def contribution(panels: Sequence[Sequence[SeatWork]], rng: Random) -> Contribution:
    """What each seat added, how they agree, and how many opinions they are; `rng` draws the panels of the bootstrap."""
    sums: dict[Pair, Table] = {}
    each = [_tables(panel) for panel in panels]
    for tables in each:
        for pair, table in tables.items():
            sums[pair] = sums.get(pair, Table()).plus(table)
    agreements = {pair: _agreement(pair, table) for pair, table in sorted(sums.items())}
    return Contribution(_added(panels), agreements, _opinions(each, sums, rng))


def independent(tables: Iterable[tuple[Pair, Table]]) -> float:
    """The number of independent opinions among the models of these pairs: their number squared, over the sum of all
    squared correlations. Who fail alike are one; who see what the other misses are not less than two."""
    models: set[str] = set()
    shared = 0.0
    for pair, table in tables:
        models.update(pair)
        shared += 2 * max(correlation(table), 0.0) ** 2
    return len(models) ** 2 / (len(models) + shared) if models else 0.0


def correlation(table: Table) -> float:
    """How having a claim goes together in two models: 1 always, 0 not at all, -1 never. Where one of them had all of
    the claims or none, 1 if they were always alike and else 0."""
    both, first, second, neither = table
    spread = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not spread:
        return float(first + second == 0 and sum(table) > 0)
    return (both * neither - first * second) / sqrt(spread)


def _added(panels: Sequence[Sequence[SeatWork]]) -> list[Added]:
    sat: Counter[str] = Counter()
    found: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    priced: Counter[str] = Counter()
    cost: dict[str, float] = {}
    for panel in panels:
        seen = Counter(claim for seat in panel for claim in seat.found)
        for seat in panel:
            sat[seat.who] += 1
            found[seat.who] += len(seat.found)
            alone[seat.who] += sum(seen[claim] == 1 for claim in seat.found)
            if seat.cost is not None:
                priced[seat.who] += len(seat.found)
                cost[seat.who] = cost.get(seat.who, 0.0) + seat.cost
    return [
        Added(
            who,
            panels=sat[who],
            found=found[who],
            alone=alone[who],
            alone_per_panel=poisson(alone[who], sat[who]) if sat[who] >= ENOUGH_PANELS else None,
            cost_per_claim=_price(cost[who], priced[who]) if who in cost and sat[who] >= ENOUGH_PANELS else None,
        )
        for who in sorted(sat, key=lambda who: (-alone[who] / sat[who], who))
    ]


def _price(cost: float, claims: int) -> Interval:
    """What a true claim costs: the cost is known, the number of claims is what chance has its part in."""
    least, most = poisson_bounds(claims)
    return Interval(*(cost / number if number else inf for number in (claims, most, least)))


def _agreement(pair: Pair, table: Table) -> Agreement:
    either = table.both + table.first + table.second
    return Agreement(pair, either, wilson(table.both, either) if either >= ENOUGH_CLAIMS else None)


def _tables(panel: Sequence[SeatWork]) -> dict[Pair, Table]:
    claims = frozenset[Hashable]().union(*(seat.found for seat in panel))
    tables: dict[Pair, Table] = {}
    for one, other in combinations(sorted(panel, key=lambda seat: seat.who), 2):
        if one.who == other.who:
            continue  # a model beside itself says nothing of two
        both = len(one.found & other.found)
        first, second = len(one.found) - both, len(other.found) - both
        tables[one.who, other.who] = Table(both, first, second, len(claims) - both - first - second)
    return tables


def _opinions(each: list[dict[Pair, Table]], sums: dict[Pair, Table], rng: Random) -> Interval | None:
    """With the interval of a bootstrap over panels: claims of one panel are not independent, panels are."""
    told = [tables for tables in each if any(sum(table) for table in tables.values())]
    if len(told) < ENOUGH_PANELS:
        return None
    rows: dict[Pair, list[tuple[int, Table]]] = {pair: [] for pair in sums}
    for panel, tables in enumerate(told):
        for pair, table in tables.items():
            rows[pair].append((panel, table))
    # By column, so that a draw is a few sums of products instead of a table for each pair of each panel.
    columns = [
        (pair, [panel for panel, _ in row], [[table[n] for _, table in row] for n in range(4)])
        for pair, row in rows.items()
    ]
    resampled = []
    for _ in range(RESAMPLES):
        times = [0] * len(told)
        for panel in rng.choices(range(len(told)), k=len(told)):
            times[panel] += 1
        again = []
        for pair, panels, numbers in columns:
            drawn = [times[panel] for panel in panels]
            again.append((pair, Table(*(sum(map(mul, drawn, column)) for column in numbers))))
        resampled.append(independent(again))
    resampled.sort()
    return Interval(independent(sums.items()), resampled[int(0.025 * RESAMPLES)], resampled[int(0.975 * RESAMPLES)])
