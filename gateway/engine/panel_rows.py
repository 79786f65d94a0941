"""The rows that a panel puts down, from what was planned and how it went: pure."""

from __future__ import annotations

from datetime import datetime

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.flatten import first_line
from gateway.canon.kinds import SeatStatus
from gateway.canon.redact import redact_text
from gateway.engine.order import Outcome
from gateway.engine.plan import PanelPlan, SeatPlan
from gateway.engine.records import PanelOpened, SeatRow, Work
from gateway.engine.snapshot import Caller, ModelView

ERROR_CAP = 500
MERGER = "merger"


def asked_row(panel: str, place: int, seat: SeatPlan, model: ModelView) -> SeatRow:
    """A seat that is asked now. `place` counts from 1 in the order of the panel."""
    return SeatRow(
        call=f"{panel}.{seat.key}",
        panel_id=panel,
        place=place,
        label=seat.label,
        alias=seat.alias,
        language_model_id=model.id,
        connection=model.connection,
        why=seat.why[:200],
        until=seat.until[:200],
        status=SeatStatus.ASKED,
    )


def ended_row(row: SeatRow, outcome: Outcome, *, redact: bool) -> SeatRow:
    """The seat with its answer, or with why there is none. `redact` takes out of errors what the caller attached."""
    reply, fault = outcome.reply, outcome.fault
    error = ""
    if fault is not None:
        words = redact_text(fault.message) if redact else fault.message
        # The start names the status, the end is where providers explain: keep both.
        error = words if len(words) <= ERROR_CAP else f"{words[:100]} … {words[-(ERROR_CAP - 103) :]}"
        status = SeatStatus.ERROR
    else:
        status = SeatStatus.OK if reply.text.strip() else SeatStatus.EMPTY
    return msgspec.structs.replace(
        row,
        status=status,
        answer=reply.text,
        reasoning=reply.reasoning,
        error=error,
        failure=outcome.failure,
        upstream_status=fault.upstream_status if fault else None,
        finish=reply.finish or "",
        usage=reply.usage,
        seconds=round(outcome.seconds, 1),
        first_token_s=outcome.first_token_s,
        notes=outcome.notes,
    )


def stopped_row(row: SeatRow, why: str) -> SeatRow:
    """A seat that was stopped before it was done."""
    return msgspec.structs.replace(row, status=SeatStatus.ERROR, error=why)


def opening_row(
    panel: str,
    plan: PanelPlan,
    ask: Ask,
    caller: Caller,
    *,
    reply: str,
    left_out: tuple[str, ...],
    stamp: str,
    process: str,
    at: datetime,
    seats: tuple[SeatRow, ...],
) -> PanelOpened:
    """The panel as it is seated. `reply` is the mode in which it answers."""
    return PanelOpened(
        id=panel,
        owner_id=caller.owner_id,
        key_id=caller.key_id,
        caller=caller.name,
        collection_id=plan.collection.id,
        collection_name=plan.collection.name,
        protocol=ask.protocol,
        reply=reply,
        shape=plan.shape,
        shape_by=plan.shape_by,
        system=plan.system,
        prompt=plan.prompt,
        skipped=[msgspec.structs.asdict(skip) for skip in plan.skipped],
        left_out=left_out,
        stamp=stamp,
        process=process,
        at=at,
        seats=seats,
    )


def work_of(row: SeatRow, plan: PanelPlan, now: datetime) -> Work:
    """What may be judged of a seat that is done. A merger's work is of a kind of its own."""
    return Work(
        call=row.call,
        language_model_id=row.language_model_id,
        collection_id=plan.collection.id,
        collection_name=plan.collection.name,
        kind=MERGER if row.label == MERGER else "seat",
        shape=plan.shape,
        task=first_line(plan.prompt),
        status=row.status,
        at=now,
    )
