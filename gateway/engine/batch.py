"""Writes a batch of records in one transaction. Sync; runs in the recorder's thread. The only writer of panels, seats,
the ledger and new evidence.

Rows go out as plain statements over many parameters: at five seats a panel the ORM's own bulk insert takes a third of a
busy process. Table and column names still come from the models.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from collections_app.actions.quirks import write_quirks
from collections_app.models import Evidence, GatewayKey, Standing
from collections_app.standings import Key, keys_of
from collections_app.standings_store import COUNTS, STANDING_KEY
from gateway.engine.batch_learned import write_lessons, write_quotas
from gateway.engine.batch_spend import Spent, write_spend
from gateway.engine.batch_turns import write_shadows, write_turns
from gateway.engine.batch_usage import write_usage
from gateway.engine.insert import Row, insert, moment, taken
from gateway.engine.records import Batch, CallMade, PanelOpened, Record, Rest, SeatRow, Work, sort_records
from gateway.models import Call, Cooldown, Panel, Seat

_PANEL = (
    *("id", "owner_id", "key_id", "caller", "collection_id", "collection_name", "protocol", "reply", "shape"),
    *("shape_by", "system", "prompt", "skipped", "left_out", "stamp", "process", "started_at", "state"),
)
_SEAT_FIXED = ("call", "panel_id", "place", "label", "alias", "language_model_id", "connection", "why", "until")
_SEAT_MOVING = (
    *("status", "answer", "reasoning", "error", "failure", "upstream_status", "finish"),
    *("tokens_in", "tokens_out", "seconds", "first_token_s", "finished_at", "notes"),
)
_CALL = (
    *("at", "seat", "language_model_id", "alias", "endpoint_name", "connection", "served", "owner_id", "key_id"),
    *("caller", "collection_name", "purpose", "status", "upstream_status", "failure", "attempts"),
    *("tokens_in", "tokens_out", "cached", "cache_write", "reasoning", "seconds", "first_token_s", "swapped", "notes"),
    *("team_id", "request", "requests", "cost"),
)
_EVIDENCE = (
    *("language_model_id", "collection_id", "collection_name", "kind", "shape", "call", "task", "status", "at"),
    *("judges", "real_claims", "false_claims", "current"),
)
_REST = ("language_model_id", "until", "stated", "why", "at")
_UNJUDGED = tuple(name for name in COUNTS if name != "offloads")
_STANDING = (*STANDING_KEY, "last_work_at", "offloads", *_UNJUDGED, "lately_useful", "lately_judged")
_SUM_OF_WORK = (
    "last_work_at = CASE WHEN {table}.last_work_at > excluded.last_work_at THEN {table}.last_work_at "
    "ELSE excluded.last_work_at END, offloads = {table}.offloads + excluded.offloads"
)


def write_records(records: list[Record]) -> list[Spent]:
    """All of them or, on an error, none. What is now spent by keys for which something is reserved."""
    batch = sort_records(records)
    with transaction.atomic(), connection.cursor() as cursor:
        _write_panels(cursor, batch)
        write_turns(cursor, batch.turns)
        write_shadows(cursor, batch.shadows)
        insert(cursor, Call, _CALL, map(_call_row, batch.calls))
        write_usage(cursor, batch.calls)
        spent = write_spend(cursor, batch.calls)
        work = _unwritten(batch.work)
        insert(cursor, Evidence, _EVIDENCE, map(_evidence_row, work))
        insert(cursor, Standing, _STANDING, _standing_rows(work), on=", ".join(STANDING_KEY), then=_SUM_OF_WORK)
        rests = {rest.language_model_id: rest for rest in batch.rests}
        insert(cursor, Cooldown, _REST, map(_rest_row, rests.values()), on="language_model_id", then=taken(_REST[1:]))
        for learned in batch.quirks:
            write_quirks(learned.language_model_id, learned.quirks)
        write_lessons(batch.learned)
        write_quotas(cursor, batch.quotas)
        for key_id, at in {used.key_id: used.at for used in batch.keys}.items():
            GatewayKey.objects.filter(pk=key_id).update(last_used_at=at)
    return spent


def _write_panels(cursor: CursorWrapper, batch: Batch) -> None:
    insert(cursor, Panel, _PANEL, map(_panel_row, batch.opened))
    # A seat that is opened and done within one batch is written once, as it stands last.
    seats = {seat.call: seat for record in batch.opened for seat in record.seats}
    seats.update((seat.call, seat) for seat in batch.seats)
    columns = (*_SEAT_FIXED, *_SEAT_MOVING)
    insert(cursor, Seat, columns, map(_seat_row, seats.values()), on="call", then=taken(_SEAT_MOVING))
    if batch.closed:
        statement = f"UPDATE {Panel._meta.db_table} SET state = 'done', finished_at = %s WHERE id = %s"  # noqa: S608
        cursor.executemany(statement, [(moment(closed.at, connection.vendor), closed.id) for closed in batch.closed])


def _panel_row(record: PanelOpened) -> Row:
    return (
        *(record.id, record.owner_id, record.key_id, record.caller, record.collection_id, record.collection_name),
        *(record.protocol, record.reply, record.shape, record.shape_by, record.system, record.prompt),
        *(record.skipped, record.left_out, record.stamp, record.process, record.at, "running"),
    )


def _seat_row(record: SeatRow) -> Row:
    usage = record.usage
    return (
        *(record.call, record.panel_id, record.place, record.label, record.alias, record.language_model_id),
        *(record.connection, record.why, record.until, record.status, record.answer, record.reasoning, record.error),
        *(record.failure, record.upstream_status, record.finish),
        *((usage.input, usage.output) if usage else (None, None)),
        *(record.seconds, record.first_token_s, record.finished_at, record.notes),
    )


def _call_row(record: CallMade) -> Row:
    usage = record.usage
    tokens = (usage.input, usage.output, usage.cached, usage.cache_write, usage.reasoning) if usage else (None,) * 5
    return (
        *(record.at, record.seat, record.language_model_id, record.alias, record.endpoint_name),
        *(record.connection, record.served, record.owner_id, record.key_id, record.caller, record.collection_name),
        *(record.purpose, record.status, record.upstream_status, record.failure, record.attempts),
        *tokens,
        *(record.seconds, record.first_token_s, record.swapped),
        *(record.notes, record.team_id, record.request, record.requests, record.cost),
    )


def _unwritten(work: list[Work]) -> list[Work]:
    """Without what is there already, or stands here twice."""
    again = {one.call for one in work if one.again}
    if not again:
        return work
    there = set(Evidence.objects.filter(call__in=again).values_list("call", flat=True))
    once = {one.call: one for one in work if one.call in again and one.call not in there}
    return [one for one in work if one.call not in again] + list(once.values())


def _evidence_row(record: Work) -> Row:
    return (
        *(record.language_model_id, record.collection_id, record.collection_name, record.kind, record.shape),
        *(record.call, record.task, record.status, record.at),
        *(0, 0, 0, True),
    )


def _standing_rows(work: list[Work]) -> list[Row]:
    counts: Counter[Key] = Counter()
    latest: dict[Key, datetime] = {}
    for record in work:
        for key in keys_of(Key(record.language_model_id, record.collection_name, record.shape)):
            counts[key] += 1
            latest[key] = max(record.at, latest.get(key, record.at))
    nothing_judged = (0,) * (len(_UNJUDGED) + 2)
    # Sorted, so that two processes lock the rows in one order.
    return [(*key, latest[key], count, *nothing_judged) for key, count in sorted(counts.items())]


def _rest_row(rest: Rest) -> Row:
    return (rest.language_model_id, rest.until, rest.stated, rest.why, rest.at)
