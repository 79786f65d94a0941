"""One probing call: a fixed question to one model, and what came of it.

What came is read from the outcome of the call, never guessed from the words of an answer: an answer that speaks of an
error is an answer. A safety refusal counts as an answer too, since only a model that lives can refuse.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.event import Event, Finish
from gateway.canon.fault import FailureClass, NotSent, Unreachable, UpstreamFault
from gateway.engine import classify
from gateway.engine.bench import Bench
from gateway.engine.call import run_call
from gateway.engine.error_words import plain
from gateway.engine.order import Order, Outcome
from gateway.engine.snapshot import Caller

PROBER: Final = Caller("probes")
PURPOSE: Final = "probe"
ROOM_S: Final = 60.0
SHORT: Final = 400
"""Only a reply of at most so many characters is looked at for the words of a refusal."""
REFUSALS: Final = (
    "blocked by gemini's filters",
    "i can't help with that",
    "i cannot help with that",
    "i'm not able to help",
    "against my guidelines",
    "unable to assist",
)
REFUSED: Final = frozenset(
    [
        "contentfilter",
        "contentfiltered",
        "contentpolicyviolation",
        "responsibleaipolicyviolation",
        "safety",
        "blocklist",
        "prohibitedcontent",
        "imagesafety",
        "jailbreak",
        "modelarmor",
    ]
)
"""Codes by which a provider says that its filter, not the model's health, is in the way."""
ACCOUNT_QUOTAS: Final = ("free-models-per-day", "usage_limit_exceeded")
"""What the error says where the day's free calls of the whole account are used up."""
WORST_FIRST: Final = (
    FailureClass.STRUCTURAL,
    FailureClass.PAYWALLED,
    FailureClass.ENTITLEMENT,
    FailureClass.SIGNIN,
    FailureClass.CAPACITY,
    FailureClass.TIMEOUT,
    FailureClass.EMPTY,
    FailureClass.OTHER,
)
_FILTERED: Final = frozenset({Finish.REFUSAL, Finish.CONTENT_FILTER})
_MOST_DETAIL: Final = 300


class Question(Struct, frozen=True, eq=False):
    """What is asked. An answer may take `seconds`, and has at least `least` characters unless it is a call of a tool.
    `judge` says of an answer whether it is right, None where that cannot be told."""

    name: str
    ask: Ask
    seconds: float = 90.0
    least: int = 1
    judge: Callable[[Outcome], bool | None] = lambda outcome: None


class Seen(Struct, frozen=True):
    """What came of a question. `answered` is whether an answer came, a refusal included; `failure` the failure class of
    one that did not, else empty. `account_wide` marks a failure that says nothing of the model: what is used up is the
    account's, or nothing was sent. `detail` is the provider's words for a failure, or the start of a wrong answer.
    `served_as` is the name that the provider gave itself. Times are seconds from the sending; `reasoning` counts tokens
    of `tokens_out`. `text` is the answer itself, which no sample keeps. `tries` counts how often it was sent."""

    model_id: int
    alias: str
    prompt: str
    answered: bool
    passed: bool | None = None
    failure: str = ""
    refusal: bool = False
    account_wide: bool = False
    upstream_status: int | None = None
    detail: str = ""
    served_as: str = ""
    seconds: float = 0.0
    first_token_s: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    reasoning: int | None = None
    text: str = ""
    tries: int = 1


class _Sending:
    """Hears when the request was sent, for the last time where it was sent more than once."""

    def __init__(self) -> None:
        self.began_at: float | None = None

    def began(self) -> None:
        self.began_at = asyncio.get_running_loop().time()

    def hear(self, events: Sequence[Event]) -> None:
        """Nothing: the outcome has it all."""


async def ask_one(
    bench: Bench, alias: str, question: Question, purpose: str = PURPOSE, *, room_s: float = ROOM_S, retries: int = 0
) -> Seen:
    """What came of asking the model of this alias, once, or again up to `retries` times where that may help. Limits may
    hold it back for `room_s` seconds before its time begins. Never raises a Fault. Raises LookupError for an alias that
    is not registered."""
    model = bench.catalogue.latest.models.get(alias)
    if model is None:
        raise LookupError(f"no model has the alias {alias!r}")
    order = Order(model, question.ask, PROBER, "", "", question.seconds, purpose, retries=retries, room_s=room_s)
    loop, sending = asyncio.get_running_loop(), _Sending()
    started = loop.time()
    outcome = await run_call(bench, order, sending)
    waited = 0.0 if sending.began_at is None else sending.began_at - started
    return seen(model.id, alias, question, outcome, waited)


def seen(model_id: int, alias: str, question: Question, outcome: Outcome, waited: float = 0.0) -> Seen:
    """What came, from the outcome. `waited` are the seconds before the sending, which are none of the model's."""
    reply, usage, fault = outcome.reply, outcome.paid, outcome.fault
    refusal = is_refusal(outcome)
    failure = "" if refusal else failure_of(outcome, question.least)
    passed = None if failure or refusal else question.judge(outcome)
    first = outcome.first_token_s
    return Seen(
        model_id=model_id,
        alias=alias,
        prompt=question.name,
        answered=not failure,
        passed=passed,
        failure=failure,
        refusal=refusal,
        account_wide=fault is not None and not refusal and of_account(fault),
        upstream_status=fault.upstream_status if fault is not None else None,
        detail=_detail(outcome, failure, passed)[:_MOST_DETAIL],
        served_as=reply.model[:200],
        seconds=round(max(outcome.seconds - waited, 0.0), 3),
        first_token_s=None if first is None else round(max(first - waited, 0.0), 3),
        tokens_in=usage.input if usage is not None else None,
        tokens_out=usage.output if usage is not None else None,
        reasoning=usage.reasoning if usage is not None else None,
        text=reply.text,
        tries=outcome.attempts,
    )


def failure_of(outcome: Outcome, least: int = 1) -> str:
    """The failure class; empty for an answer. A host that cannot be reached is silent: that says nothing of whether the
    model is there."""
    if isinstance(outcome.fault, Unreachable) and outcome.fault.failure is FailureClass.OTHER:
        return FailureClass.TIMEOUT
    if outcome.failure:
        return outcome.failure
    short = not outcome.reply.calls and len(outcome.reply.text.strip()) < least
    return FailureClass.EMPTY if short else ""


def is_refusal(outcome: Outcome) -> bool:
    """Did the model, or the filter before it, decline?"""
    reply, fault = outcome.reply, outcome.fault
    if fault is not None:
        return plain(fault.provider_code) in REFUSED
    if reply.refusal or (reply.finish in _FILTERED and not reply.calls):
        return True
    text = reply.text.strip()
    lowered = text[:SHORT].lower().replace("\u2019", "'")
    return len(text) <= SHORT and any(words in lowered for words in REFUSALS)


def of_account(fault: UpstreamFault) -> bool:
    """Is this no failure of the model's own: a quota of the account, or a call that was never sent?"""
    if isinstance(fault, NotSent) or classify.account_wide(fault):
        return True
    return any(words in fault.message.lower() for words in ACCOUNT_QUOTAS)


def worst(failures: Iterable[str]) -> str:
    """The worst of these failure classes; empty when there is none."""
    found = set(failures)
    return next((str(one) for one in WORST_FIRST if one in found), "")


def _detail(outcome: Outcome, failure: str, passed: bool | None) -> str:
    if outcome.fault is not None:
        return outcome.fault.message
    if failure:
        finish = outcome.reply.finish
        return "an empty reply" if finish is None else f"an empty reply ({finish})"
    return " ".join(outcome.reply.text.split()) if passed is False else ""
