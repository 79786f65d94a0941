"""One member's embeddings for one request: send, read, try again where that may help, and write the ledger row."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.event import Usage
from gateway.canon.fault import NotSent, UpstreamFault
from gateway.engine.brief_call import BriefCall, fetch
from gateway.engine.call_row import begun
from gateway.engine.embed_plan import embedder_of
from gateway.engine.order import RETRIES
from gateway.engine.origin import request_id
from gateway.engine.prices import cost_of_call
from gateway.engine.records import CallMade
from gateway.engine.resting import note_rest
from gateway.engine.retry import retry_wait
from gateway.engine.snapshot import Caller, ModelView
from gateway.engine.swap import swapped
from gateway.engine.upstreams import Upstream, hide_secret
from gateway.wire.embedding import EmbedClient

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

PURPOSE: Final = "embed"


class EmbedOrder(Struct, frozen=True):
    """What is asked of whom and for whom. `seconds` is the time it all may take."""

    model: ModelView
    ask: EmbedAsk
    caller: Caller
    collection: str
    seconds: float


async def call_for_vectors(bench: Bench, order: EmbedOrder) -> tuple[Embedded, tuple[str, ...]]:
    """(vectors, notes of what was left out or amiss). Raises the UpstreamFault that ended it. However it ends, the
    ledger has a row of it, though it is told before that is written."""
    calling = _Calling(bench, order)
    try:
        return await calling.answer()
    finally:
        calling.record()
        bench.recorder.secure()


class _Calling(BriefCall[Embedded]):
    """A call under way. `notes` name what was left out or amiss."""

    def __init__(self, bench: Bench, order: EmbedOrder) -> None:
        super().__init__(bench, order.seconds)
        self.order = order
        self.notes: tuple[str, ...] = ()

    async def answer(self) -> tuple[Embedded, tuple[str, ...]]:
        try:
            came = await self.within_limit(self._tries(), f"no embeddings in {self.order.seconds:g} s")
        finally:
            note_rest(self.bench, self.order.model, self.fault)
        wanted, length = self.order.ask.dimensions, len(came.vectors[0])
        if wanted is not None and wanted != length:
            self.notes += (f"{wanted:,} dimensions were asked for, and the vectors that came have {length:,}.",)
        return came, self.notes

    async def _tries(self) -> Embedded:
        upstream, client = self.bench.catalogue.upstream_of(self.order.model), embedder_of(self.order.model)
        if client is None:
            raise NotSent(f"the protocol of endpoint {self.order.model.endpoint.name} has no embeddings")
        characters = sum(map(len, self.order.ask.texts))
        while True:
            try:
                return await self.paced(
                    self.order.model, characters, lambda: self._once(upstream, client), lambda came: _usage(came.tokens)
                )
            except UpstreamFault as fault:
                hide_secret(fault, upstream)
                wait = retry_wait(fault, self.attempts - 1, self.bench.rng)
                if wait is None or wait >= self.left_s or self.attempts > RETRIES:
                    raise
            await asyncio.sleep(wait)

    async def _once(self, upstream: Upstream, client: EmbedClient) -> Embedded:
        outgoing = client.write(self.order.ask, upstream.facts)
        self.notes = outgoing.notes
        self.goes_out(begun(self.order, self.at, self.attempts, purpose=PURPOSE))
        url, headers = upstream.base + outgoing.path, {**upstream.headers, **outgoing.headers}
        body = await fetch(
            self.bench,
            url,
            headers,
            outgoing.body,
            upstream.wire.read_error,
            private=upstream.private,
            who=self.order.model,
            secrets=upstream.secrets,
        )
        return client.read(body, self.order.ask)

    def record(self) -> None:
        """Puts the ledger's row."""
        order, model, caller, fault = self.order, self.order.model, self.order.caller, self.fault
        told = self.came.model if self.came else ""
        tokens = self.came.tokens if self.came else None
        usage = _usage(tokens)
        status = fault.upstream_status if fault else None
        self.bench.note_call(
            CallMade(
                at=self.at,
                seat="",
                language_model_id=model.id,
                alias=model.alias,
                endpoint_name=model.endpoint.name,
                connection=model.connection,
                served=told[:200] or model.served,
                owner_id=caller.owner_id,
                key_id=caller.key_id,
                caller=caller.name,
                collection_name=order.collection,
                purpose=PURPOSE,
                status=self.status,
                upstream_status=status,
                failure=fault.failure if fault else "",
                attempts=self.attempts,
                usage=usage,
                seconds=round(self.seconds, 3),
                first_token_s=None,
                notes=self.notes,
                swapped=swapped(model.served, told),
                request=request_id(),
                requests=caller.count_request(),
                team_id=caller.team_id,
                grant=caller.drawn_on,
                cost=cost_of_call(model.prices, usage, attempts=self.attempts, upstream_status=status),
            ),
            self.number,
        )


def _usage(tokens: int | None) -> Usage | None:
    return None if tokens is None else Usage(tokens, 0).bounded()
