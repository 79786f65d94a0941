"""The common surface of hubs: what one supports, its connections, what adding a model would do, and doing it.

All words of steps, notes and refusals are the adapter's own, so a hub without logos or tags never claims them. No key
of a provider is ever in them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from gateway.canon.fault import UpstreamFault
from gateway.engine.fetch import Fetched

TRIES: Final = 10
PAUSE_S: Final = 2.0
"""A hub is asked so often, so far apart, whether it lists what was added."""
MASKS: Final = ("*", "•", "●")
CONNECTION: Final = re.compile(r"[\w.-]{1,80}")
MODEL: Final = re.compile(r"[\w./:@+-]{1,200}")


class HubTrouble(UpstreamFault):
    """The hub refused or does not look as it must; the message says what to do. `done` are the steps that were taken
    before, which stay."""

    def __init__(self, message: str, *, done: Iterable[str] = (), upstream_status: int | None = None) -> None:
        super().__init__(message, upstream_status=upstream_status)
        self.done = tuple(done)


class Ask(Protocol):
    """One request to a hub's administration: `path` from its root, `body` any JSON. Whatever the status, the reply."""

    async def __call__(self, method: str, path: str, body: object = None, *, wait_s: float) -> Fetched: ...


Sleep = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""


class Supports(Struct, frozen=True):
    """What a kind of hub can do with a model that is added. `key` says which key opens its administration, `own_key`
    that the endpoint's own will do when no other is stored."""

    label: str
    checked: str
    key: str
    tags: bool = False
    logo: bool = False
    prefix: bool = False
    own_key: bool = False


class HubConnection(Struct, frozen=True):
    """A connection behind a hub. `id` names it in plans, `name` is what its models are tagged with; two may have one
    name. `models` are served ids, `prefix` stands before them. `why_not` says why nothing can be added to it."""

    id: str
    name: str
    base: str = ""
    prefix: str = ""
    models: tuple[str, ...] = ()
    why_not: str = ""


class Overview(Struct, frozen=True):
    """What a hub has. `release` is empty when it does not tell; `troubles` hold for the hub as a whole."""

    connections: tuple[HubConnection, ...]
    release: str = ""
    notes: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


class Plan(Struct, frozen=True):
    """What adding would do. With any refusal nothing would; `present` when the hub serves it already."""

    connection: str
    model: str
    served: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    present: bool = False


class Added(Struct, frozen=True):
    """The hub serves it as `served`. `steps` were taken, none when it was there already."""

    served: str
    tag: str
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Tagged(NamedTuple):
    """Where a served model really comes from: `tag` is connection or connection/owner, `upstream_id` its name there."""

    tag: str
    upstream_id: str


class Adapter(Protocol):
    """A kind of hub. Everything raises UpstreamFault: HubTrouble with what to do, or what the network did."""

    @property
    def supports(self) -> Supports: ...

    async def overview(self, ask: Ask) -> Overview:
        """Its connections as they are now."""
        ...

    async def plan(self, ask: Ask, connection: str, model: str) -> Plan:
        """What adding `model`, as the provider calls it, to the connection would do. Changes nothing."""
        ...

    async def add(self, ask: Ask, plan: Plan, sleep: Sleep = asyncio.sleep) -> Added:
        """Do it, decided again on what is there now."""
        ...

    async def tags(self, ask: Ask, listed: Mapping[str, Mapping[str, object]]) -> dict[str, Tagged]:
        """Where these come from, by served id; `listed` has the hub's own listing entries. Unknown ones are missing."""
        ...


def malformed(connection: str, model: str) -> list[str]:
    """What is wrong with the two names by their form alone."""
    wrong = []
    if CONNECTION.fullmatch(connection) is None:
        wrong.append("A connection has at most 80 letters, digits, dots, hyphens and underscores.")
    if MODEL.fullmatch(model) is None:
        wrong.append("A model's id has at most 200 letters, digits and . / : @ + - _ characters.")
    return wrong


def unknown(connection: str, connections: Iterable[HubConnection]) -> str:
    """The refusal of a connection that there is not."""
    known = ", ".join(one.id for one in connections) or "none"
    return f"There is no connection {connection} here. It has: {known}."


def find(connection: str, connections: Iterable[HubConnection]) -> HubConnection | None:
    """The connection of this id."""
    return next((one for one in connections if one.id == connection), None)


def masked(value: object) -> bool:
    """True when a value, or anything in it, was hidden by whoever sent it."""
    if isinstance(value, str):
        return any(mask in value for mask in MASKS)
    if isinstance(value, Mapping):
        return any(map(masked, value.values()))
    return isinstance(value, list) and any(map(masked, value))


def settled(asked: Plan, now: Plan) -> Plan:
    """The plan as it is decided now. Raises HubTrouble when it is refused, or means another model than it did."""
    if now.refusals:
        raise HubTrouble(" ".join(now.refusals))
    if asked.served and now.served != asked.served:
        raise HubTrouble(
            f"The hub changed meanwhile: the model would be {now.served} now, not {asked.served}. Plan it anew."
        )
    return now


@contextmanager
def after(done: Sequence[str]) -> Iterator[None]:
    """Whatever goes wrong in the block does so after these steps were taken: the HubTrouble says so."""
    try:
        yield
    except UpstreamFault as fault:
        if isinstance(fault, HubTrouble) and fault.done:
            raise
        told = f"{' '.join(done)} Then: {fault.message}"
        raise HubTrouble(told, done=done, upstream_status=fault.upstream_status) from None


async def wait_listed(listed: Callable[[], Awaitable[Iterable[str]]], served: str, sleep: Sleep) -> bool:
    """Whether the hub lists it within TRIES times PAUSE_S seconds."""
    for attempt in range(TRIES):
        if served in set(await listed()):
            return True
        if attempt < TRIES - 1:
            await sleep(PAUSE_S)
    return False
