"""What one call to a model is asked for, who hears it, and how it went."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.event import Event, Usage
from gateway.canon.fault import FailureClass, UpstreamFault
from gateway.canon.kinds import CallStatus
from gateway.canon.reply import Reply
from gateway.engine.snapshot import Caller, ModelView

RETRIES: Final = 2


class Listener(Protocol):
    """Hears a call as it goes on. Both are called from within the loop and must not wait."""

    def began(self) -> None:
        """An answer begins; what was heard of an earlier one does not count."""

    def hear(self, events: Sequence[Event]) -> None:
        """Events of the answer, as many as came at once."""


class Telling(Protocol):
    """Passes a call on to somebody who may be slower than the model."""

    def came(self, size: int) -> bool:
        """So many bytes more have come; True when no more may come until there is room."""

    async def room(self) -> None:
        """Waits until there is."""


class Order(Struct, frozen=True):
    """What is asked of whom and for whom. `seconds` is the time the whole call may take, `first_s` the time to its
    first piece (None: as long as the whole); `retries` counts further tries; `notes` name what was left out before;
    `held_s` is the longest that pacing may hold it back though there is time, `held_whole_s` the same where the model's
    whole connection is in the way. With `room_s`, pacing may hold it back for so many seconds more, and `seconds` count
    from the sending."""

    model: ModelView
    ask: Ask
    caller: Caller
    collection: str
    seat: str
    seconds: float
    purpose: str = ""
    retries: int = RETRIES
    first_s: float | None = None
    notes: tuple[str, ...] = ()
    held_s: float = math.inf
    held_whole_s: float = math.inf
    room_s: float = 0.0


class Outcome(Struct, frozen=True):
    """How it went. `reply.fault` is set when it failed; times are seconds from the start of the call; `notes` name what
    was left out or amiss on the way there and back. `paid` counts the tokens of every answer that came, where
    `reply.usage` counts those of the one that stands."""

    reply: Reply
    status: CallStatus
    seconds: float
    attempts: int
    first_token_s: float | None
    notes: tuple[str, ...] = ()
    paid: Usage | None = None

    @property
    def fault(self) -> UpstreamFault | None:
        fault = self.reply.fault
        return fault if isinstance(fault, UpstreamFault) else None

    @property
    def failure(self) -> str:
        """The failure class; empty for an answer."""
        if self.fault is not None:
            return self.fault.failure
        return FailureClass.EMPTY if self.status is CallStatus.EMPTY else ""
