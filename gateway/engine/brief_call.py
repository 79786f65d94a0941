"""What calls share that bring one short document and no answer of a seat (embeddings, decisions): a time limit over all
of it, how it ended for the ledger, and a reply read whole."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from gateway.canon.event import Usage
from gateway.canon.fault import NotSent, Silent, UpstreamFault
from gateway.canon.kinds import CallStatus
from gateway.canon.tokens import estimate_length
from gateway.engine.classify import rejected
from gateway.engine.hiding import to_hide
from gateway.engine.pace import Want
from gateway.engine.pace_end import BROKEN_OFF, end_of
from gateway.engine.pace_rules import Estimate
from gateway.engine.records import CallBegun
from gateway.engine.snapshot import DecisionView, ModelView
from gateway.engine.upstreams import hide

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

Came = TypeVar("Came")
NO_LIMITS: Final[dict[str, int]] = {}


class BriefCall(Generic[Came]):
    """A call under way, with what the ledger needs of it. `limit_s` is the time that all of it may take."""

    def __init__(self, bench: Bench, limit_s: float) -> None:
        self.bench = bench
        self.at = bench.clock()
        self.attempts = 0
        self.number = 0
        self.came: Came | None = None
        self.fault: UpstreamFault | None = None
        self.status = CallStatus.ERROR  # also of what a defect of ours ends
        self._limit_s = limit_s
        self._one_too_many = False
        self._started = asyncio.get_running_loop().time()

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return asyncio.get_running_loop().time() - self._started

    @property
    def left_s(self) -> float:
        """How long it may still take."""
        return self._limit_s - self.seconds

    def goes_out(self, call: CallBegun) -> None:
        """The request is sent now: should this process end before the call does, the ledger will know of it."""
        self.number = self.bench.recorder.begin(call, self.number)

    async def within_limit(self, work: Awaitable[Came], late: str) -> Came:
        """What the work brings. Raises the UpstreamFault that ended it; when the time is up, Silent with `late`."""
        try:
            async with asyncio.timeout(self._limit_s):
                came = self.came = await work
        except TimeoutError:
            self.status, self.fault = CallStatus.TIMEOUT, Silent(late)
            raise self.fault from None
        except asyncio.CancelledError:
            self.status = CallStatus.CANCELLED
            raise
        except UpstreamFault as fault:
            self.status = CallStatus.REFUSED if isinstance(fault, NotSent) else CallStatus.ERROR
            self.fault = fault
            raise
        self.status = CallStatus.OK
        return came

    async def paced(
        self,
        who: ModelView | DecisionView,
        characters: int,
        send: Callable[[], Awaitable[Came]],
        used: Callable[[Came], Usage | None],
    ) -> Came:
        """What one request brings, sent once pacing lets it go. `characters` are those of the request; `used` tells the
        tokens. Raises the UpstreamFault that ended it, NotSent (429) where there was no room in time."""
        pace, end = self.bench.pace, BROKEN_OFF
        ticket = await pace.take(self._want(who, characters))
        self.attempts += 1
        try:
            came = await send()
            end = end_of(used(came), None)
        except UpstreamFault as fault:
            end = end_of(None, fault, again=self._one_too_many)
            self._one_too_many = self._one_too_many or end.too_many
            raise
        finally:
            pace.settle(ticket, end)
        return came

    def _want(self, who: ModelView | DecisionView, characters: int) -> Want:
        connection, own = who.endpoint.name, NO_LIMITS
        if isinstance(who, ModelView):
            connection, own = who.connection, who.kept_limits
        left = self.left_s
        return Want(connection, who.alias, own, lambda: Estimate(estimate_length(characters)), left, left)


async def fetch(
    bench: Bench,
    url: str,
    headers: dict[str, str],
    body: bytes,
    read_error: Callable[[int, bytes], tuple[str, str]],
    *,
    private: bool,
    who: ModelView | DecisionView,
    secrets: Iterable[str],
) -> bytes:
    """The reply of `who` to one POST, whole. `private`: the endpoint may stand at a private address; `secrets` are
    taken out of what comes. Raises the UpstreamFault of a refusal, which `read_error` puts into words, or of a
    failure on the way."""
    async with bench.transport.post(url, headers, body, private=private, secrets=to_hide(secrets)) as answer:
        if not 200 <= answer.status < 300:
            said = await answer.body_of_error()
            message, code = read_error(answer.status, said)
            fault = rejected(answer.status, answer.headers, message, code, said, bench.clock())
            hide(fault, *secrets)
            bench.hearing.refused(who, body, fault, answer.headers, said)
            raise fault
        bench.hearing.head(who, answer.status, answer.headers)
        return b"".join([chunk async for chunk in answer.chunks()])
