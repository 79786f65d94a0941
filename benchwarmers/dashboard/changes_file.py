"""The two logs as files: CSV for a spreadsheet, or a JSON object a line. Written while it is read, however long."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

from benchwarmers.dashboard.changes import Row, in_chunks
from benchwarmers.dashboard.files import FORMATS, harmless
from collections_app.models import Change
from gateway.models import Reading

Record = dict[str, Any]


def change_record(change: Change, *, with_address: bool) -> Record:
    """A change as an object."""
    record: Record = {"at": change.at.isoformat(), "actor": change.actor_name}
    if with_address:
        record["address"] = change.address
    names = ("thing", "name", "field", "old", "new")
    return record | {name: getattr(change, name) for name in names}


def reading_record(reading: Reading) -> Record:
    """A reading as an object."""
    return {
        "at": reading.at.isoformat(),
        "reader": reading.reader_name,
        "address": reading.address,
        "thing": reading.thing,
        "name": reading.name,
        "owner": reading.owner_name,
    }


def stream(rows: Any, record: Callable[[Any], Record], form: str, name: str) -> StreamingHttpResponse:
    """The answer with all rows in the form, a key of `FORMATS`."""
    chunks = in_chunks(rows)
    pull = sync_to_async(lambda: next(chunks, None))

    async def pieces() -> AsyncIterator[str]:
        first = True
        while (chunk := await pull()) is not None:
            yield "".join(write(chunk, record, form, with_head=first))
            first = False

    answer = StreamingHttpResponse(pieces(), content_type=FORMATS[form])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return answer


def write(chunk: list[Row], record: Callable[[Row], Record], form: str, *, with_head: bool) -> Iterator[str]:
    """The lines of some rows; `with_head` for those at the top of the file."""
    records = [record(row) for row in chunk]
    if form == "jsonl":
        yield from (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        return
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    if with_head:
        writer.writerow(records[0])
    writer.writerows([_cell(value) for value in one.values()] for one in records)
    yield buffer.getvalue()


def _cell(value: Any) -> Any:
    """A value as a cell; what is no text stands there as JSON."""
    return harmless(value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False))
