"""What LiteLLM's documents say: whether it has a database, and its deployments. Pure.

Values that it masks, and headers that carry a credential, are never read further than their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from collections_app.secret_headers import carries_credential
from gateway.canon.fault import Broken
from probes.hubs.base import HubConnection, masked
from probes.hubs.connections import connection_of, plain_name
from probes.hubs.reading import rows, table, text

CONNECTED: Final = "connected"
NONE: Final = "Not connected"
HEADERS: Final = ("extra_headers", "default_headers", "headers")
COPIED: Final = (
    "api_base",
    "base_url",
    "api_version",
    "custom_llm_provider",
    "litellm_credential_name",
    "organization",
    *HEADERS,
    "timeout",
    "stream_timeout",
    "max_retries",
)
"""What a new entry takes from a sibling on its connection. A key is not among them."""
UNKNOWN: Final = "unknown"


class State(Struct, frozen=True):
    """`database` as LiteLLM words it; empty when it does not tell."""

    database: str
    release: str = ""


class Deployment(Struct, frozen=True):
    """One entry: `served` is its name for callers, `upstream` the provider's id, `maker` the part before it that tells
    LiteLLM the protocol. `copied` may be sent again; `left_out` are names of values that may not."""

    served: str
    connection: str
    base: str
    maker: str
    upstream: str
    copied: Mapping[str, Any]
    left_out: tuple[str, ...] = ()
    credential: str = ""
    stored: bool = False


def read_state(document: object) -> State:
    """Raises Broken when it says nothing of a database."""
    said = table(document)
    database = said.get("db")
    if not isinstance(database, str):
        raise Broken("LiteLLM does not say whether it has a database")
    return State(database, text(said.get("litellm_version"))[:40])


def read_deployments(document: object) -> tuple[Deployment, ...]:
    """Raises Broken when it is no list of deployments."""
    said = table(document).get("data")
    if not isinstance(said, list):
        raise Broken("LiteLLM's list of models has no list under “data”")
    return tuple(_deployment(entry) for entry in rows(said) if text(entry.get("model_name")))


def connections_of(deployments: Iterable[Deployment]) -> dict[str, HubConnection]:
    """By name."""
    found: dict[str, HubConnection] = {}
    for one in deployments:
        seen = found.get(one.connection)
        models = (*(seen.models if seen else ()), one.served)
        base = (seen.base if seen else "") or one.base
        found[one.connection] = HubConnection(one.connection, one.connection, base, models=tuple(dict.fromkeys(models)))
    return found


def _deployment(entry: Mapping[str, Any]) -> Deployment:
    params, info = table(entry.get("litellm_params")), table(entry.get("model_info"))
    model, custom = text(params.get("model")), text(params.get("custom_llm_provider"))
    head, slash, rest = model.partition("/")
    prefixed = bool(slash) and (not custom or head == custom)
    maker = head if prefixed else ""
    base = text(params.get("api_base")) or text(params.get("base_url"))
    base = "" if masked(base) else base
    named = connection_of(base) or plain_name(custom or maker or text(info.get("litellm_provider"))) or UNKNOWN
    copied, left_out = _copy(params)
    return Deployment(
        served=text(entry.get("model_name")),
        connection=named,
        base=base.rstrip("/"),
        maker=maker,
        upstream=rest if prefixed else model,
        copied=copied,
        left_out=left_out,
        credential=text(copied.get("litellm_credential_name")),
        stored=info.get("db_model") is True,
    )


def _copy(params: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    copied, left_out = {}, []
    for field in COPIED:
        value = params.get(field)
        if value is None or value == "" or value == {}:
            continue
        if field in HEADERS and isinstance(value, dict):
            secret = [
                header for header in value if carries_credential(header, str(value[header])) or masked(value[header])
            ]
            left_out += [f"{field}.{name}" for name in secret]
            value = {name: said for name, said in value.items() if name not in secret}
            if not value:
                continue
        if masked(value):
            left_out.append(field)
        else:
            copied[field] = value
    return copied, tuple(left_out)
