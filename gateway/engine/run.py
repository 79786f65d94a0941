"""What the edge needs of a run, be it a panel or a turn: its answer as it grows or whole, and a way to say that the
caller has left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.event import Event
from gateway.canon.reply import Reply
from gateway.engine.snapshot import Caller, Snapshot

PANEL_HEADER: Final = "X-Bench-Panel"


class Asking(Struct, frozen=True):
    """A request on its way in. `identify` says who asks by a given state of the catalogue, at a time in epoch seconds;
    it raises the fault that refuses the caller. `hints` are the headers that name the client's session."""

    ask: Ask
    identify: Callable[[Snapshot, float], Caller]
    hints: Mapping[str, str]


class Run(Protocol):
    """Work that has begun for a caller. Faults that end it are raised by `batches` and `whole`."""

    grace_s: float
    """Seconds that the head of a streamed reply may wait for the first events, so that a refusal keeps its status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers for the reply, as far as they are known by now."""

    @property
    def upstream_s(self) -> float:
        """Seconds of the run that went by waiting for models, as far as it has come."""

    def batches(self) -> AsyncIterator[Sequence[Event]]:
        """The events of the answer, in the groups in which they come."""

    async def whole(self) -> Reply:
        """The answer when all is done."""

    def leave(self) -> None:
        """The caller is gone."""
