"""How a turn in route mode ends badly: pure, from what each member said to the one fault the caller sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gateway.canon.event import Finish
from gateway.canon.fault import ErrorInReply, FailureClass, Fault, Rejected, UpstreamFault
from gateway.canon.redact import redact_text

SAID_CAP: Final = 200
OWN_CREDENTIALS: Final = (401, 403)
"""Statuses that speak of the gateway's own credentials, never of the caller's."""
_WHY_EMPTY: Final = {
    Finish.LENGTH: ": its budget of tokens was spent before the first word; allow more",
    Finish.CONTENT_FILTER: ": its provider's filter withheld the answer",
    Finish.REFUSAL: ": it refused without a word",
}


class Tried(Struct, frozen=True):
    """A member that was asked and gave no answer."""

    alias: str
    connection: str
    fault: UpstreamFault
    redact: bool = False

    @property
    def error(self) -> str:
        """What it said, without what the caller attached."""
        return redact_text(self.fault.message) if self.redact else self.fault.message


def empty_reply(finish: Finish | None = None) -> UpstreamFault:
    """An answer without a word and without a call is a failure. `finish` may tell why there was none."""
    why = _WHY_EMPTY.get(finish, "") if finish is not None else ""
    return ErrorInReply(f"an empty reply{why}", code="empty_reply", failure=FailureClass.EMPTY)


def nobody_answered(collection: str, tried: Sequence[Tried]) -> Fault:
    """The fault of a turn that nobody answered. A refusal that all of them share is the caller's to hear as it is; one
    that speaks of the gateway's own credentials is not."""
    said = "; ".join(f"{one.alias}: {one.error[:SAID_CAP]}" for one in tried)
    waits = [one.fault.wait for one in tried if one.fault.wait is not None]
    statuses = {one.fault.upstream_status or 0 for one in tried}
    (shared,) = statuses if len(statuses) == 1 else (0,)
    if statuses and statuses.issubset(OWN_CREDENTIALS):
        connections = ", ".join(sorted({one.connection for one in tried}))
        return Rejected(
            f"No member of {collection} answered: the credentials of {connections} were refused; its operator must "
            f"mend them. {said}",
            upstream_status=min(statuses),
            code="upstream_credentials",
        )
    status = shared if 400 <= shared < 500 else 502
    return Rejected(
        f"No member of {collection} answered: {said}",
        status=status,
        upstream_status=shared or None,
        wait=max(waits) if waits and status == 429 else None,
        code="nobody_answered",
    )


def broke_off(alias: str, fault: UpstreamFault, *, redact: bool) -> Fault:
    """The fault of a turn that failed after the caller had a part of the answer."""
    words = redact_text(fault.message) if redact else fault.message
    upstream = fault.upstream_status or 0
    return ErrorInReply(
        f"{alias} failed part way through the turn: {words}",
        status=upstream if upstream >= 400 else 502,
        upstream_status=fault.upstream_status,
        code=fault.code or "broke_off",
        failure=fault.failure,
    )
