"""Finds what could be added as an endpoint without typing: model servers on this machine, and providers' keys in the
environment. Runs when a person asks, never by itself; a key that is found is not used until a person says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from msgspec import Struct

from collections_app.addresses import is_own_name
from collections_app.models import Endpoint
from collections_app.vault import is_own_variable
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import Api
from gateway.engine.transport import Transport
from gateway.wire.loose import read_loosely
from probes.detect_signs import LISTING, PORTS, SIGNS, TAGS, Runtime, is_listing, is_own, tell
from probes.endpoint_guess import origin
from probes.listing import Door, Fetch, fetcher
from probes.providers import PRESETS, Preset
from probes.side import side

FIRST_S: Final = 1.0
SIGN_S: Final = 2.0
_HOME: Final = "127.0.0.1"


class KeyAtHand(Struct, frozen=True):
    """A provider whose key stands in the environment, under `variable`."""

    preset: Preset
    variable: str


def find_runtimes() -> list[Runtime]:
    """Model servers at the usual ports of the hosts that the settings name, without those that are endpoints already
    and without this server itself. Sync; takes a few seconds at most."""
    places = [(host, port) for host in settings.BENCH.detect_hosts for port in PORTS]
    own = {(_HOME, port) for port in settings.BENCH.ports}
    taken = {_place(row.base) for row in Endpoint.objects.all()}
    wanted = [place for place in places if place not in taken | own]
    return side().with_transport(lambda transport: look_around(transport, wanted))


async def look_around(transport: Transport, places: Iterable[tuple[str, int]]) -> list[Runtime]:
    """What answers at these (host, port), all asked at once."""
    found = await asyncio.gather(*(_look(transport, host, port) for host, port in places))
    return [runtime for runtime in found if runtime is not None]


def keys_at_hand(environ: Mapping[str, str]) -> list[KeyAtHand]:
    """Providers' keys that the environment holds, but for those of endpoints that there are."""
    rows = list(Endpoint.objects.all())
    used = {row.key_env for row in rows}
    taken = {_place(row.base) for row in rows}
    found = []
    for preset in PRESETS.values():
        variable = next((name for name in preset.variables if environ.get(name, "").strip()), "")
        if variable and not is_own_variable(variable) and variable not in used and _place(preset.base) not in taken:
            found.append(KeyAtHand(preset, variable))
    return found


async def _look(transport: Transport, host: str, port: int) -> Runtime | None:
    root = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    fetch = fetcher(transport, Door("detected", root, Api.CHAT, private=True))
    said = await _ask_all(fetch, root, (LISTING, TAGS), FIRST_S)
    if not any(map(is_listing, said.values())) or is_own(said[LISTING]):
        return None
    return tell(root, port, said | await _ask_all(fetch, root, SIGNS, SIGN_S))


async def _ask_all(fetch: Fetch, root: str, paths: tuple[str, ...], wait_s: float) -> dict[str, Any]:
    answers = await asyncio.gather(*(_ask(fetch, root + path, wait_s) for path in paths))
    return dict(zip(paths, answers, strict=True))


async def _ask(fetch: Fetch, url: str, wait_s: float) -> Any:
    try:
        reply = await fetch(url, wait_s)
    except UpstreamFault:
        return None
    return read_loosely(reply.body) if reply.ok else None


def _place(base: str) -> tuple[str, int]:
    """(host, port); this machine under one name."""
    try:
        _, host, port = origin(base)
    except ValueError:
        return "", 0
    return (_HOME if is_own_name(host) or host == "::1" else host), port
