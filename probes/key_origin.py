"""Which secrets may go to which address. What is stored goes to the server it was stored for: a key has to be typed
again for another one. What the environment holds, and headers that name secrets, go there only when a person says so.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from collections_app.actions.endpoint_key import admin_key_name_of, whose_secret
from collections_app.models import Endpoint, Secret
from collections_app.secret_headers import REFERENCE
from collections_app.vault import VaultLocked, from_environment, secret_for
from gateway.canon.fault import NotSent
from gateway.canon.kinds import EndpointKind
from probes.endpoint_guess import origin

TYPE_AGAIN: Final = "The stored key belongs to {old} and was not sent. Enter it again to use it at {new}."
SAY_SO: Final = "What the environment and headers hold belongs to {old} and was not sent. Say that it may go to {new}."
STRAY_ADMIN: Final = "A key is stored under the name {name} already. Choose another name for the hub."
ENTER_ADMIN: Final = "A key is stored under the name {name} already. Enter that of this hub's administration."
FOREIGN: Final = (
    "The header {header} names a key of the endpoint {owner}. Store what this server wants as a secret of its own."
)
NOT_YET: Final = "The header {header} names a stored secret, which is sent only once the endpoint is saved."


class Credentials(Struct, frozen=True):
    """What may be sent: the key (empty: none) and the extra headers. `held_back` says what was not and why; with
    `final`, the endpoint must not be saved so either."""

    key: str = ""
    headers: dict[str, Any] = {}
    held_back: str = ""
    final: bool = False


def credentials_for(row: Endpoint, typed: str, saved: Endpoint | None, *, keys_move: bool) -> Credentials:
    """For the endpoint as it is about to be, with the key that was typed (empty: none), in place of `saved` (None: it
    is new). Sync.

    Raises NotSent when a key is named and missing, or cannot be opened.
    """
    brought = from_environment(row.key_name or row.name, row.key_env)
    plain, secret = _split(row.headers)
    if saved is None:
        if row.key_env and not (typed or brought):
            raise NotSent(f"{row.key_env} is not set where this server runs")
        held = NOT_YET.format(header=next(iter(secret))) if secret else ""
        return Credentials(typed or brought, plain, held)
    known = plain | {name: value for name, value in secret.items() if saved.headers.get(name) == value}
    if not moved(saved, row):
        return Credentials(typed or _open(saved, row.key_env), known)
    key = typed or (brought if keys_move else "")
    stored = not key and not brought and Secret.objects.filter(name=saved.key_name or saved.name).exists()
    unsaid = not keys_move and bool(secret or (brought and not typed))
    held = TYPE_AGAIN if stored else SAY_SO if unsaid else ""
    words = held.format(old=origin(saved.base)[1], new=origin(row.base)[1])
    return Credentials(key, known if keys_move else plain, words, final=bool(held))


def admin_key_held(row: Endpoint, typed: str, saved: Endpoint | None, *, keys_move: bool) -> str:
    """Why the key of a hub's administration must be typed for the endpoint as it is about to be, as a sentence; empty
    when it was, when there is none, and when it stays with the server it is for. Sync."""
    name = admin_key_name_of(row)
    brought, stored = bool(from_environment(name)), Secret.objects.filter(name=name).exists()
    if row.kind != EndpointKind.HUB or not (brought or stored):
        return ""
    if saved is None:
        return "" if brought else STRAY_ADMIN.format(name=name)
    if typed:
        return ""
    if saved.kind != EndpointKind.HUB:
        return "" if brought else ENTER_ADMIN.format(name=name)
    if not moved(saved, row) or (brought and keys_move):
        return ""
    return (SAY_SO if brought else TYPE_AGAIN).format(old=origin(saved.base)[1], new=origin(row.base)[1])


def foreign_header(row: Endpoint, saved: Endpoint | None) -> str:
    """Why a header must not be saved, as a sentence: it names the key of another endpoint, which is for that one's
    server. Empty for none, and for one that the saved endpoint sends to the same server already. Sync."""
    stays = saved is not None and not moved(saved, row)
    _, secret = _split(row.headers)
    for header, value in secret.items():
        owner = whose_secret(str(value).removeprefix(REFERENCE), besides=row.name)
        if owner and not (stays and saved is not None and saved.headers.get(header) == value):
            return FOREIGN.format(header=header, owner=owner)
    return ""


def moved(saved: Endpoint, row: Endpoint) -> bool:
    """Whether secrets of the saved endpoint would go to a server that they did not go to before."""
    known = {origin(url) for url in _addresses(saved)}
    return any(origin(url) not in known for url in _addresses(row))


def _addresses(row: Endpoint) -> list[str]:
    return [url for url in (row.base, row.models_url, row.decisions_url) if url]


def _split(headers: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(those that hold no secret, those that name one)"""
    secret = {name: value for name, value in headers.items() if str(value).startswith(REFERENCE)}
    return {name: value for name, value in headers.items() if name not in secret}, secret


def _open(saved: Endpoint, key_env: str) -> str:
    try:
        return secret_for(saved.key_name or saved.name, key_env)
    except VaultLocked:
        raise NotSent(f"the stored key of endpoint {saved.name} cannot be opened: enter it again") from None
