"""Asks an endpoint which models it serves, in every API's own way.

The listing is no call of a model: it is not paced and not in the ledger. Errors are the same faults as those of calls,
read by the same rules, without the key and the headers' secrets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from collections_app.addresses import PRIVATE_KINDS
from collections_app.models import Endpoint
from collections_app.secret_headers import opened_headers
from collections_app.vault import VaultLocked, secret_for
from gateway.canon.fault import Broken, NotSent, Silent, UpstreamFault
from gateway.canon.kinds import Api
from gateway.canon.names import key_variable
from gateway.engine.classify import rejected
from gateway.engine.fetch import Fetched, fetch_document
from gateway.engine.transport import Transport
from gateway.engine.upstreams import PROTOCOLS, USER_AGENT, hide
from gateway.wire.anthropic.outgoing import VERSION
from gateway.wire.registry import CLIENTS
from probes.listing_forms import MOST, Listed, models_in, next_page, with_unlisted
from probes.side import side

__all__ = ["Door", "Listed", "document_of", "door_of", "list_models", "listing_url", "read_listing"]
WAIT_S: Final = 30.0
_PAGES: Final = 100
_NO_LISTING: Final = frozenset({404, 405, 501})
_FIRST: Final[Mapping[str, dict[str, str]]] = {Api.GEMINI: {"pageSize": "1000"}, Api.ANTHROPIC: {"limit": "1000"}}


class Door(Struct, frozen=True):
    """How an endpoint is reached, its key and opened headers in it: keep it out of records and logs.

    `auth` are the headers that carry the key, `headers` the extra ones, `secrets` what of all that is secret.
    """

    name: str
    base: str
    api: str
    headers: Mapping[str, str] = {}
    auth: Mapping[str, str] = {}
    secrets: tuple[str, ...] = ()
    private: bool = False
    models_url: str = ""
    unlisted: tuple[str, ...] = ()

    def without_key(self) -> Door:
        """The same door, knocked at without the key."""
        return replace(self, auth={})


def list_models(endpoint: Endpoint, *, wait_s: float = WAIT_S, key: bool = True) -> list[Listed]:
    """The models an endpoint lists and those it serves unlisted, each once. `key` False asks without its key. Sync;
    never from within an event loop.

    Raises an UpstreamFault: NotSent without a key that is named, Rejected for an HTTP error, Silent when not all of it
    came within `wait_s` seconds, Broken when what came is no listing.
    """
    from probes.sign_ins.before_use import renew_before_use  # it lists models itself, to try what was signed in to

    if key:
        renew_before_use(endpoint)
    door = door_of(endpoint)
    door = door if key else door.without_key()
    return side().with_transport(lambda transport: read_listing(fetcher(transport, door), door, wait_s))


def door_of(endpoint: Endpoint, secret: str | None = None) -> Door:
    """The endpoint's door, with its own key or this one. The row need not be saved. Sync.

    Raises NotSent when a secret it names is missing or cannot be opened, or its API is unknown.
    """
    wire = CLIENTS.get(PROTOCOLS.get(endpoint.api, ""))
    if wire is None:
        raise NotSent(f"this server does not speak the {endpoint.api!r} protocol of endpoint {endpoint.name}")
    plain = _key_of(endpoint) if secret is None else secret
    sent, hidden = _headers_of(endpoint)
    if endpoint.api == Api.ANTHROPIC:
        sent = {"anthropic-version": VERSION, **sent}
    return Door(
        name=endpoint.name,
        base=endpoint.base.rstrip("/"),
        api=endpoint.api,
        headers={"accept": "application/json", "user-agent": USER_AGENT, **sent},
        auth=wire.auth(plain),
        secrets=tuple(text for text in (plain, *hidden) if text),
        private=endpoint.kind in PRIVATE_KINDS,
        models_url=endpoint.models_url,
        unlisted=tuple(endpoint.unlisted_models),
    )


Fetch = Callable[[str, float], Awaitable[Fetched]]
"""GET an address with a door's headers, within so many seconds."""


def fetcher(transport: Transport, door: Door) -> Fetch:
    """Fetches with this door's headers, and keeps its secrets out of replies and faults."""

    async def fetch(url: str, wait_s: float) -> Fetched:
        headers = {**door.headers, **door.auth}
        try:
            return await fetch_document(
                transport, "GET", url, headers=headers, private=door.private, secrets=door.secrets, wait_s=wait_s
            )
        except UpstreamFault as fault:
            hide(fault, *door.secrets)
            raise

    return fetch


async def read_listing(fetch: Fetch, door: Door, wait_s: float = WAIT_S) -> list[Listed]:
    """All pages of the listing, and what is served unlisted. An endpoint that has no listing at all lists just that."""
    loop = asyncio.get_running_loop()
    until = loop.time() + wait_s
    query = _FIRST.get(door.api, {})
    found: dict[str, Listed] = {}
    asked: set[str] = set()
    while len(asked) < _PAGES and len(found) < MOST:
        url = listing_url(door, query)
        if url in asked:
            raise Broken("the listing's pages lead back to one that was read already")
        asked.add(url)
        if (left := until - loop.time()) <= 0:
            raise Silent(f"not all of the listing came in {wait_s:g} s")
        reply = await fetch(url, left)
        if reply.status in _NO_LISTING and door.unlisted and len(asked) == 1:
            break
        document = document_of(reply, door)
        found.update((model.served, model) for model in models_in(document, door.api))
        following = next_page(document, door.api)
        if not following:
            break
        query = {**_FIRST.get(door.api, {}), **following}
    return with_unlisted(found.values(), door.unlisted)


def listing_url(door: Door, query: Mapping[str, str] | None = None) -> str:
    """Where the models are listed: the endpoint's own address for it, or where its API has it."""
    url = door.models_url
    if not url and door.api == Api.OLLAMA:
        url = f"{door.base}/tags" if door.base.endswith("/api") else f"{door.base}/api/tags"
    url = url or f"{door.base}/models"
    if not query:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(query)}"


def document_of(reply: Fetched, door: Door) -> object:
    """The document in a reply. Raises Rejected for an HTTP error and Broken for what is no JSON."""
    try:
        if not reply.ok:
            wire = CLIENTS[PROTOCOLS[door.api]]
            message, code = wire.read_error(reply.status, reply.body)
            raise rejected(reply.status, reply.headers, message, code, reply.body, datetime.now(UTC))
        document: object = reply.json()
    except UpstreamFault as fault:
        hide(fault, *door.secrets)
        raise
    return document


def _key_of(endpoint: Endpoint) -> str:
    name = endpoint.key_name or endpoint.name
    try:
        secret = secret_for(name, endpoint.key_env)
    except VaultLocked:
        raise NotSent(f"the stored key of endpoint {endpoint.name} cannot be opened: enter it again") from None
    if not secret and endpoint.key_env:
        raise NotSent(
            f"endpoint {endpoint.name} names a key that has no value: set {endpoint.key_env} or "
            f"{key_variable(name)}, or store the key on its page"
        )
    return secret


def _headers_of(endpoint: Endpoint) -> tuple[dict[str, str], list[str]]:
    """(the extra headers as they are sent, what of them is secret)"""
    try:
        sent, secrets = opened_headers(endpoint.headers, secret_for)
    except (LookupError, VaultLocked) as problem:
        missing = problem.args[0] if isinstance(problem, LookupError) else "of that name"
        raise NotSent(
            f"a header of endpoint {endpoint.name} names the secret {missing}, which has no value or cannot be opened"
        ) from None
    return {name.lower(): value for name, value in sent.items()}, secrets
