"""What is done for sign-ins every few seconds, without anybody asking: codes that may have been typed, exchanges whose
process died, tokens that end soon. Sync."""

from __future__ import annotations

from probes.sign_ins import flow, store
from probes.sign_ins.desk import Desk
from probes.sign_ins.renew import renew_due


def tend(desk: Desk) -> int:
    """How many tokens were renewed."""
    renewed = renew_due(desk)
    for session in store.to_poll(desk.clock()):
        flow.poll(desk, session)
    for session in store.left_behind(desk.clock()):
        flow.resume(desk, session)
    store.expire(desk.clock())
    return renewed
