"""From a model to how it is called: the protocol of its endpoint, its address, its headers and the facts its writer
needs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import quote

from msgspec import Struct

from collections_app.addresses import PRIVATE_KINDS
from gateway.canon.fault import FailureClass, NotSent, UpstreamFault
from gateway.canon.kinds import Api
from gateway.engine.hiding import to_hide
from gateway.engine.quirks import THINKS_IN_TAGS, apply_quirks
from gateway.engine.snapshot import ModelView
from gateway.wire.base import ClientWire, Facts
from gateway.wire.registry import CLIENTS

USER_AGENT = "benchwarmers"
SHORTEST_SECRET = 8
"""A shorter one guards nothing, and may be a word."""
HIDDEN = "[the endpoint's key]"
PROTOCOLS: dict[str, str] = {
    Api.CHAT: "openai_chat",
    Api.RESPONSES: "openai_responses",
    Api.ANTHROPIC: "anthropic",
    Api.GEMINI: "gemini",
    Api.OLLAMA: "ollama",
}
"""The protocol behind each name that an operator gives to an endpoint's API."""


class OpenHeaders(Struct, frozen=True):
    """An endpoint's extra headers as they are sent, and the secrets among their values. `missing` names a secret that
    there is not."""

    sent: Mapping[str, str]
    secrets: tuple[str, ...] = ()
    missing: str = ""


class Upstream(Struct, frozen=True):
    """All that is needed to call one model, its secret in `headers` too: keep it out of records and logs."""

    wire: ClientWire
    base: str
    headers: dict[str, str]
    facts: Facts
    thinks_in_tags: bool = False
    secrets: tuple[str, ...] = ()
    """The endpoint's key and what of its headers is secret, for hiding."""
    hidden: tuple[bytes, ...] = ()
    """Those of them that are looked for in answers."""
    private: bool = False
    """Whether it may stand at a private address."""


def upstream_of(model: ModelView, secret: str, extra: OpenHeaders | None = None) -> Upstream:
    """`extra` are the endpoint's own headers, opened. Raises NotSent when the model cannot be called as it is set
    up, or must not be."""
    if model.guarded:
        raise NotSent(f"not sent: {model.alias} {model.guarded_why}", failure=FailureClass.ENTITLEMENT)
    endpoint = model.endpoint
    extra = extra or OpenHeaders(endpoint.headers)
    wire = CLIENTS.get(PROTOCOLS.get(endpoint.api, ""))
    if wire is None:
        raise NotSent(f"this server does not speak the {endpoint.api!r} protocol of endpoint {endpoint.name}")
    headers = {
        "content-type": "application/json",
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "user-agent": USER_AGENT,
        **{name.lower(): value for name, value in extra.sent.items()},
        **wire.auth(secret),
    }
    quirks = {**endpoint.quirks, **model.quirks}
    facts = Facts(
        served=model.served,
        options=model.options,
        max_output=model.max_output,
        documents=bool(model.documents),
        base=endpoint.base,
    )
    tags = quirks.get(THINKS_IN_TAGS, False)
    private = endpoint.kind in PRIVATE_KINDS
    secrets = (secret, *extra.secrets)
    facts = apply_quirks(facts, quirks)
    return Upstream(wire, endpoint.base, headers, facts, tags, secrets, to_hide(secrets), private)


def hide_secret(fault: UpstreamFault, upstream: Upstream) -> None:
    """Takes our own key out of what a provider said: some repeat the key that they refuse."""
    hide(fault, *upstream.secrets)


def hide(fault: UpstreamFault, *secrets: str) -> None:
    """Takes these secrets out of what a provider said, also where it is percent-encoded or in base64."""
    for secret in secrets:
        if len(secret) < SHORTEST_SECRET:
            continue
        for spelling in (secret, quote(secret, safe=""), b64encode(secret.encode()).decode().rstrip("=")):
            fault.message = _without(fault.message, spelling)
            fault.body = _without(fault.body, spelling)
            fault.provider_code = _without(fault.provider_code, spelling)
    fault.args = (fault.message,)


def _without(text: str, secret: str) -> str:
    """The text without the secret, and without its beginning where the text was cut in the middle of it."""
    clean = text.replace(secret, HIDDEN)
    end = clean.removesuffix("…")
    for length in range(len(secret) - 1, SHORTEST_SECRET - 1, -1):
        if end.endswith(secret[:length]):
            return f"{end[:-length]}{HIDDEN}"
    return clean
