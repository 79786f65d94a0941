"""Who sits in a panel and why: pure, from a request and a Snapshot to a PanelPlan, or to the fault that refuses it.

Knows no clock, no database and no network, so that the same inputs give the same line-up again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest, NotFound, TooLarge, Unavailable
from gateway.canon.flatten import flatten
from gateway.canon.kinds import Shape
from gateway.canon.names import PREFIX, read_collection, spellings
from gateway.canon.text_documents import text_length
from gateway.canon.tokens import TOKENS_PER_IMAGE, estimate_length, estimate_prompt
from gateway.engine.explorers import UNNAMED, Field, Pick, Skipped, choose_explorers, explorer_places
from gateway.engine.fitness import MEDIA_FACTS, Load, cannot_take, read_load, unfit_for_panel
from gateway.engine.members import seat_members
from gateway.engine.moment import Moment
from gateway.engine.picker_plan import Picked
from gateway.engine.ranking import believe_all
from gateway.engine.snapshot import Caller, CollectionView, Snapshot

LARGE: Final = 8_000
"""Characters of what is asked, above which models that fail large questions do not explore."""
NAME_CAP = 100
NO_PICKER = "no decision model onboarded"


class SeatPlan(Struct, frozen=True):
    """One chair: `key` completes the call id, `label` is what people read; `why` says why this model sits here, `until`
    when it would sit here no longer."""

    key: str
    label: str
    alias: str
    why: str
    until: str = ""


class PanelPlan(Struct, frozen=True):
    """A line-up. `tokens` is the estimate of the prompt that every seat gets; `undecided` says that a picker was not
    asked for the shape, and should be."""

    collection: CollectionView
    seats: tuple[SeatPlan, ...]
    skipped: tuple[Skipped, ...]
    shape: Shape
    shape_by: str
    system: str
    prompt: str
    tokens: int
    undecided: bool = False

    @property
    def members(self) -> int:
        return sum(seat.label == "member" for seat in self.seats)


def resolve_model(model: str, snapshot: Snapshot) -> str:
    """The full name, such as `bench/core:route`, that an alias stands for, and any other name as it came. Collection
    and reply mode are both read from it."""
    alias = find_alias(model, snapshot)
    return model if alias is None else snapshot.aliases[alias]


def find_alias(model: str, snapshot: Snapshot) -> str | None:
    """The alias that is meant, or None. A collection's own name is never one. Gemini's `models/` before an alias and
    Ollama's `:latest` after it make no difference."""
    name = model.strip()
    if name.startswith(PREFIX) or read_collection(name)[0] in snapshot.collections:
        return None
    return next((one for one in spellings(name) if one in snapshot.aliases), None)


def find_collection(model: str, snapshot: Snapshot, caller: Caller) -> CollectionView:
    """The collection a model name means, also through an alias. Raises BadRequest or NotFound with the list of what
    this caller may ask. One that is withheld is not found."""
    bare, _ = read_collection(resolve_model(model, snapshot))
    found = snapshot.collections.get(bare)
    if found is not None and bare not in caller.withheld:
        return found
    listing = _listing(snapshot, caller)
    if not bare:
        raise BadRequest(
            f"No model was named. Set `model` to a collection, see GET /v1/models.{listing}", code="no_model"
        )
    raise NotFound(f"{model[:NAME_CAP]!r} is not a collection of this server.{listing}", code="model_not_found")


def plan_panel(
    ask: Ask,
    collection: CollectionView,
    snapshot: Snapshot,
    moment: Moment,
    rng: Random,
    picked: Picked | None = None,
) -> PanelPlan:
    """The line-up for this request. `picked` is what a picker says of its shape; without one a plan that would need it
    comes back as `undecided`."""
    load = read_load(ask)
    system, prompt = flatten(ask)
    if not prompt.strip():
        raise BadRequest("The prompt is empty: send at least one message with text.", code="empty_prompt")
    tokens = estimate_prompt(system, prompt, load.images) + estimate_length(sum(map(text_length, ask.media)))
    chairs = ask.bench.seats or snapshot.max_calls
    bench = seat_members(ask, collection, snapshot, moment, chairs)
    _check_size(bench.sitting, snapshot, collection, tokens, load)
    limit = 0 if ask.bench.only else _most_explorers(ask, collection, snapshot)
    given_away = bench.given_away(chairs) if limit else 0
    places = explorer_places(len(bench.sitting) + given_away, chairs, limit) + given_away
    settled = _shape(collection, load, places)
    shape, shape_by = settled or ((picked.shape, picked.shape_by) if picked else (Shape.GENERAL, NO_PICKER))
    field = Field(
        models=snapshot.models,
        shape=shape,
        sitting=[*bench.sitting, *bench.resting],
        avoid=_avoid(snapshot, moment, tokens, load),
        last_work=moment.last_work,
        now=moment.now,
        beliefs=believe_all(snapshot.models, shape, snapshot.lately) if collection.ranking == "bayes" else None,
        large=len(system) + len(prompt) > LARGE,
    )
    wanted, unfit = _nominations(ask, bench.sitting, snapshot, load)
    explorers, passed_over = choose_explorers(field, wanted, places, rng)
    # Better a member that rests than nobody.
    bench = bench.or_whoever_rests(chairs) if not explorers else bench
    skipped = [*bench.skipped, *unfit, *passed_over]
    seats = _chairs(bench.sitting, explorers, collection, chairs)
    if not seats:
        raise _nobody(collection, skipped, load)
    undecided = settled is None and picked is None
    return PanelPlan(collection, seats, tuple(skipped), shape, shape_by, system, prompt, tokens, undecided)


