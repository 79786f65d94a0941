"""One decision model's answers to typed questions: send, read, wait out a rate limit, and write the ledger row."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from collections_app.addresses import PRIVATE_KINDS
from gateway.canon.decision import TYPE_OF, Decided, Question
from gateway.canon.fault import NotSent, Rejected, UpstreamFault
from gateway.engine.brief_call import BriefCall, fetch
from gateway.engine.call_row import begun
from gateway.engine.origin import request_id
from gateway.engine.prices import cost_of_call
from gateway.engine.records import CallMade
from gateway.engine.snapshot import Caller, DecisionView
from gateway.engine.swap import swapped
from gateway.engine.upstreams import USER_AGENT, hide
from gateway.wire.decisions import read_answers, write_request
from gateway.wire.errors import read_error

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

PATIENCE_S: Final = 60.0
WAITS_S: Final = (5.0, 15.0)
"""How long to wait after the first and the second 429; the third is final."""
_TOO_MANY = 429


class DecisionOrder(Struct, frozen=True):
    """What is asked of whom and for whom. `seconds` is the time it all may take, waits included."""

    model: DecisionView
    state: str
    questions: Mapping[str, Question]
    caller: Caller
    collection: str
    purpose: str = ""
    seconds: float = PATIENCE_S


async def decide(bench: Bench, order: DecisionOrder) -> Decided:
    """An answer for each question. Raises the UpstreamFault that ended it. However it ends, the ledger has a row of
    it."""
    calling = _Calling(bench, order)
    try:
        return await calling.answer()
    finally:
        calling.record()


class _Calling(BriefCall[Decided]):
    """A call under way."""

    def __init__(self, bench: Bench, order: DecisionOrder) -> None:
        super().__init__(bench, order.seconds)
        self.order = order

    async def answer(self) -> Decided:
        return await self.within_limit(self._tries(), f"no answer in {self.order.seconds:g} s")

    async def _tries(self) -> Decided:
        _refuse_types(self.order)
        secret = self.bench.catalogue.secret_of(self.order.model.endpoint)
        order = self.order
        while True:
            try:
                return await self.paced(
                    order.model, len(order.state), lambda: self._once(secret), lambda came: came.usage
                )
            except UpstreamFault as fault:
                hide(fault, secret, *self.bench.catalogue.headers_of(self.order.model.endpoint).secrets)
                limited = isinstance(fault, Rejected) and fault.upstream_status == _TOO_MANY
                wait = WAITS_S[self.attempts - 1] if limited and self.attempts <= len(WAITS_S) else None
                if wait is None or wait >= self.left_s:
                    raise
            await asyncio.sleep(wait)

    async def _once(self, secret: str) -> Decided:
        model, questions = self.order.model, self.order.questions
        body = write_request(model.served, self.order.state, questions)
        private = model.endpoint.kind in PRIVATE_KINDS
        own = self.bench.catalogue.headers_of(model.endpoint)
        headers, secrets = _headers(own.sent, secret), (secret, *own.secrets)
        self.goes_out(begun(self.order, self.at, self.attempts, purpose=self.order.purpose))
        said = await fetch(
            self.bench, _address(model), headers, body, read_error, private=private, who=model, secrets=secrets
        )
        return read_answers(said, questions)

    def record(self) -> None:
        """Puts the ledger's row. A decision model is none of those that sit, so the row names it by its alias alone."""
        order, model, caller, fault = self.order, self.order.model, self.order.caller, self.fault
        told = self.came.model if self.came else ""
        usage = self.came.usage if self.came else None
        status = fault.upstream_status if fault else None
        self.bench.note_call(
            CallMade(
                at=self.at,
                seat="",
                language_model_id=None,
                alias=model.alias,
                endpoint_name=model.endpoint.name,
                connection=model.endpoint.name,
                served=told[:200] or model.served,
                owner_id=caller.owner_id,
                key_id=caller.key_id,
                caller=caller.name,
                collection_name=order.collection,
                purpose=order.purpose,
                status=self.status,
                upstream_status=status,
                failure=fault.failure if fault else "",
                attempts=self.attempts,
                usage=usage,
                seconds=round(self.seconds, 3),
                first_token_s=None,
                swapped=swapped(model.served, told),
                request=request_id(),
                team_id=caller.team_id,
                grant=caller.drawn_on,
                cost=cost_of_call({}, usage, attempts=self.attempts, upstream_status=status),
            ),
            self.number,
        )


def _refuse_types(order: DecisionOrder) -> None:
    """Raises NotSent for a question of a type that the model does not accept."""
    for question in order.questions.values():
        kind = TYPE_OF[type(question)]
        if kind not in order.model.question_types:
            accepted = ", ".join(order.model.question_types)
            raise NotSent(f"{order.model.alias} takes no question of the type {kind}; it takes {accepted}")


def _address(model: DecisionView) -> str:
    url = model.endpoint.decisions_url
    if not url:
        raise NotSent(f"endpoint {model.endpoint.name} has no decisions_url any more")
    return url.replace("{path}", model.path)


def _headers(extra: Mapping[str, str], secret: str) -> dict[str, str]:
    headers = {
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
        "user-agent": USER_AGENT,
        **{name.lower(): value for name, value in extra.items()},
    }
    return {**headers, "authorization": f"Bearer {secret}"} if secret else headers
