"""Whether and how a failed or empty attempt is made again: pure decisions.

Three kinds of second attempt: a plain retry after a wait; once without what the upstream refused (stream options,
streaming); and once with a larger budget, when a model spent all of it before the first word.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

import msgspec
from msgspec import Raw

from gateway.canon.event import Finish
from gateway.canon.fault import Fault, Rejected, UpstreamFault
from gateway.canon.reply import Reply
from gateway.wire.base import Facts

LONGEST_WAIT_S: Final = 60.0
BACKOFF_S: Final = 0.5
BACKOFF_CAP_S: Final = 8.0
_STREAM: Final = re.compile(r"\bstream(ing)?\b")  # and not the word "upstream"
BUDGET_FIELDS: Final = ("max_tokens", "max_completion_tokens")


def retry_wait(fault: Fault, tries_before: int, rng: Random) -> float | None:
    """Seconds to wait before the same request is sent again, or None when it must not be. A stated wait over a minute
    is final: nobody is asked again within it."""
    if not isinstance(fault, UpstreamFault) or not fault.retryable:
        return None
    if fault.wait is not None and fault.wait > 0:
        return fault.wait if fault.wait <= LONGEST_WAIT_S else None
    return min(BACKOFF_S * 2.0**tries_before, BACKOFF_CAP_S) * rng.uniform(0.75, 1.0)


def plainer_facts(facts: Facts, fault: Fault) -> Facts | None:
    """Facts for one more attempt without what a 400 or 422 complained of, or None when there is nothing left to leave
    out."""
    if not isinstance(fault, Rejected) or fault.upstream_status not in (400, 422):
        return None
    words = f"{fault.message} {fault.body}".lower()
    if "stream_options" in words and facts.stream_options:
        return msgspec.structs.replace(facts, stream_options=False)
    if facts.stream and ("stream_options" in words or _STREAM.search(words)):
        return msgspec.structs.replace(facts, stream=False, stream_options=False)
    return None


def larger_budget(facts: Facts, reply: Reply) -> Facts | None:
    """Facts with twice the token budget, when the whole budget went before the first word; None where it cannot
    grow."""
    if reply.fault or reply.text or reply.calls or reply.finish is not Finish.LENGTH:
        return None
    name = next((field for field in BUDGET_FIELDS if field in facts.options), BUDGET_FIELDS[0])
    budget = _number(facts.options.get(name)) or (reply.usage.output if reply.usage else 0)
    grown = budget * 2 if facts.max_output is None else min(budget * 2, facts.max_output)
    if grown <= budget:
        return None
    return msgspec.structs.replace(facts, options={**facts.options, name: Raw(str(grown).encode())})


def _number(raw: Raw | None) -> int:
    if raw is None:
        return 0
    try:
        return msgspec.json.decode(raw, type=int)
    except msgspec.MsgspecError:
        return 0
