"""Which models explore: pure choice of explorer seats from a Snapshot.

An explorer place goes to the model with the stalest evidence whose role fits the shape of the work, whose family does
not sit already and which nothing speaks against. Nominated models come first. Knows no clock and no database.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from msgspec import Struct

from gateway.canon.kinds import SHAPE_ROLES, ModelRole, Shape
from gateway.engine.snapshot import ModelView


class Pick(Struct, frozen=True):
    """A model chosen for an explorer place, and why."""

    alias: str
    why: str


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
    seconds, a missing alias has never worked."""

    models: Mapping[str, ModelView]
    shape: Shape
    sitting: Sequence[str]
    avoid: Mapping[str, str]
    last_work: Mapping[str, float]
    now: float


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
            picks.append(Pick(alias, "nominated by the caller"))
            families.add(field.models[alias].family)
    pool = _pool(field, {pick.alias for pick in picks})
    order = sorted(pool, key=lambda model: (field.last_work.get(model.alias, 0.0), rng.random()))
    for model in order:
        if len(picks) >= places:
            break
        if model.family not in families:
            picks.append(Pick(model.alias, _stale(field, model.alias, len(pool))))
            families.add(model.family)
    return picks, skipped


def _refusal(field: Field, alias: str, taken: int, places: int) -> str:
    model = field.models.get(alias)
    if model is None:
        return "no model has this alias"
    if model.role == ModelRole.DECISION:
        return "a decision model gives typed answers and never sits"
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
        and not model.ad_hoc
        and model.scripted == scripted
        and model.role in roles
        and model.alias not in chosen
        and model.alias not in field.sitting
        and model.alias not in field.avoid
    ]


def _stale(field: Field, alias: str, candidates: int) -> str:
    last = field.last_work.get(alias)
    among = f"of {candidates} candidate{'s' if candidates != 1 else ''}"
    if last is None:
        return f"has never worked; stalest {among}"
    return f"last worked {age(field.now - last)} ago; stalest {among}"


def age(seconds: float) -> str:
    """A length of time in its largest whole unit: `3 h`."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(0, int(seconds))} s"
