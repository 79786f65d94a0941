"""Tries an endpoint as it is typed, before anything is saved: does it list models, was the key needed, what kind of hub
is it, and what would answer if this does not.

A stored key is sent only to the address that it was stored for. For another one it has to be typed again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from collections_app.actions.endpoint import infer_kind
from collections_app.addresses import address_problem, host_of, is_own_name, is_private_ip, literal_ip
from collections_app.models import Endpoint
from gateway.canon.fault import NotSent, Rejected, Unreachable, UpstreamFault
from gateway.canon.kinds import Api, EndpointKind
from gateway.engine.transport import Transport
from probes.endpoint_guess import Guess, guesses
from probes.hub_signs import HubSign, looks_like_open_webui, recognise
from probes.key_origin import Credentials, credentials_for
from probes.listing import Door, Listed, door_of, fetcher, read_listing
from probes.side import side

WAIT_S: Final = 30.0
WITHOUT_KEY_S: Final = 15.0
GUESS_S: Final = 8.0
SUGGESTED: Final = 3
_REFUSED: Final = frozenset({400, 401, 403})

NEEDED: Final = "needed"
UNPROVEN: Final = "unproven"
UNKNOWN: Final = "unknown"
NONE: Final = "none"


class Typed(Struct, frozen=True):
    """An endpoint as it stands in a form. `key` is what was typed into its field, `saved` the row that is being edited;
    `keys_move` says that what comes from the environment, and the secrets of headers, may go to a new address."""

    name: str
    base: str
    kind: str = ""
    api: str = Api.CHAT
    hub: str = ""
    key: str = ""
    key_env: str = ""
    models_url: str = ""
    decisions_url: str = ""
    headers: Mapping[str, str] = {}
    unlisted: tuple[str, ...] = ()
    saved: Endpoint | None = None
    keys_move: bool = False


class Suggestion(Struct, frozen=True):
    """Another way to ask that server. `models` is how many it lists so, None where it is only known to be right."""

    guess: Guess
    models: int | None = None


class Found(Struct, frozen=True):
    """What a trial found. `trouble` is empty when it lists models. `key` is how the key did: `needed`, `unproven` (it
    lists without one too), `unknown` or `none` (none was sent). `held_back` says why a secret was not sent; with
    `must_not` the endpoint must not be saved so."""

    models: tuple[Listed, ...] = ()
    trouble: str = ""
    hint: str = ""
    key: str = NONE
    held_back: str = ""
    must_not: bool = False
    hub: HubSign | None = None
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def listed(self) -> bool:
        return not self.trouble


def try_endpoint(typed: Typed) -> Found:
    """Asks the typed address. Sync; takes at most about a minute. Never raises for what the address does."""
    others = (typed.models_url.partition("?")[0], typed.decisions_url.replace("{path}", ""))
    for url in (typed.base, *filter(None, others)):
        if problem := address_problem(url):
            return Found(trouble=problem)
    row = as_row(typed)
    try:
        credentials = credentials_for(row, typed.key, typed.saved, keys_move=typed.keys_move)
        row.headers = credentials.headers
        door = door_of(row, credentials.key)
    except NotSent as fault:
        return Found(trouble=_sentence(fault))
    return side().with_transport(lambda transport: _look(transport, door, row, credentials))


def as_row(typed: Typed) -> Endpoint:
    """The endpoint that would be saved."""
    base = typed.base.strip().rstrip("/")
    return Endpoint(
        name=typed.name or "this endpoint",
        base=base,
        kind=typed.kind or (EndpointKind.HUB if typed.hub else infer_kind(base)),
        api=typed.api or Api.CHAT,
        hub=typed.hub,
        key_name=typed.saved.key_name if typed.saved else "",
        key_env=typed.key_env,
        headers=dict(typed.headers),
        models_url=typed.models_url,
        decisions_url=typed.decisions_url,
        unlisted_models=list(typed.unlisted),
    )


async def _look(transport: Transport, door: Door, row: Endpoint, credentials: Credentials) -> Found:
    fetch = fetcher(transport, door)
    found = Found(held_back=credentials.held_back, must_not=credentials.final)
    try:
        models = await read_listing(fetch, door, WAIT_S)
    except UpstreamFault as fault:
        return await _explain(transport, door, row, found, fault)
    listing = [model.raw for model in models]
    asked_as_hub = row.kind == EndpointKind.HUB or looks_like_open_webui(listing)
    key, hub = await asyncio.gather(
        _without_key(transport, door), recognise(fetch, door.base) if asked_as_hub else _nothing()
    )
    return replace(found, models=tuple(models), key=key, hub=hub)


async def _without_key(transport: Transport, door: Door) -> str:
    """How the key did, told by asking once more without it."""
    if not door.auth:
        return NONE
    bare = door.without_key()
    try:
        await read_listing(fetcher(transport, bare), bare, WITHOUT_KEY_S)
    except Rejected as fault:
        return NEEDED if fault.upstream_status in _REFUSED else UNKNOWN
    except UpstreamFault:
        return UNKNOWN
    return UNPROVEN


async def _explain(transport: Transport, door: Door, row: Endpoint, found: Found, fault: UpstreamFault) -> Found:
    """The failure in words, and what would answer instead."""
    found = replace(found, trouble=_sentence(fault), hint=_hint(fault, door))
    if isinstance(fault, NotSent):
        return found
    hub_too = row.kind == EndpointKind.HUB or door.base.endswith("/api") or _near(door.base)
    wanted = guesses(door.base, door.api, hub_too=hub_too)
    if isinstance(fault, Unreachable):
        wanted = [guess for guess in wanted if guess.known]
    answers = await asyncio.gather(*(_try_guess(transport, row, door, guess) for guess in wanted))
    hub = await recognise(fetcher(transport, door), door.base) if row.kind == EndpointKind.HUB else None
    said = [answer for answer in answers if answer is not None]
    return replace(found, suggestions=tuple(said[:SUGGESTED]), hub=hub)


async def _try_guess(transport: Transport, row: Endpoint, door: Door, guess: Guess) -> Suggestion | None:
    other = Endpoint(name=row.name, base=guess.base, kind=row.kind, api=guess.api, headers={})
    secret = door.secrets[0] if door.auth and door.secrets else ""
    tried = replace(door_of(other, secret), headers=door.headers, secrets=door.secrets)
    try:
        models = await read_listing(fetcher(transport, tried), tried, GUESS_S)
    except UpstreamFault:
        return Suggestion(guess) if guess.known else None
    return Suggestion(guess, len(models)) if models or guess.known else None


async def _nothing() -> None:
    return None


def _near(base: str) -> bool:
    literal = literal_ip(host_of(base))
    return is_own_name(host_of(base)) or (literal is not None and is_private_ip(literal))


def _sentence(fault: UpstreamFault) -> str:
    text = fault.message[:500].rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _hint(fault: UpstreamFault, door: Door) -> str:
    if isinstance(fault, Rejected) and fault.upstream_status in (401, 403):
        return "Check the key." if door.auth else "It wants a key."
    if isinstance(fault, Unreachable) and is_own_name(host_of(door.base)):
        return "Inside a container this is the container itself; its host is often host.docker.internal."
    return ""
