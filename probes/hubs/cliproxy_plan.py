"""Reads the providers of a CLI Proxy API and decides what adding a model would do. Pure.

The document holds the providers' keys. Only names, addresses and models are read from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from gateway.canon.fault import Broken
from gateway.engine.fetch import Fetched
from probes.hubs.base import HubConnection, HubTrouble, Plan, find, malformed, unknown
from probes.hubs.connections import connection_of, plain_name
from probes.hubs.reading import refused, rows, said, text

LABEL: Final = "CLI Proxy API"
CHECKED: Final = "8.0"
LIST: Final = "openai-compatibility"
BAN: Final = "After five wrong keys it shuts this server out for 30 minutes, so it is not asked again."


class Provider(Struct, frozen=True):
    """`models` are its entries whole, as they go back."""

    name: str
    prefix: str = ""
    base: str = ""
    disabled: bool = False
    models: tuple[Mapping[str, Any], ...] = ()

    def served(self, entry: Mapping[str, Any]) -> str:
        """What callers ask for to get this model."""
        alias = text(entry.get("alias")) or text(entry.get("name"))
        return f"{self.prefix}/{alias}" if self.prefix else alias


class Decided(Struct, frozen=True):
    """A plan, and the provider's list of models after it; None for a model that is there."""

    plan: Plan
    provider: str = ""
    models: tuple[Mapping[str, Any], ...] | None = None


def read_providers(document: object) -> tuple[Provider, ...]:
    """Raises Broken when it is no list of providers. A null list is an empty one."""
    if not isinstance(document, dict) or not isinstance(document.get(LIST), list | None):
        raise Broken(f"CLI Proxy API's reply has no list under “{LIST}”")
    return tuple(
        Provider(
            name=text(row.get("name")),
            prefix=text(row.get("prefix")).strip("/"),
            base=text(row.get("base-url")).rstrip("/"),
            disabled=row.get("disabled") is True,
            models=tuple(rows(row.get("models"))),
        )
        for row in rows(document.get(LIST))
        if text(row.get("name"))
    )


def connections_of(providers: tuple[Provider, ...]) -> dict[str, HubConnection]:
    """By the provider's own name, which is what its models are tagged with."""
    shared = Counter(plain_name(one.name) for one in providers)
    found = {}
    for index, one in enumerate(providers):
        name = plain_name(one.name) or connection_of(one.base) or f"provider-{index}"
        found[one.name] = HubConnection(
            id=name if shared[name] <= 1 else f"{name}-{index}",
            name=name,
            base=one.base,
            prefix=one.prefix,
            models=tuple(one.served(entry) for entry in one.models),
            why_not="It is switched off in CLI Proxy API." if one.disabled else "",
        )
    return found


def decide(providers: tuple[Provider, ...], release: str, connection: str, model: str) -> Decided:
    """What adding would do, with every reason why it would not be done."""
    if wrong := malformed(connection, model):
        return Decided(Plan(connection, model, refusals=tuple(wrong)))
    known = connections_of(providers)
    chosen = find(connection, known.values())
    if chosen is None:
        return Decided(Plan(connection, model, refusals=(unknown(connection, known.values()),)))
    own = next(one for one in providers if known[one.name] is chosen)
    served = own.served({"alias": model})
    present = next(
        (entry for entry in own.models if model in (text(entry.get("alias")), text(entry.get("name")))), None
    )
    if present is not None and not own.disabled:
        served = own.served(present)
        note = f"{LABEL} serves it already, as {served}; adding it again does nothing."
        return Decided(Plan(connection, model, served, notes=(note,), present=True))
    refusals = [chosen.why_not] if chosen.why_not else []
    for other in providers:
        if other is not own and served in map(other.served, other.models):
            refusals.append(
                f"{LABEL} serves {served} from {known[other.name].id} already. Give {connection} a prefix there first."
            )
    if refusals:
        return Decided(Plan(connection, model, served, refusals=tuple(refusals)))
    steps = (
        f"Add {model} to the models of the provider {own.name} in {LABEL}; its {len(own.models)} others stay.",
        "Read the list back and see that all of it is there.",
    )
    notes = tuple(filter(None, (release_note(release),)))
    entry = {"name": model, "alias": model}
    return Decided(Plan(connection, model, served, steps=steps, notes=notes), own.name, (*own.models, entry))


def missing(sent: tuple[Mapping[str, Any], ...], provider: Provider | None) -> list[str]:
    """Names of models that were sent and are not there."""
    there = {(text(entry.get("name")), text(entry.get("alias"))) for entry in provider.models} if provider else set()
    return [
        text(entry.get("name")) for entry in sent if (text(entry.get("name")), text(entry.get("alias"))) not in there
    ]


def trouble_of(reply: Fetched, what: str) -> HubTrouble:
    """A refusal as an instruction."""
    words = said(reply)
    if reply.status == 401:
        message = f"{LABEL} refused the management key. {BAN} Store the right one as the endpoint's admin key."
    elif reply.status == 403 and "remote management disabled" in words.lower():
        message = f"{LABEL} takes no management from other machines: set remote-management.allow-remote there."
    elif reply.status == 403:
        message = f"{LABEL} shuts this server out{f': {words}' if words else ''}. Check the key, and wait half an hour."
    elif reply.status == 404 and "item not found" in words.lower():
        message = f"The provider left {LABEL} meanwhile; nothing was changed."
    elif reply.status == 404:
        message = f"{LABEL} has its management switched off: set remote-management.secret-key in its config."
    else:
        return refused(reply, what, LABEL)
    return HubTrouble(message, upstream_status=reply.status)


def release_note(release: str) -> str:
    """Empty for a release that this was checked with."""
    if not release:
        return f"{LABEL} does not tell its release; this was checked with {CHECKED}."
    bare = release.removeprefix("v")
    same = bare == CHECKED or bare.startswith(f"{CHECKED}.")
    return "" if same else f"{LABEL} is release {release}; this was checked with {CHECKED}."


def release_of(reply: Fetched) -> str:
    """As its header has it."""
    return reply.headers.get("x-cpa-version", "")[:40]
