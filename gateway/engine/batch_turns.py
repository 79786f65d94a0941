"""Writes turns in route mode, their conversations and their shadows. Sync; a part of the recorder's one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from gateway.engine.insert import Row, insert, taken
from gateway.engine.records import Proposal, ShadowMade, TurnMade
from gateway.models import Conversation, Shadow, Turn

_CONVERSATION = (
    *("id", "owner_id", "key_id", "caller", "collection_id", "collection_name", "protocol", "task"),
    *("started_at", "last_at"),
)
_TURN = (
    *("conversation_id", "number", "call", "alias", "language_model_id", "at", "status", "seconds", "first_token_s"),
    *("tool_calls", "finish", "tokens_in", "tokens_out", "reasoning", "tried", "error"),
)
_SHADOW = (
    *("call", "conversation_id", "number", "alias", "language_model_id", "why", "at", "status", "seconds"),
    *("first_token_s", "finish", "tokens_in", "tokens_out", "error", "proposal", "member", "beside"),
)
_LATER = (
    "last_at = CASE WHEN {table}.last_at > excluded.last_at THEN {table}.last_at ELSE excluded.last_at END, "
    "started_at = CASE WHEN {table}.started_at < excluded.started_at THEN {table}.started_at "
    "ELSE excluded.started_at END"
)


def write_turns(cursor: CursorWrapper, turns: Sequence[TurnMade]) -> None:
    """A conversation is made by whichever of its turns ends first."""
    first: dict[str, TurnMade] = {}
    last: dict[str, TurnMade] = {}
    for turn in turns:
        first.setdefault(turn.conversation_id, turn)
        last[turn.conversation_id] = turn
    # Sorted, so that two processes lock the rows in one order.
    rows = [_conversation_row(first[one], last[one]) for one in sorted(first)]
    insert(cursor, Conversation, _CONVERSATION, rows, on="id", then=_LATER)
    insert(cursor, Turn, _TURN, map(_turn_row, turns))


def write_shadows(cursor: CursorWrapper, shadows: Sequence[ShadowMade]) -> None:
    """A shadow ends after its turn, whose conversation is there by then."""
    insert(cursor, Shadow, _SHADOW, map(_shadow_row, shadows), on="call", then=taken(_SHADOW[2:]))


def _shadow_row(record: ShadowMade) -> Row:
    usage = record.usage
    return (
        *(record.call, record.conversation_id, record.number, record.alias, record.language_model_id, record.why),
        *(record.at, record.status, record.seconds, record.first_token_s, record.finish),
        *((usage.input, usage.output) if usage else (None, None)),
        *(record.error, _proposal(record.proposal), record.member, _proposal(record.beside)),
    )


def _proposal(proposal: Proposal) -> object:
    calls = [{"name": one.name, "arguments": one.arguments} for one in proposal.calls]
    return {"text": proposal.text, "reasoning": proposal.reasoning, "calls": calls}


def _conversation_row(first: TurnMade, last: TurnMade) -> Row:
    return (
        *(first.conversation_id, first.owner_id, first.key_id, first.caller, first.collection_id),
        *(first.collection_name, first.protocol, first.task, first.at, last.done_at),
    )


def _turn_row(record: TurnMade) -> Row:
    usage = record.usage
    tokens = (usage.input, usage.output, usage.reasoning) if usage else (None,) * 3
    return (
        *(record.conversation_id, record.turn, record.call, record.alias, record.language_model_id),
        *(record.at, record.status, record.seconds, record.first_token_s),
        *(record.tool_calls, record.finish, *tokens, record.tried, record.error),
    )
