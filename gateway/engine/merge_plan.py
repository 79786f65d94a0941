"""Who merges the answers of a panel: pure, from a line-up and a Snapshot to one model, or to why there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

from gateway.canon.kinds import ModelRole, Shape
from gateway.engine.explorers import Skipped
from gateway.engine.plan import PanelPlan, SeatPlan
from gateway.engine.snapshot import CollectionView, ModelView, Snapshot

MERGER: Final = "merger"
LARGE_TOKENS: Final = 2_000
"""About eight thousand characters of answers."""
NOBODY_ANSWERED: Final = "no seat answered"


class NoMerger(Struct, frozen=True):
    """Nobody can merge, and why."""

    why: str


class _Candidate(Struct, frozen=True):
    model: ModelView
    why: str
    until: str


def skipped_merger(collection: CollectionView, snapshot: Snapshot) -> Skipped | None:
    """The collection's merger when it cannot be asked, with the reason; then a member is chosen instead."""
    alias = collection.merger
    if not alias or not (why := _unusable(alias, snapshot)):
        return None
    return Skipped(MERGER, alias, f"{why}; a member was chosen by its verdicts instead")


def choose_merger(
    plan: PanelPlan, snapshot: Snapshot, tokens: int, doubtful: Collection[str] = ()
) -> SeatPlan | NoMerger:
    """The first candidate whose context window is unknown or holds `tokens`. The collection's own merger has no rivals;
    among members, the `doubtful` come last: those that rest, have just failed as seats, or fail large questions where
    this is one."""
    candidates = list(_candidates(plan, snapshot))
    large = tokens > LARGE_TOKENS
    candidates.sort(key=lambda one: one.model.alias in doubtful or (large and one.model.fails_large))
    for one in candidates:
        if one.model.context_window is None or one.model.context_window >= tokens:
            return SeatPlan(MERGER, MERGER, one.model.alias, one.why, one.until)
    if not candidates:
        return NoMerger("no member can merge")
    small = ", ".join(f"{one.model.alias} ({one.model.context_window:,})" for one in candidates)
    return NoMerger(f"the answers are about {tokens:,} tokens, more than the context window of {small}")


def _candidates(plan: PanelPlan, snapshot: Snapshot) -> Iterator[_Candidate]:
    collection = plan.collection
    if collection.merger and not _unusable(collection.merger, snapshot):
        own = snapshot.models[collection.merger]
        yield _Candidate(own, f"the merger of {collection.full_name}", "it retires, or another one is named")
        return
    members = [alias for alias in dict.fromkeys(collection.members) if not _unusable(alias, snapshot)]
    members = members[: snapshot.max_calls]
    verdicts = {alias: found for alias in members if (found := _verdicts(alias, plan.shape, snapshot)) is not None}
    judged = sorted(verdicts, key=lambda alias: verdicts[alias], reverse=True)
    lost = "it rests, fails as a seat or retires"
    for alias in judged:
        useful, ratio = verdicts[alias]
        why = f"{useful:g} useful verdict{'s' if useful != 1 else ''} on {plan.shape}, {ratio:.0%} of all"
        yield _Candidate(snapshot.models[alias], why, f"another member has more of them, or {lost}")
    for place, alias in enumerate(members, 1):
        if alias not in verdicts:
            why = f"no useful verdicts; number {place} of the members"
            yield _Candidate(snapshot.models[alias], why, f"another member has a useful one, or {lost}")


def _verdicts(alias: str, shape: Shape, snapshot: Snapshot) -> tuple[float, float] | None:
    """(useful verdicts, their share of all) on work of this shape; None for a model without a useful one."""
    votes = snapshot.by_shape.get(shape, {}).get(alias)
    return (votes.useful, votes.useful / (votes.useful + votes.not_useful)) if votes and votes.useful > 0 else None


def _unusable(alias: str, snapshot: Snapshot) -> str:
    """Why this model can merge nothing, or nothing. What a request carries beside text does not matter here."""
    model = snapshot.models.get(alias)
    if model is None:
        return "no model has this alias"
    if model.retired:
        return f"retired on {model.retired_on}" + (f": {model.retired_why}" if model.retired_why else "")
    if model.guarded:
        return model.guarded_why
    return "a decision model gives typed answers and cannot merge" if model.role == ModelRole.DECISION else ""
