"""Decides what adding a model to a connection of LiteLLM would do, and what is sent for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from gateway.engine.fetch import Fetched
from probes.hubs.base import HubTrouble, Plan, find, malformed, unknown
from probes.hubs.litellm_documents import CONNECTED, NONE, Deployment, State, connections_of
from probes.hubs.reading import refused, said

LABEL: Final = "LiteLLM"
CHECKED: Final = ("1.106", "1.108")
KEY: Final = "LiteLLM's master key"
NO_DATABASE: Final = (
    "LiteLLM runs without a database, so it cannot be given models while it runs. Start it with DATABASE_URL and "
    "STORE_MODEL_IN_DB=True, or add the model to its config file."
)
NO_KEYS: Final = (
    "LiteLLM runs without a database, so it knows one key alone, and this is another. Store LiteLLM's master key as "
    "the endpoint's admin key."
)
NOT_STORED: Final = (
    "LiteLLM has a database but does not keep models there. Set STORE_MODEL_IN_DB=True (or store_model_in_db under "
    "general_settings) and restart it."
)


class Decided(Struct, frozen=True):
    """A plan, and what is sent for it; nothing for a model that is there."""

    plan: Plan
    body: Mapping[str, Any] = {}


def decide(state: State, deployments: tuple[Deployment, ...], connection: str, model: str) -> Decided:
    """What adding would do, with every reason why it would not be done."""
    if wrong := malformed(connection, model):
        return Decided(Plan(connection, model, refusals=tuple(wrong)))
    known = connections_of(deployments)
    if find(connection, known.values()) is None:
        refusals = [*database_problem(state), unknown(connection, known.values())]
        return Decided(Plan(connection, model, refusals=tuple(refusals)))
    present = next(
        (one for one in deployments if one.connection == connection and model in (one.served, one.upstream)), None
    )
    if present is not None:
        note = f"LiteLLM serves it already, as {present.served}; adding it again does nothing."
        return Decided(Plan(connection, model, present.served, notes=(note,), present=True))
    refusals = database_problem(state)
    other = next((one for one in deployments if one.served == model), None)
    if other is not None:
        refusals.append(
            f"LiteLLM serves a model {model} on {other.connection} already: it would send each call to one of the two."
        )
    if refusals:
        return Decided(Plan(connection, model, model, refusals=tuple(refusals)))
    sibling = choose_sibling(deployments, connection)
    plan = Plan(
        connection,
        model,
        model,
        steps=tuple(_steps(sibling, connection, model)),
        notes=_notes(state, deployments, sibling),
    )
    return Decided(plan, body_for(sibling, connection, model))


def database_problem(state: State) -> list[str]:
    """Why it cannot be given models, if so."""
    if state.database == CONNECTED:
        return []
    if state.database == NONE:
        return [NO_DATABASE]
    return [f"LiteLLM says its database is “{state.database[:60]}”: see to that first."]


def choose_sibling(deployments: tuple[Deployment, ...], connection: str) -> Deployment:
    """The deployment of the connection to copy: one with a stored credential before others, then one it keeps itself.
    There is one: the connection is known by it."""
    mine = [one for one in deployments if one.connection == connection]
    return min(mine, key=lambda one: (not one.credential, not one.stored, len(one.left_out)))


def body_for(sibling: Deployment, connection: str, model: str) -> dict[str, Any]:
    """What `/model/new` is sent. No key is in it."""
    upstream = f"{sibling.maker}/{model}" if sibling.maker else model
    return {
        "model_name": model,
        "litellm_params": {**sibling.copied, "model": upstream},
        "model_info": {"tags": [connection]},
    }


def trouble_of(reply: Fetched, what: str) -> HubTrouble:
    """A refusal as an instruction."""
    words = said(reply)
    message = ""
    if reply.status in (401, 403):
        message = f"LiteLLM would not {what} with this key. Store {KEY} as the endpoint's admin key."
    elif "No connected db" in words:
        message = NO_KEYS
    elif "STORE_MODEL_IN_DB" in words:
        message = NOT_STORED
    elif "No DB Connected" in words:
        message = NO_DATABASE
    return HubTrouble(message, upstream_status=reply.status) if message else refused(reply, what, LABEL)


def release_note(release: str) -> str:
    """Empty for a release that this was checked with."""
    if not release:
        return f"LiteLLM does not tell its release; this was checked with {' and '.join(CHECKED)}."
    if any(release == one or release.startswith(f"{one}.") for one in CHECKED):
        return ""
    return f"LiteLLM is release {release}; this was checked with {' and '.join(CHECKED)}."


def _steps(sibling: Deployment, connection: str, model: str) -> list[str]:
    copied = ", ".join(name for name in sibling.copied) or "nothing else"
    return [
        f"Tell LiteLLM of a new model {model}, labelled {connection}, copied from {sibling.served}: {copied}.",
        "Wait until LiteLLM lists it, at most 20 seconds.",
    ]


def _notes(state: State, deployments: tuple[Deployment, ...], sibling: Deployment) -> tuple[str, ...]:
    notes = [
        f"Its key will be LiteLLM's stored credential {sibling.credential}."
        if sibling.credential
        else "No entry of this connection has a stored credential: the key will be the environment variable that "
        "LiteLLM reads for this provider. A key written into the sibling's own entry is not copied."
    ]
    if sibling.left_out:
        notes.append(f"Not copied, because LiteLLM hides it or it carries a credential: {', '.join(sibling.left_out)}.")
    kept = sum(one.stored for one in deployments)
    notes.append(
        f"{kept} of its models {'is' if kept == 1 else 'are'} kept in its database."
        if kept
        else "None of its models comes from its database yet; whether it keeps any there shows only when one is added."
    )
    if note := release_note(state.release):
        notes.append(note)
    return tuple(notes)
