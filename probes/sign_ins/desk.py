"""What a sign-in needs of the world around it: providers, the way to them, the time, chance. Tests bring their own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from django.utils import timezone
from msgspec import Struct

from collections_app.models import Endpoint
from gateway.canon.fault import UpstreamFault
from gateway.engine.fetch import fetch_document
from probes.listing import door_of, fetcher, read_listing
from probes.side import side
from probes.sign_ins.providers import Provider, providers
from probes.sign_ins.wire import Reply, SignInFailed, Wanted, tidy

WAIT_S: Final = 30.0
WITHOUT_KEY_S: Final = 15.0
UNPROVEN: Final = "It lists its models without a key too, so that the key is unproven until the first call."
PROVEN: Final = "It wanted the key to list its models."


class Checked(Struct, frozen=True):
    """How many models an endpoint lists, and what that says of its key."""

    served: int
    note: str


class Desk(Struct, frozen=True):
    """`fetch` sends a request and brings the reply, redirects as they are; `check` lists an endpoint's models by a key.
    Both raise SignInFailed."""

    providers: Mapping[str, Provider]
    fetch: Callable[[Wanted], Reply]
    check: Callable[[Endpoint, str], Checked]
    clock: Callable[[], datetime] = timezone.now
    random: Callable[[int], bytes] = secrets.token_bytes


def desk() -> Desk:
    """The installation's own."""
    return Desk(providers(), fetch, check)


def fetch(wanted: Wanted) -> Reply:
    """By this process's transport. Sync."""
    headers = {"content-type": wanted.content_type}
    try:
        found = side().with_transport(
            lambda transport: fetch_document(
                transport, wanted.method, wanted.url, headers=headers, body=wanted.body, wait_s=WAIT_S
            )
        )
    except UpstreamFault as fault:
        raise SignInFailed(tidy(fault.message, wanted.secrets), final=False) from None
    return Reply(found.status, found.body)


def check(endpoint: Endpoint, key: str) -> Checked:
    """What the endpoint lists with this key, and whether it would without. The row need not be saved. Sync."""
    try:
        door = door_of(endpoint, key)
        found = side().with_transport(lambda transport: read_listing(fetcher(transport, door), door, WAIT_S))
    except UpstreamFault as fault:
        hint = "; it refuses the key" if fault.upstream_status in (401, 403) else ""
        raise SignInFailed(
            f"the models of {endpoint.name} cannot be listed: {tidy(fault.message, (key,))}{hint}"
        ) from None
    bare = door.without_key()
    try:
        side().with_transport(lambda transport: read_listing(fetcher(transport, bare), bare, WITHOUT_KEY_S))
    except UpstreamFault:
        return Checked(len(found), PROVEN)
    return Checked(len(found), UNPROVEN)
