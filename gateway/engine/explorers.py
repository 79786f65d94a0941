"""Which models explore: pure choice of explorer seats from a Snapshot.

An explorer place goes to the model with the stalest evidence whose role fits the shape of the work, whose family does
not sit already and which nothing speaks against; ties are broken by lot. Where beliefs are given, it goes to the model
from whose next verdicts most is to be gained, unless somebody has waited for too long. Nominated models come first.
Knows no clock and no database.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import SHAPE_ROLES, ModelRole, Shape
from gateway.engine.ranking import UNKNOWN, Belief, overdue
from gateway.engine.snapshot import ModelView

UNNAMED: Final = "the caller does not name it any more"
STALER: Final = "another model's evidence is staler, as it will be at the next panel"
MORE_TO_LEARN: Final = "more is to be learned of another model, or one has not worked for a week"


class Pick(Struct, frozen=True):
    """A model chosen for an explorer place, why, and when it would lose the place."""

    alias: str
    why: str
    until: str = ""


class Skipped(Struct, frozen=True):
    """A model that was wanted and does not sit. `seat` is member, with or merger."""

    seat: str
    alias: str
    why: str


def explorer_places(members: int, max_calls: int, max_explorers: int) -> int:
    """How many explorers join so many sitting members."""
    return max(0, min(max_explorers, max_calls - members))


class Field(Struct, frozen=True):
    """What the choice is made from. `avoid` maps aliases to the reason they are passed over; `last_work` holds epoch
    seconds, a missing alias has never worked. `beliefs` by alias, where the collection ranks by them, else None.
    `large`: so much is asked that some models are known to say nothing."""

    models: Mapping[str, ModelView]
    shape: Shape
    sitting: Sequence[str]
    avoid: Mapping[str, str]
    last_work: Mapping[str, float]
    now: float
    beliefs: Mapping[str, Belief] | None = None
    large: bool = False


def choose_explorers(
    field: Field, nominated: Iterable[str], places: int, rng: Random
) -> tuple[list[Pick], list[Skipped]]:
    """Fills up to `places` explorer places; ties are broken by `rng`. Nominations that cannot sit come back with the
    reason."""
    picks: list[Pick] = []
    skipped: list[Skipped] = []
    families = {field.models[alias].family for alias in field.sitting if alias in field.models}
    for alias in nominated:
        refusal = _refusal(field, alias, len(picks), places)
        if refusal:
            skipped.append(Skipped("with", alias, refusal))
        else:
            picks.append(Pick(alias, "nominated by the caller", UNNAMED))
            families.add(field.models[alias].family)
    pool = _pool(field, {pick.alias for pick in picks})
    for pick in _by_staleness(field, pool, rng) if field.beliefs is None else _by_gain(field, field.beliefs, pool, rng):
        if len(picks) >= places:
            break
        family = field.models[pick.alias].family
        if family not in families:
            picks.append(pick)
            families.add(family)
    return picks, skipped


def _refusal(field: Field, alias: str, taken: int, places: int) -> str:
    model = field.models.get(alias)
    if model is None:
        return "no model has this alias"
    if model.role == ModelRole.DECISION:
        return "a decision model gives typed answers and never sits"
    if model.guarded:
        return model.guarded_why
    if taken >= places:
        return "no explorer place was free" if places else "this panel has no explorer places"
    return ""


def _pool(field: Field, chosen: Collection[str]) -> list[ModelView]:
    """Who may explore here. The practice squad plays among its own: a script has nothing to add to real work."""
    roles = SHAPE_ROLES[field.shape]
    scripted = any(field.models[alias].scripted for alias in field.sitting)
    return [
        model
        for model in field.models.values()
        if not model.retired
        and not model.retiring
        and not model.guarded
        and not model.unheard
        and not (field.large and model.fails_large)
        and not model.ad_hoc
        and model.scripted == scripted
        and model.role in roles
        and model.alias not in chosen
        and model.alias not in field.sitting
        and model.alias not in field.avoid
    ]


def _by_staleness(field: Field, pool: list[ModelView], rng: Random) -> Iterator[Pick]:
    order = sorted(pool, key=lambda model: (field.last_work.get(model.alias, 0.0), rng.random()))
    for place, model in enumerate(order, 1):
        among = f"stalest {_of(len(pool))}" if place == 1 else f"number {place} {_of(len(pool))} by staleness"
        yield Pick(model.alias, f"{_stale(field, model.alias)}; {among}", STALER)


def _by_gain(field: Field, beliefs: Mapping[str, Belief], pool: list[ModelView], rng: Random) -> Iterator[Pick]:
    """Those who have waited for too long, the stalest first; then by what their next verdicts are expected to add to
    the best of those who sit."""
    late = [model for model in pool if overdue(model.alias, field.last_work, field.now)]
    yield from islice(_by_staleness(field, pool, rng), len(late))
    waited = {model.alias for model in late}
    best = max((beliefs.get(alias, UNKNOWN).mean for alias in field.sitting), default=UNKNOWN.mean)
    gains = {model.alias: beliefs.get(model.alias, UNKNOWN).gain(best) for model in pool if model.alias not in waited}
    for place, alias in enumerate(sorted(gains, key=lambda alias: (-gains[alias], rng.random())), 1):
        among = f"{'the most' if place == 1 else f'number {place}'} {_of(len(gains))}"
        points = f"{100 * gains[alias]:.2g} points of a hundred"
        yield Pick(alias, f"its next verdicts are expected to raise the best by {points}, {among}", MORE_TO_LEARN)


def _stale(field: Field, alias: str) -> str:
    last = field.last_work.get(alias)
    return "has never worked" if last is None else f"last worked {age(field.now - last)} ago"


def _of(candidates: int) -> str:
    return f"of {candidates} candidate{'s' if candidates != 1 else ''}"


def age(seconds: float) -> str:
    """A length of time in its largest whole unit: `3 h`."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(0, int(seconds))} s"
