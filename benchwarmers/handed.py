"""What a supervisor hands to a web process: open sockets, its seat in the tally, and the tally.

Standard library only.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Final

VARIABLE: Final = "BENCHWARMERS_HANDED"
"""Set by the supervisor for its children alone; nobody else has these descriptors."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Descriptors are numbers in the process that inherits them; the dashboard's socket comes first."""

    seat: int
    tally: int
    sockets: tuple[int, ...]

    @property
    def descriptors(self) -> tuple[int, ...]:
        """All that must be inherited."""
        return (self.tally, *self.sockets)

    def to_environment(self) -> dict[str, str]:
        """As variables of the child."""
        return {VARIABLE: " ".join(str(number) for number in (self.seat, self.tally, *self.sockets))}

    def open_sockets(self) -> list[socket.socket]:
        """The sockets, to be accepted from."""
        return [socket.socket(fileno=number) for number in self.sockets]


def take_handed() -> Handed | None:
    """What this process was handed, once: its own children get nothing. None without a supervisor."""
    text = os.environ.pop(VARIABLE, "")
    if not text:
        return None
    seat, tally, *sockets = (int(word) for word in text.split())
    return Handed(seat, tally, tuple(sockets))
