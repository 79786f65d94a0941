"""What the end of a call means for pacing: pure, from its usage and its fault."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from gateway.canon.event import Usage
from gateway.canon.fault import NEVER_FITS, FailureClass, Fault, NotSent, Rejected, Unreachable, UpstreamFault

TOO_MANY: Final = (429, 529)
OVERLOADED: Final = frozenset({"overloaded_error", "overloaded", "engine_overloaded", "rate_limit_error"})


class End(Struct, frozen=True):
    """`tokens` is what was really used, None where nobody knows and the estimate must stand; `undone` when nothing was
    sent; `answered` when it went well; `too_many` when the connection had too many calls and named no time to wait."""

    tokens: int | None = None
    undone: bool = False
    answered: bool = False
    too_many: bool = False


BROKEN_OFF: Final = End()
"""Of a call that we left, or that ran out of time: what it used is not known."""


def end_of(usage: Usage | None, fault: Fault | None, *, again: bool = False) -> End:
    """The end of one request. A refused one has used no tokens unless it says so. `again` when the same call was
    refused as one too many before: that its model stands by it tells nothing new of the connection."""
    used = usage.input + usage.output if usage is not None else None
    if fault is None:
        return End(tokens=used, answered=True)
    if isinstance(fault, NotSent):
        return End(undone=True)
    if used is None and isinstance(fault, Rejected | Unreachable):
        used = 0
    return End(tokens=used, too_many=not again and _too_many(fault))


def _too_many(fault: Fault) -> bool:
    if not isinstance(fault, UpstreamFault) or fault.wait or fault.failure is not FailureClass.CAPACITY:
        return False
    if fault.code == NEVER_FITS:
        return False
    return fault.upstream_status in TOO_MANY or fault.provider_code.lower() in OVERLOADED
