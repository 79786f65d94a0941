"""A call that is over, as the row that the ledger gets of it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from gateway.canon.fault import NotSent, Silent
from gateway.canon.kinds import CallStatus
from gateway.canon.reply import Reply
from gateway.engine.hearing import connection_of
from gateway.engine.order import Order, Outcome
from gateway.engine.origin import request_id
from gateway.engine.prices import cost_of_call
from gateway.engine.records import CallBegun, CallMade
from gateway.engine.snapshot import Caller, DecisionView, ModelView
from gateway.engine.swap import swapped


def status_of(reply: Reply) -> CallStatus:
    """How a call with this reply ended."""
    match reply.fault:
        case None:
            return CallStatus.OK if reply.text.strip() or reply.calls else CallStatus.EMPTY
        case NotSent():
            return CallStatus.REFUSED
        case Silent():
            return CallStatus.TIMEOUT
        case _:
            return CallStatus.ERROR


class Ordered(Protocol):
    """What is asked of whom and for whom, whatever it is."""

    @property
    def model(self) -> ModelView | DecisionView: ...

    @property
    def caller(self) -> Caller: ...

    @property
    def collection(self) -> str: ...


def begun(order: Ordered, at: datetime, attempts: int, *, seat: str = "", purpose: str = "") -> CallBegun:
    """The call that began at `at` and is sent now for the `attempts`th time."""
    model, caller = order.model, order.caller
    return CallBegun(
        at,
        seat,
        model.id if isinstance(model, ModelView) else None,
        model.alias,
        model.endpoint.name,
        connection_of(model),
        model.served,
        caller.owner_id,
        caller.key_id,
        caller.name,
        order.collection,
        purpose,
        caller.team_id,
        request_id(),
        attempts,
    )


def ledger_row(order: Order, outcome: Outcome, at: datetime) -> CallMade:
    """The row of a call that began at `at`. Counts the caller's request: ask once a call."""
    model, caller, fault = order.model, order.caller, outcome.fault
    status = fault.upstream_status if fault else None
    return CallMade(
        at=at,
        seat=order.seat,
        language_model_id=model.id,
        alias=model.alias,
        endpoint_name=model.endpoint.name,
        connection=model.connection,
        served=outcome.reply.model[:200] or model.served,
        owner_id=caller.owner_id,
        key_id=caller.key_id,
        caller=caller.name,
        collection_name=order.collection,
        purpose=order.purpose,
        status=outcome.status,
        upstream_status=status,
        failure=outcome.failure,
        attempts=outcome.attempts,
        usage=outcome.paid,
        seconds=round(outcome.seconds, 3),
        first_token_s=outcome.first_token_s,
        notes=outcome.notes,
        swapped=swapped(model.served, outcome.reply.model),
        cost=cost_of_call(
            model.prices,
            outcome.paid,
            attempts=outcome.attempts,
            upstream_status=status,
            first_token_s=outcome.first_token_s,
        ),
        request=request_id(),
        requests=caller.count_request(),
        team_id=caller.team_id,
        grant=caller.drawn_on,
    )
