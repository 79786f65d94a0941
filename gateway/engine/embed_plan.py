"""Which member of a collection gives the embeddings: pure, from a Snapshot to an order, and from a refusal to whether
the next member may be asked.

Vectors of two models cannot be compared, so nobody takes over from another: members are passed over only when they have
no embeddings at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gateway.canon.fault import BadRequest, UpstreamFault
from gateway.canon.kinds import ModelRole
from gateway.engine.route_end import SAID_CAP
from gateway.engine.route_plan import Passed
from gateway.engine.snapshot import CollectionView, ModelView, Snapshot
from gateway.engine.upstreams import PROTOCOLS
from gateway.wire.embedding import EmbedClient
from gateway.wire.registry import EMBEDDERS

NO_SUCH_ROUTE: Final = frozenset({404, 405, 410, 501})
"""Statuses that say that there is nothing to be asked here."""
OF_ACCOUNT_OR_PACE: Final = frozenset({401, 402, 408, 409, 413, 429})
"""Statuses whose words speak of something else, whatever words they are."""
_EMBEDS_NOT: Final = re.compile(
    r"\b(not|cannot|can't|doesn't|isn't|unsupported|no|only)\b[^.\n]{0,80}\bembed"
    r"|\bembed[^.\n]{0,80}\b(not|cannot|can't|doesn't|isn't|unsupported|disabled)\b",
    re.I,
)


class EmbedPlan(Struct, frozen=True):
    """`order` are aliases, whom to ask first; `passed` those that cannot be asked at all."""

    order: tuple[str, ...]
    passed: tuple[Passed, ...]


def plan_embedding(collection: CollectionView, snapshot: Snapshot, first: str) -> EmbedPlan:
    """The members in their order, `first` before the others if it is one of them. Raises BadRequest when there is
    nobody."""
    reasons = {alias: _unfit(snapshot.models.get(alias)) for alias in dict.fromkeys(collection.members)}
    order = [alias for alias, why in reasons.items() if not why]
    passed = tuple(Passed(alias, why) for alias, why in reasons.items() if why)
    if not order:
        raise nobody_embeds(collection, passed)
    if first in order:
        order = [first, *(alias for alias in order if alias != first)]
    return EmbedPlan(tuple(order), passed)


def embeds_not(fault: UpstreamFault) -> bool:
    """Does this refusal say that the model, or its server, has no embeddings? Everything else may pass, and with
    another model's vectors the caller would not be helped."""
    status = fault.upstream_status or 0
    if status in NO_SUCH_ROUTE:
        return True
    return status >= 400 and status not in OF_ACCOUNT_OR_PACE and _EMBEDS_NOT.search(fault.message) is not None


def nobody_embeds(collection: CollectionView, passed: Sequence[Passed]) -> BadRequest:
    """The refusal of a collection whose members have no embeddings."""
    reasons = "; ".join(f"{one.alias} ({one.why[:SAID_CAP]})" for one in passed) or "it has no members"
    return BadRequest(
        f"No member of {collection.full_name} gives embeddings: {reasons}. Ask a collection that has a model for them.",
        code="nobody_embeds",
    )


def embedder_of(model: ModelView) -> EmbedClient | None:
    """How this model is asked for embeddings; None where the protocol of its endpoint has none."""
    return EMBEDDERS.get(PROTOCOLS.get(model.endpoint.api, ""))


def _unfit(model: ModelView | None) -> str:
    """Why this member cannot be asked, or nothing."""
    if model is None:
        return "no model has this alias"
    if model.retired:
        why = f": {model.retired_why}" if model.retired_why else ""
        return f"retired on {model.retired_on}{why}"
    if model.guarded:
        return model.guarded_why
    if model.role == ModelRole.DECISION:
        return "a decision model gives typed answers and no embeddings"
    if embedder_of(model) is None:
        return f"the {model.endpoint.api!r} protocol of its endpoint has no embeddings"
    return ""
