"""Reads one panel for the interface: the fields of its `bench` object, its state, and its plan."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from gateway.canon.names import PREFIX
from gateway.engine.panel_fields import VERDICT_HINT
from gateway.models import Panel, Seat


def load_panel(panels: QuerySet[Panel], name: str) -> dict[str, Any] | None:
    """The panel among these, or None. Two queries. It never holds the prompt."""
    panel = panels.filter(pk=name).first()
    if panel is None:
        return None
    seats = list(panel.seats.order_by("place"))
    return {
        "panel": panel.pk,
        "collection": f"{PREFIX}{panel.collection_name}",
        "state": panel.state,
        "reply": panel.reply,
        "shape": panel.shape,
        "shape_by": panel.shape_by,
        "started_at": _time(panel.started_at),
        "finished_at": _time(panel.finished_at),
        "seats": [_seat(seat) for seat in seats],
        "plan": [{"call": seat.pk, "alias": seat.alias, "why": seat.why, "until": seat.until} for seat in seats],
        "skipped": panel.skipped,
        "stamp": panel.stamp,
        "verdict": VERDICT_HINT,
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {
        "call": seat.pk,
        "seat": seat.label,
        "alias": seat.alias,
        "status": seat.status,
        "seconds": seat.seconds,
        "answer": seat.answer,
        "error": seat.error,
        "finished_at": _time(seat.finished_at),
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
