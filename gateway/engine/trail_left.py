"""Takes up the trails of processes that are gone: what they had told and not written is written, and every call that
was on its way gets its row. Sync. Safe at any time, from any process that shares the data folder, and again after a
failure: what is there is left as it is."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

from gateway.canon.kinds import CallStatus
from gateway.engine import recovery
from gateway.engine.batch import write_records
from gateway.engine.records import (
    CallBegun,
    CallMade,
    PanelClosed,
    PanelOpened,
    Record,
    SeatRow,
    ShadowMade,
    TurnMade,
    Work,
)
from gateway.engine.references import without_missing
from gateway.engine.trail import ENDING
from gateway.engine.trail_lines import begun_alone, read_lines
from gateway.models import Call, Panel, Seat, Shadow, Turn

INTERRUPTED: Final = "the gateway's process ended in the middle of this call; what it used is not known"
log = logging.getLogger(__name__)


def take_up(folder: Path) -> int:
    """How many records were written that would have been lost. Raises OperationalError or InterfaceError while the
    database is away; then all is still there for the next time."""
    return sum(_take_up_one(path) for path in sorted(folder.glob(f"*{ENDING}")))


def _take_up_one(path: Path) -> int:
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return 0  # taken up meanwhile, or not ours to read
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with open(file, "rb", closefd=False) as left:
            records = list(read_lines(left.read()))
        missing = [record for record in records if not isinstance(record, CallBegun) and not _is_there(record)]
        missing += [call for call in map(_interrupted, begun_alone(records)) if not _is_there(call)]
        _write(missing)
        path.unlink(missing_ok=True)
    except OSError:
        return 0  # its process lives
    finally:
        os.close(file)
    if missing:
        log.warning("%d records that a process left when it ended were written", len(missing))
    return len(missing)


def _write(records: list[Record]) -> None:
    """All of them; one that the database refuses without the references that are gone, and if even that fails it is
    logged."""
    try:
        write_records(records)
    except (OperationalError, InterfaceError):
        raise
    except (DatabaseError, ValueError, TypeError, OverflowError):
        for record in records:
            _write_one(record)


def _write_one(record: Record) -> None:
    try:
        write_records([without_missing(record)])
    except (OperationalError, InterfaceError):
        raise
    except (DatabaseError, ValueError, TypeError, OverflowError):
        log.exception("a record that a process left when it ended cannot be written: %s", type(record).__name__)


def _is_there(record: Record) -> bool:
    match record:
        case CallMade():
            found: Iterable[object] = Call.objects.filter(
                at=record.at, request=record.request, alias=record.alias, seat=record.seat
            )
        case TurnMade():
            found = Turn.objects.filter(conversation_id=record.conversation_id, number=record.turn, at=record.at)
        case Work():
            from collections_app.models import Evidence

            found = Evidence.objects.filter(call=record.call, language_model_id=record.language_model_id)
        case PanelOpened():
            found = Panel.objects.filter(pk=record.id)
        case PanelClosed():
            found = Panel.objects.filter(pk=record.id, state="done")
        case SeatRow():
            return _seat_is_there(record)
        case ShadowMade():
            found = Shadow.objects.filter(pk=record.call)
        case _:
            return True
    return any(True for _ in found)


def _seat_is_there(record: SeatRow) -> bool:
    """A seat that is done is never set back, unless it was only closed because its process was gone."""
    seat = Seat.objects.filter(pk=record.call).only("finished_at", "error").first()
    if seat is None or record.finished_at is None:
        return seat is not None
    return seat.finished_at is not None and seat.error != recovery.INTERRUPTED


def _interrupted(call: CallBegun) -> CallMade:
    return CallMade(
        at=call.at,
        seat=call.seat,
        language_model_id=call.language_model_id,
        alias=call.alias,
        endpoint_name=call.endpoint_name,
        connection=call.connection,
        served=call.served,
        owner_id=call.owner_id,
        key_id=call.key_id,
        caller=call.caller,
        collection_name=call.collection_name,
        purpose=call.purpose,
        status=CallStatus.CANCELLED,
        upstream_status=None,
        failure="",
        attempts=call.attempts,
        usage=None,
        seconds=0.0,
        first_token_s=None,
        notes=(INTERRUPTED,),
        team_id=call.team_id,
        request=call.request,
    )
