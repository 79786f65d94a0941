"""Writes a batch of records in one transaction. Sync; runs in the recorder's thread. The only writer of panels, seats,
the ledger and new evidence."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import connection, transaction

from collections_app.models import Evidence, GatewayKey
from gateway.engine.records import Batch, CallMade, PanelOpened, Record, Rest, SeatRow, Work, sort_records
from gateway.models import Call, Cooldown, Panel, Seat

_SEAT_UPDATES = (
    "status",
    "answer",
    "reasoning",
    "error",
    "failure",
    "upstream_status",
    "finish",
    "tokens_in",
    "tokens_out",
    "seconds",
    "first_token_s",
    "finished_at",
)
_CLOSE_PANEL = "UPDATE gateway_panel SET state = 'done', finished_at = %s WHERE id = %s"
_ADD_WORK = (
    "INSERT INTO collections_app_standing (language_model_id, last_work_at, offloads, judged, useful) "
    "VALUES (%s, %s, %s, 0, 0) ON CONFLICT (language_model_id) DO UPDATE SET last_work_at = excluded.last_work_at, "
    "offloads = collections_app_standing.offloads + excluded.offloads"
)


def write_records(records: list[Record]) -> None:
    """All of them or, on an error, none."""
    batch = sort_records(records)
    with transaction.atomic():
        _write_panels(batch)
        Call.objects.bulk_create([_call(record) for record in batch.calls])
        _write_work(batch.work)
        _write_rests(batch.rests)
        for key_id, at in {used.key_id: used.at for used in batch.keys}.items():
            GatewayKey.objects.filter(pk=key_id).update(last_used_at=at)


def _write_panels(batch: Batch) -> None:
    Panel.objects.bulk_create([_panel(record) for record in batch.opened])
    # A seat that is opened and done within one batch is written once, as it stands last.
    seats = {seat.call: seat for record in batch.opened for seat in record.seats}
    seats.update((seat.call, seat) for seat in batch.seats)
    Seat.objects.bulk_create(
        [_seat(record) for record in seats.values()],
        update_conflicts=True,
        unique_fields=["call"],
        update_fields=_SEAT_UPDATES,
    )
    if batch.closed:
        with connection.cursor() as cursor:
            cursor.executemany(_CLOSE_PANEL, [(_moment(closed.at), closed.id) for closed in batch.closed])


def _write_work(work: list[Work]) -> None:
    if not work:
        return
    Evidence.objects.bulk_create([_evidence(record) for record in work])
    counts = Counter(record.language_model_id for record in work)
    latest = {record.language_model_id: record.at for record in work}
    with connection.cursor() as cursor:
        cursor.executemany(_ADD_WORK, [(pk, _moment(latest[pk]), count) for pk, count in sorted(counts.items())])


def _write_rests(rests: list[Rest]) -> None:
    latest = {rest.language_model_id: rest for rest in rests}
    Cooldown.objects.bulk_create(
        [
            Cooldown(language_model_id=pk, until=rest.until, stated=rest.stated, why=rest.why, at=rest.until)
            for pk, rest in latest.items()
        ],
        update_conflicts=True,
        unique_fields=["language_model"],
        update_fields=["until", "stated", "why", "at"],
    )


def _moment(at: datetime) -> str | datetime:
    """A time as this database's driver takes it in raw SQL."""
    adapted: str | datetime | None = connection.ops.adapt_datetimefield_value(at)
    return adapted if adapted is not None else at


def _panel(record: PanelOpened) -> Panel:
    return Panel(
        id=record.id,
        owner_id=record.owner_id,
        key_id=record.key_id,
        caller=record.caller,
        collection_id=record.collection_id,
        collection_name=record.collection_name,
        protocol=record.protocol,
        reply=record.reply,
        shape=record.shape,
        shape_by=record.shape_by,
        system=record.system,
        prompt=record.prompt,
        skipped=record.skipped,
        stamp=record.stamp,
        process=record.process,
        started_at=record.at,
    )


def _seat(record: SeatRow) -> Seat:
    usage = record.usage
    return Seat(
        call=record.call,
        panel_id=record.panel_id,
        place=record.place,
        label=record.label,
        alias=record.alias,
        language_model_id=record.language_model_id,
        connection=record.connection,
        why=record.why,
        status=record.status,
        answer=record.answer,
        reasoning=record.reasoning,
        error=record.error,
        failure=record.failure,
        upstream_status=record.upstream_status,
        finish=record.finish,
        tokens_in=usage.input if usage else None,
        tokens_out=usage.output if usage else None,
        seconds=record.seconds,
        first_token_s=record.first_token_s,
        finished_at=record.finished_at,
    )


def _evidence(record: Work) -> Evidence:
    return Evidence(
        language_model_id=record.language_model_id,
        collection_id=record.collection_id,
        collection_name=record.collection_name,
        kind=record.kind,
        shape=record.shape,
        call=record.call,
        task=record.task,
        status=record.status,
        at=record.at,
    )


def _call(record: CallMade) -> Call:
    usage = record.usage
    return Call(
        at=record.at,
        seat=record.seat,
        language_model_id=record.language_model_id,
        alias=record.alias,
        endpoint_name=record.endpoint_name,
        connection=record.connection,
        served=record.served,
        owner_id=record.owner_id,
        key_id=record.key_id,
        caller=record.caller,
        collection_name=record.collection_name,
        purpose=record.purpose,
        status=record.status,
        upstream_status=record.upstream_status,
        failure=record.failure,
        attempts=record.attempts,
        tokens_in=usage.input if usage else None,
        tokens_out=usage.output if usage else None,
        cached=usage.cached if usage else None,
        cache_write=usage.cache_write if usage else None,
        reasoning=usage.reasoning if usage else None,
        seconds=record.seconds,
        first_token_s=record.first_token_s,
        swapped=record.swapped,
    )
