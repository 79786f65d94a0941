"""Takes over panels with their seats and answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from gateway.canon.kinds import SeatStatus, Shape
from gateway.models import Panel, Seat
from probes.original import store
from probes.original.cells import BY, batches, moment_of, number_of, text_of
from probes.original.folder import Folder, Record
from probes.original.names import Aliases
from probes.original.report import Tally

_SHAPES: Final = frozenset(Shape)


def take_panels(folder: Folder, tally: Tally, models: Aliases) -> None:
    for batch in batches(folder.panels()):
        known = set(
            Panel.objects.filter(pk__in=[text_of(record, "panel") for _, record in batch]).values_list("pk", flat=True)
        )
        panels: list[Panel] = []
        seats: list[Seat] = []
        for line, record in batch:
            name, at = text_of(record, "panel"), moment_of(record.get("at"))
            if name in known:
                tally.known += 1
            elif not name or len(name) > 40 or at is None:
                tally.left.append((f"line {line}", "it has no id or no time"))
            else:
                known.add(name)
                tally.added += 1
                panels.append(_panel(record, name, at))
                seats += _seats(record, name, at, models)
        store.keep_panels(panels, seats)


def _panel(record: Record, name: str, at: datetime) -> Panel:
    shape = text_of(record, "shape")
    return Panel(
        id=name,
        caller=text_of(record, "key")[:150] or BY,
        collection_name=text_of(record, "model").removeprefix("bench/").partition(":")[0][:32],
        protocol="openai_chat",
        shape=shape if shape in _SHAPES else Shape.GENERAL,
        shape_by=text_of(record, "shape_by")[:200],
        system=text_of(record, "system"),
        prompt=text_of(record, "prompt"),
        state="done",
        started_at=at,
        finished_at=at,
    )


def _seats(record: Record, panel: str, at: datetime, models: Aliases) -> Iterator[Seat]:
    for place, seat in enumerate(record.get("seats") or (), 1):
        if not isinstance(seat, dict) or not text_of(seat, "call"):
            continue
        model, status = models.find(text_of(seat, "alias")), text_of(seat, "status")
        yield Seat(
            call=text_of(seat, "call")[:64],
            panel_id=panel,
            place=place,
            label=text_of(seat, "seat")[:16] or "member",
            alias=text_of(seat, "alias")[:64],
            language_model=model,
            status=status if status in {SeatStatus.OK, SeatStatus.EMPTY} else SeatStatus.ERROR,
            answer=text_of(seat, "answer"),
            error=text_of(seat, "error")[-500:],
            seconds=number_of(seat.get("seconds")),
            finished_at=at,
        )
