"""From a model to how it is called: the protocol of its endpoint, its address, its headers and the facts its writer
needs."""

from __future__ import annotations

from msgspec import Struct

from collections_app.addresses import PRIVATE_KINDS
from gateway.canon.fault import NotSent, UpstreamFault
from gateway.canon.kinds import Api
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


class Upstream(Struct, frozen=True):
    """All that is needed to call one model, its secret in `headers` too: keep it out of records and logs."""

    wire: ClientWire
    base: str
    headers: dict[str, str]
    facts: Facts
    thinks_in_tags: bool = False
    secret: str = ""
    private: bool = False
    """Whether it may stand at a private address."""


def upstream_of(model: ModelView, secret: str) -> Upstream:
    """Raises NotSent when the model cannot be called as it is set up."""
    endpoint = model.endpoint
    wire = CLIENTS.get(PROTOCOLS.get(endpoint.api, ""))
    if wire is None:
        raise NotSent(f"this server does not speak the {endpoint.api!r} protocol of endpoint {endpoint.name}")
    headers = {
        "content-type": "application/json",
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "user-agent": USER_AGENT,
        **{name.lower(): value for name, value in endpoint.headers.items()},
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
    return Upstream(wire, endpoint.base, headers, apply_quirks(facts, quirks), tags, secret, private)


def hide_secret(fault: UpstreamFault, upstream: Upstream) -> None:
    """Takes our own key out of what a provider said: some repeat the key that they refuse."""
    hide(fault, upstream.secret)


def hide(fault: UpstreamFault, secret: str) -> None:
    """Takes this key out of what a provider said."""
    if len(secret) >= SHORTEST_SECRET:
        fault.message, fault.body = (text.replace(secret, HIDDEN) for text in (fault.message, fault.body))
        fault.args = (fault.message,)
