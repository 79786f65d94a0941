"""Whether and how a failed or empty attempt is made again: pure decisions.

Two kinds of second attempt are decided here: a plain retry after a wait, and once with a larger budget, when a model
spent all of it before the first word. engine/quirks.py decides a third: once more in the member's own dialect.
"""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec
from msgspec import Raw

from gateway.canon.event import Finish
from gateway.canon.fault import FailureClass, Fault, NotSent, UpstreamFault
from gateway.canon.reply import Reply
from gateway.wire.base import Facts

LONGEST_WAIT_S: Final = 60.0
BACKOFF_S: Final = 0.5
BACKOFF_CAP_S: Final = 8.0
BUDGET_FIELDS: Final = ("max_tokens", "max_completion_tokens")


def retry_wait(fault: Fault, tries_before: int, rng: Random, held_s: float = 0.0) -> float | None:
    """Seconds to wait before the same request is sent again, or None when it must not be. A stated wait over a minute
    is final: nobody is asked again within it. So is one that, with the seconds that the call has waited before
    (`held_s`), comes to more."""
    if not isinstance(fault, UpstreamFault) or not fault.retryable:
        return None
    if fault.wait is not None and fault.wait > 0:
        return fault.wait if int(held_s) + fault.wait <= LONGEST_WAIT_S else None
    return min(BACKOFF_S * 2.0**tries_before, BACKOFF_CAP_S) * rng.uniform(0.75, 1.0)


def pause_left(until: float, now: float) -> NotSent | None:
    """The refusal of a model whose provider has named a time (epoch seconds) before which it must not be asked."""
    left = until - now
    if left <= 0:
        return None
    return NotSent(
        f"429: not asked: its provider asked for a pause of another {left:.0f} s after a rate limit",
        upstream_status=429,
        wait=left,
        failure=FailureClass.CAPACITY,
    )


def larger_budget(facts: Facts, reply: Reply) -> Facts | None:
    """Facts with twice the token budget, when the whole budget went before the first word; None where it cannot
    grow."""
    if reply.fault or reply.text or reply.calls or reply.finish is not Finish.LENGTH:
        return None
    name = next((field for field in BUDGET_FIELDS if field in facts.options), BUDGET_FIELDS[0])
    budget = number_in(facts.options.get(name)) or (reply.usage.output if reply.usage else 0)
    grown = budget * 2 if facts.max_output is None else min(budget * 2, facts.max_output)
    if grown <= budget:
        return None
    return msgspec.structs.replace(facts, options={**facts.options, name: Raw(str(grown).encode())})


def number_in(raw: Raw | None) -> int:
    """The whole number that an option holds, 0 where it holds none."""
    if raw is None:
        return 0
    try:
        return msgspec.json.decode(raw, type=int)
    except msgspec.MsgspecError:
        return 0
