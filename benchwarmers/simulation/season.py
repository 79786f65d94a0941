"""One season: request after request through the product's own decisions, verdicts into its own standings.

A request seats the member that the ranking puts first, and two explorers. The plan is made by `plan_route` and
`plan_panel`, the standings by the fold that the database's are made with. `uniform` seats anybody, to compare with.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random
from typing import Final, NamedTuple

import msgspec

from benchwarmers.simulation.league import DAY_S, START, League
from collections_app.standings import Key, Tally, keys_of, tally_of
from gateway.canon.ask import Ask, Text, Turn
from gateway.engine.moment import Moment
from gateway.engine.plan import plan_panel
from gateway.engine.route_plan import plan_route
from gateway.engine.snapshot import CollectionView, Snapshot, Votes

WAYS: Final = ("record", "bayes", "uniform")
ASK: Final = Ask(protocol="openai_chat", model="bench/any", turns=(Turn("user", (Text("A piece of work."),)),))


class Piece(NamedTuple):
    """A row of evidence that is in no database."""

    language_model_id: int
    collection_name: str
    shape: str
    useful: float | None
    at: datetime
    kind: str = "seat"
    real_claims: int = 0
    false_claims: int = 0
    current: bool = True


class Season(NamedTuple):
    """How it went: `regret` is what the first seats so far have fallen short of the best members', added up, after each
    request; `best_lately` the share of the last quarter's requests that the best member got; `longest_gap_days` the
    longest time that any model went without a seat; `seats` how many each had."""

    way: str
    regret: list[float]
    best_lately: float
    longest_gap_days: float
    seats: Mapping[str, int]


class Coverage:
    """Who sat how often, and when last, in epoch seconds."""

    def __init__(self, league: League) -> None:
        self.last_work: dict[str, float] = {}
        self.seats = dict.fromkeys(league.models, 0)
        self._gaps = dict.fromkeys(league.models, 0.0)

    def note(self, alias: str, now: float) -> None:
        self._gaps[alias] = max(self._gaps[alias], now - self.last_work.get(alias, START))
        self.last_work[alias] = now
        self.seats[alias] += 1

    def longest_gap(self, ends: float) -> float:
        """The longest time that anybody went without a seat, up to the end."""
        return max(max(gap, ends - self.last_work.get(alias, START)) for alias, gap in self._gaps.items())


class Table:
    """The standings as they grow."""

    def __init__(self, league: League, explorers: int, half_life_days: float) -> None:
        self._league, self._explorers = league, explorers
        self._aliases = {model.id: alias for alias, model in league.models.items()}
        self._half_life = half_life_days
        self._tallies: dict[Key, Tally] = {}

    def add(self, piece: Piece) -> None:
        for key in keys_of(Key(piece.language_model_id, piece.collection_name, piece.shape)):
            self._tallies[key] = self._tallies.get(key, Tally()).plus(tally_of(piece), self._half_life)

    def snapshot(self, now: datetime) -> Snapshot:
        """What the engine would have loaded at this moment."""
        useful: dict[str, float] = {}
        lately: dict[str, dict[str, Votes]] = {}
        for key, tally in self._tallies.items():
            if key.collection_name or not tally.judged:
                continue
            alias, late = self._aliases[key.language_model_id], tally.lately.told_at(now, self._half_life)
            lately.setdefault(key.shape, {})[alias] = Votes(late.useful, max(late.not_useful, 0.0))
            if not key.shape:
                useful[alias] = tally.useful
        models = dict(self._league.models)
        return Snapshot(models=models, max_explorers=self._explorers, useful=useful, lately=lately)


def play(league: League, way: str, panels: int, seed: int, *, explorers: int = 2, half_life_days: float = 60) -> Season:
    """A season of so many requests, seated this way, with so many explorers each."""
    table, coverage = Table(league, explorers, half_life_days), Coverage(league)
    regret, total, hits = [], 0.0, 0
    requests = Random(f"{seed} requests")  # noqa: S311 - the same requests for every way
    for number in range(panels):
        now = START + number * DAY_S / league.panels_a_day
        at = datetime.fromtimestamp(now, UTC)
        collection = requests.choice(league.collections)
        quality = league.quality_at(number / panels)
        rng = Random(f"{seed} {way} {number}")  # noqa: S311
        lineup = _seat(collection, way, table.snapshot(at), Moment(now, coverage.last_work, {}), rng)
        best = max(quality[alias, collection.shape] for alias in collection.members)
        lead = quality[lineup[0], collection.shape]
        total += best - lead
        regret.append(total)
        hits += number >= panels * 3 // 4 and lead == best
        for alias in lineup:
            coverage.note(alias, now)
            table.add(_judged(league, alias, collection, quality[alias, collection.shape], at, rng))
    ends = START + panels * DAY_S / league.panels_a_day
    return Season(
        way, regret, hits / max(1, panels - panels * 3 // 4), coverage.longest_gap(ends) / DAY_S, coverage.seats
    )


def _seat(collection: CollectionView, way: str, known: Snapshot, moment: Moment, rng: Random) -> list[str]:
    """Who sits: the first member, then the explorers."""
    if way == "uniform":
        first = rng.choice(collection.members)
        return [first, *rng.sample([alias for alias in known.models if alias != first], known.max_explorers)]
    ranked = msgspec.structs.replace(collection, ranking=way)
    first = plan_route(ASK, ranked, known, moment, rng).eligible[0]
    alone = msgspec.structs.replace(ranked, members=(first,))
    return [seat.alias for seat in plan_panel(ASK, alone, known, moment, rng).seats]


def _judged(league: League, alias: str, collection: CollectionView, quality: float, at: datetime, rng: Random) -> Piece:
    """The work of one seat with whatever verdicts it got: their mean, or None."""
    useful = rng.random() < quality
    votes = [float(useful != (rng.random() < judge.errs)) for judge in league.judges if rng.random() < judge.judges]
    mean = sum(votes) / len(votes) if votes else None
    return Piece(league.models[alias].id, collection.name, collection.shape, mean, at)