def _most_explorers(ask: Ask, collection: CollectionView, snapshot: Snapshot) -> int:
    for limit in (ask.bench.explorers, collection.max_explorers):
        if limit is not None:
            return limit
    return snapshot.max_explorers


def _nominations(ask: Ask, sitting: Sequence[str], snapshot: Snapshot, load: Load) -> tuple[list[str], list[Skipped]]:
    wanted: list[str] = []
    skipped: list[Skipped] = []
    for alias in dict.fromkeys(ask.nominated):
        why = unfit_for_panel(alias, snapshot, load) if alias in snapshot.models else ""
        if alias in sitting:
            continue
        if why:
            skipped.append(Skipped("with", alias, why))
        else:
            wanted.append(alias)
    return wanted, skipped


def _check_size(
    sitting: Sequence[str], snapshot: Snapshot, collection: CollectionView, tokens: int, load: Load
) -> None:
    small = sorted(
        (window, alias)
        for alias in sitting
        if (window := snapshot.models[alias].context_window) is not None and window < tokens
    )
    if not small:
        return
    counted = f", each image counted as {TOKENS_PER_IMAGE:,}" if load.images else ""
    names = ", ".join(f"{alias} ({window:,})" for window, alias in small)
    raise TooLarge(
        f"The prompt needs about {tokens:,} tokens{counted}, more than these members of {collection.full_name} take: "
        f"{names}. Trim it under {small[0][0]:,}, or ask another collection; GET /v1/models lists the windows.",
        code="context_length_exceeded",
    )


def _shape(collection: CollectionView, load: Load, places: int) -> tuple[Shape, str] | None:
    """The shape and who says so; None where nobody has said anything."""
    if load.images and not collection.shape:
        return Shape.VISION, "the request carries images"
    own = Shape(collection.shape) if collection.shape in set(Shape) else None
    if not places:
        return own or Shape.GENERAL, "no explorer seats to fill"
    if own is None and collection.shape:
        known = ", ".join(Shape)
        raise BadRequest(f"{collection.full_name} has the unknown shape {collection.shape!r}; known are {known}.")
    if own:
        return own, "set on the collection"
    return None


def _avoid(snapshot: Snapshot, moment: Moment, tokens: int, load: Load) -> dict[str, str]:
    avoid = {alias: "resting after a rate limit" for alias, until in moment.resting.items() if until > moment.now}
    for alias, model in snapshot.models.items():
        if model.context_window is not None and model.context_window < tokens:
            avoid[alias] = "its context window is too small"
        elif cannot_take(model, load):
            avoid[alias] = "does not take what the request carries"
    return avoid


def _chairs(
    sitting: Sequence[str], explorers: list[Pick], collection: CollectionView, chairs: int
) -> tuple[SeatPlan, ...]:
    """Who sits where and why. Those that the caller named alone sit as members where they are, as explorers else."""
    own = [alias for alias in sitting if alias in collection.members]
    named = [Pick(alias, "named alone by the caller", UNNAMED) for alias in sitting if alias not in collection.members]
    members = [
        SeatPlan(
            f"member{place}",
            "member",
            alias,
            f"member {place} of {collection.full_name}",
            f"it retires, rests after a rate limit, or is moved below place {chairs} of the collection",
        )
        for place, alias in enumerate(own, 1)
    ]
    extra = [
        SeatPlan(
            "explorer" if place == 1 else f"explorer{place}",
            "explorer" if place == 1 else f"explorer {place}",
            pick.alias,
            pick.why,
            pick.until,
        )
        for place, pick in enumerate([*named, *explorers], 1)
    ]
    return (*members, *extra)


def _nobody(collection: CollectionView, skipped: list[Skipped], load: Load) -> BadRequest | Unavailable:
    reasons = "; ".join(f"{skip.alias} ({skip.why})" for skip in skipped)
    reasons = f" Not asked: {reasons}." if reasons else ""
    if load.kinds:
        carried = " and ".join(MEDIA_FACTS[kind][1] for kind in load.kinds)
        facts = " and ".join(MEDIA_FACTS[kind][0] for kind in load.kinds)
        return BadRequest(
            f"Nobody in {collection.full_name} takes {carried}, and no model that does was free.{reasons} "
            f"Send text alone, ask another collection, or set the {facts} fact of a model that takes them.",
            code="nobody_sees",
        )
    return Unavailable(
        f"The panel of {collection.full_name} is empty: no member and no explorer is available.{reasons}",
        code="empty_panel",
    )


def _listing(snapshot: Snapshot, caller: Caller) -> str:
    """The collections this caller may ask, a line each. Others are not named: a scope also hides."""
    mine = [snapshot.collections[name] for name in sorted(snapshot.collections) if caller.may_call(name)]
    if not mine:
        return " There are none yet: make one on the Collections page, or with `manage.py apply`."
    lines = [
        f"{one.full_name}: {one.description or 'no description'}" + (f" [{', '.join(one.tags)}]" if one.tags else "")
        for one in mine
    ]
    return "\n" + "\n".join(lines)
