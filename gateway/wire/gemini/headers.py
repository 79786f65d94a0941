"""What callers of this API learn of a panel. Its libraries refuse unknown fields in a body, so it is told in headers of
a whole reply."""

from __future__ import annotations

import json

import msgspec
from msgspec import Raw, Struct


class _Seat(Struct):
    call: str
    seat: str
    alias: str
    status: str


class _Panel(Struct):
    panel: str
    seats: list[_Seat]
    merger: _Seat | None = None


def bench_headers(bench: Raw | None) -> dict[str, str]:
    """`X-Bench-Panel` and `X-Bench-Seats` (a JSON list, the merger last) for a panel's object; none for any other."""
    if bench is None:
        return {}
    try:
        panel = msgspec.json.decode(bench, type=_Panel)
    except msgspec.DecodeError:
        return {}
    seats = [*panel.seats, *([panel.merger] if panel.merger is not None else [])]
    told = json.dumps([msgspec.to_builtins(seat) for seat in seats], separators=(",", ":"))
    return {"X-Bench-Panel": panel.panel, "X-Bench-Seats": told}
