"""Who may take an agent's turn and in which order: pure, from a request and a Snapshot to a RoutePlan, or to the fault
that refuses it.

Knows no clock, no database and no network. A conversation's own member goes first (see `order_of`), the ranking only
decides where there is none.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from msgspec import Struct

from gateway.canon.ask import Ask, Media, Part, Text, Turn
from gateway.canon.fault import BadRequest, TooLarge, Unavailable
from gateway.canon.flatten import first_line
from gateway.canon.kinds import ModelRole
from gateway.canon.redact import placeholder
from gateway.canon.tokens import TOKENS_PER_IMAGE, count_ask
from gateway.engine.fitness import Load, cannot_take, read_load
from gateway.engine.moment import Moment
from gateway.engine.ranking import by_draw, by_record, overdue_first
from gateway.engine.snapshot import CollectionView, ModelView, Snapshot
from gateway.engine.upstreams import PROTOCOLS
from gateway.wire.vendor import refuse_vendor_tools

EXPLORED: Final = 0.25
"""The share of new conversations that go to the member whose record is oldest."""


_TAG: Final = re.compile(r"\s*<([a-zA-Z_-]+)>")


class Passed(Struct, frozen=True):
    """A member that cannot take this turn."""

    alias: str
    why: str


class RoutePlan(Struct, frozen=True):
    """`eligible` are aliases, best first for a new conversation; `tokens` the estimate of the whole request; `task` the
    start of its first message."""

    collection: CollectionView
    eligible: tuple[str, ...]
    passed: tuple[Passed, ...]
    tokens: int
    task: str


def plan_route(ask: Ask, collection: CollectionView, snapshot: Snapshot, moment: Moment, rng: Random) -> RoutePlan:
    """Raises the fault that refuses the turn."""
    if not ask.turns:
        raise BadRequest("The request has no messages: send at least one.", code="empty_prompt")
    refusal = refuse_vendor_tools(ask)
    if refusal is not None:
        raise refusal
    members = tuple(dict.fromkeys(collection.members))
    if not members:
        raise Unavailable(
            f"{collection.full_name} has no members, so nobody can take this turn. Add some on its page or with "
            "`manage.py apply`.",
            code="empty_panel",
        )
    load, tokens = read_load(ask), count_ask(ask)
    reasons = {alias: unfit(snapshot.models.get(alias), ask, load, tokens) for alias in members}
    eligible = [alias for alias in members if not reasons[alias]]
    passed = tuple([Passed(alias, why) for alias, why in reasons.items() if why])
    if not eligible:
        raise _nobody(collection, passed, snapshot, tokens, load)
    ranked = _ranked(eligible, collection, snapshot, moment, rng)
    return RoutePlan(collection, tuple(ranked), passed, tokens, first_message(ask))


def order_of(plan: RoutePlan, alias: str, remembered: tuple[str, ...]) -> tuple[str, ...]:
    """The order for a conversation that `alias` has answered so far. A member that cannot take this turn leaves the
    choice to the ranking."""
    if alias not in plan.eligible:
        return plan.eligible
    if len(plan.eligible) == 1:
        return plan.eligible
    return tuple([one for one in dict.fromkeys((alias, *remembered, *plan.eligible)) if one in plan.eligible])


def first_message(ask: Ask) -> str:
    """The start of the first thing the person said, on one line; what was attached shows as a placeholder. What a
    program wrote around it, in tags of its own, is not what the person said, unless there is nothing else."""
    turns = [turn for turn in ask.turns if turn.role == "user"]
    for strip in (True, False):
        for turn in turns:
            if words := _words(turn, strip=strip):
                return words
    return ""


def _words(turn: Turn, *, strip: bool) -> str:
    texts = [part.text if type(part) is Text else _attached(part) for part in turn.parts]
    return first_line(" ".join([_without_wrapped(text) for text in texts] if strip else texts))


def _without_wrapped(text: str) -> str:
    """The text without the blocks in tags that it begins with."""
    while (opened := _TAG.match(text)) is not None:
        end = text.find(f"</{opened[1]}>", opened.end())
        if end < 0:
            break
        text = text[end + len(opened[1]) + 3 :]
    return text


def _attached(part: Part) -> str:
    return placeholder(part) if isinstance(part, Media) else ""


def unfit(model: ModelView | None, ask: Ask, load: Load, tokens: int) -> str:
    """Why this model cannot take a turn that carries this and has so many tokens, or nothing."""
    if model is None:
        return "no model has this alias"
    if model.retired:
        why = f": {model.retired_why}" if model.retired_why else ""
        return f"retired on {model.retired_on}{why}"
    if model.guarded:
        return model.guarded_why
    if model.ad_hoc:
        return "an ad hoc model is asked by name only"
    if model.role == ModelRole.DECISION:
        return "a decision model gives typed answers and takes no turns"
    if model.role == ModelRole.VISION and not load.images:
        return "a vision specialist takes turns only when they carry images"
    if model.endpoint.api not in PROTOCOLS:
        return f"this server does not speak the {model.endpoint.api!r} protocol of its endpoint"
    if ask.agentic and not model.tools:
        if model.tools is None:
            return "it is not known whether this model calls tools; set its tools fact if it does"
        return f"does not call tools ({model.sources.get('tools', 'catalogue')})"
    if load.kinds and (why := cannot_take(model, load)):
        return why
    if model.context_window is not None and model.context_window < tokens:
        return f"the request needs about {tokens:,} tokens and its context window is {model.context_window:,}"
    return ""


def _ranked(
    eligible: list[str], collection: CollectionView, snapshot: Snapshot, moment: Moment, rng: Random
) -> list[str]:
    """Best first; who rests after a rate limit or is about to be retired comes last in the same order."""
    if len(eligible) == 1:
        return eligible
    drawn = collection.ranking == "bayes"
    ranked = (
        by_draw(eligible, collection.shape, snapshot.lately, rng) if drawn else by_record(eligible, snapshot.useful)
    )
    ready = [
        alias
        for alias in ranked
        if moment.resting.get(alias, 0.0) <= moment.now and not snapshot.models[alias].retiring
    ]
    resting = [alias for alias in ranked if alias not in ready]
    if drawn:
        ready = overdue_first(ready, moment.last_work, moment.now)
    elif len(ready) > 1 and rng.random() < EXPLORED:
        oldest = min(ready, key=lambda alias: moment.last_work.get(alias, 0.0))
        ready = [oldest, *(alias for alias in ready if alias != oldest)]
    return ready + resting


def _nobody(
    collection: CollectionView, passed: tuple[Passed, ...], snapshot: Snapshot, tokens: int, load: Load
) -> BadRequest | TooLarge:
    reasons = "; ".join(f"{one.alias} ({one.why})" for one in passed)
    windows = [snapshot.models[one.alias].context_window for one in passed if one.alias in snapshot.models]
    known = [window for window in windows if window is not None and window < tokens]
    if len(known) == len(passed):
        counted = f", each image counted as {TOKENS_PER_IMAGE:,}" if load.images else ""
        return TooLarge(
            f"The request needs about {tokens:,} tokens{counted}, more than any member of {collection.full_name} "
            f"takes: {reasons}. Trim it under {max(known):,}, or ask another collection.",
            code="context_length_exceeded",
        )
    return BadRequest(
        f"No member of {collection.full_name} can take this turn: {reasons}.",
        code="nobody_can",
    )
