"""How a hub's administration is reached: its root, the admin key, and who may see what it replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from collections_app.actions.endpoint_key import admin_key_name_of, key_name_of
from collections_app.models import Endpoint, LanguageModel
from collections_app.vault import VaultLocked, secret_for
from gateway.canon.fault import NotSent, UpstreamFault
from gateway.canon.names import key_variable
from gateway.engine.fetch import Fetched, fetch_document
from gateway.engine.hiding import HIDDEN, to_hide
from gateway.engine.transport import Transport
from gateway.engine.upstreams import hide
from probes.hubs.base import Adapter, Ask
from probes.hubs.cliproxy import CliProxy
from probes.hubs.litellm import LiteLLM
from probes.hubs.openwebui import OpenWebUI
from probes.listing import door_of

ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "openwebui": ("/api/v1", "/api"),
    "litellm": ("/v1",),
    "cliproxy": ("/v1",),
}
"""What a kind of hub's base ends with and its administration has not."""


class Door(Struct, frozen=True):
    """An endpoint's hub, with its admin key in `headers`: keep it out of records and logs."""

    name: str
    root: str
    adapter: Adapter
    headers: Mapping[str, str]
    secrets: tuple[str, ...]
    private: bool

    def ask(self, transport: Transport) -> Ask:
        """Requests through this door. Our own keys are in no fault and in no refusal; what is no refusal comes as it
        is, for it may have to go back."""

        async def ask(method: str, path: str, body: object = None, *, wait_s: float) -> Fetched:
            sent = None if body is None else msgspec.json.encode(body)
            headers = {**self.headers, "content-type": "application/json"} if sent else dict(self.headers)
            try:
                reply = await fetch_document(
                    transport,
                    method,
                    self.root + quote(path, safe="/?=&"),
                    headers=headers,
                    body=sent,
                    private=self.private,
                    wait_s=wait_s,
                )
            except UpstreamFault as fault:
                hide(fault, *self.secrets)
                raise
            if reply.ok:
                return reply
            shown = reply.body
            for secret in to_hide(self.secrets):
                shown = shown.replace(secret, HIDDEN)
            return Fetched(reply.status, reply.headers, shown)

        return ask


def open_hub(endpoint: Endpoint) -> Door:
    """Sync: reads the keys. Raises NotSent when the endpoint is no hub, or there is no admin key."""
    adapter = adapter_of(endpoint)
    key = admin_key(endpoint)
    if not key:
        name = admin_key_name_of(endpoint)
        raise NotSent(
            f"there is no admin key for {endpoint.name}: store {adapter.supports.key} on the endpoint's page, "
            f"or set {key_variable(name)}"
        )
    door = door_of(endpoint, key)
    return Door(
        name=endpoint.name,
        root=root_of(endpoint),
        adapter=adapter,
        headers={**door.headers, "authorization": f"Bearer {key}"},
        secrets=door.secrets,
        private=door.private,
    )


def adapter_of(endpoint: Endpoint) -> Adapter:
    """The adapter of its kind of hub. Raises NotSent when it is none."""
    match endpoint.hub:
        case "openwebui":
            mine = LanguageModel.objects.filter(endpoint__name=endpoint.name, retired_at__isnull=True).exclude(tag="")
            return OpenWebUI(dict(mine.values_list("served", "tag")))
        case "litellm":
            return LiteLLM()
        case "cliproxy":
            return CliProxy()
        case _:
            raise NotSent(f"endpoint {endpoint.name} is no hub that this server knows")


def admin_key(endpoint: Endpoint) -> str:
    """The key, or the endpoint's own where that will do; empty when there is none."""
    try:
        found = secret_for(admin_key_name_of(endpoint))
        if not found and adapter_of(endpoint).supports.own_key:
            found = secret_for(key_name_of(endpoint), endpoint.key_env)
    except VaultLocked:
        raise NotSent(f"the stored admin key of {endpoint.name} cannot be opened: enter it again") from None
    return found


def root_of(endpoint: Endpoint) -> str:
    """Where its administration begins."""
    base = endpoint.base.rstrip("/")
    for ending in ENDINGS.get(endpoint.hub, ()):
        if urlsplit(base).path.endswith(ending):
            return base.removesuffix(ending)
    return base
