"""The `bench` object of a turn in route mode."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct

from gateway.engine.conversations import Conversation
from gateway.engine.route_end import Tried
from gateway.engine.route_plan import Passed, RoutePlan

ERROR_CAP = 300
VERDICT_HINT = (
    'optional, once per conversation: POST /bench/verdict {"call": "<call id>", "useful": true|false, "note": "..."}'
)


class FailedOver(Struct, frozen=True):
    """A member that was asked before; `error` is the end of what it said."""

    alias: str
    error: str


class RouteField(Struct, frozen=True, omit_defaults=True):
    """`turn` counts from 1 over the conversation. The last three are absent when there is nothing to tell;
    `translation` names what was left out, under the call id."""

    collection: str
    reply: str
    conversation: str
    call: str
    alias: str
    turn: int
    verdict: str
    failed_over: list[FailedOver] | None = None
    skipped: list[Passed] | None = None
    translation: dict[str, tuple[str, ...]] | None = None


def route_field(
    plan: RoutePlan,
    conversation: Conversation,
    call: str,
    alias: str,
    tried: Sequence[Tried],
    notes: tuple[str, ...],
) -> Raw:
    """The object as JSON. It never holds the prompt."""
    return Raw(
        msgspec.json.encode(
            RouteField(
                collection=plan.collection.full_name,
                reply="route",
                conversation=conversation.id,
                call=call,
                alias=alias,
                turn=conversation.turn,
                verdict=VERDICT_HINT,
                failed_over=[FailedOver(one.alias, one.error[-ERROR_CAP:]) for one in tried] or None,
                skipped=list(plan.passed) or None,
                translation={call: notes} if notes else None,
            )
        )
    )
