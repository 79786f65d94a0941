"""Somebody who watches the seats of a panel one by one, the merger among them, beside the answer that is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gateway.canon.event import Event
from gateway.engine.order import Listener
from gateway.engine.records import SeatRow


class Onlooker(Protocol):
    """Hears from within the loop, and must not wait. A seat is known by the `place` of its row."""

    def asked(self, row: SeatRow) -> None:
        """The seat is asked now."""

    def began(self, place: int) -> None:
        """An answer begins; what was heard of an earlier one of this seat does not count."""

    def heard(self, place: int, event: Event) -> None:
        """An event of the seat's answer."""

    def ended(self, row: SeatRow) -> None:
        """The seat is done, and its row is put down."""


class Overheard:
    """Lets an onlooker hear a call too. `listener` is whoever hears it anyway."""

    def __init__(self, place: int, onlooker: Onlooker, listener: Listener | None) -> None:
        self._place = place
        self._onlooker = onlooker
        self._listener = listener

    def began(self) -> None:
        """An answer begins."""
        if self._listener is not None:
            self._listener.began()
        self._onlooker.began(self._place)

    def hear(self, events: Sequence[Event]) -> None:
        """Events of it."""
        if self._listener is not None:
            self._listener.hear(events)
        for event in events:
            self._onlooker.heard(self._place, event)
