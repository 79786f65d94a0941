"""What Open WebUI's documents say: its models, its connections, its records of models. Pure.

The config holds the providers' keys in plain. They stay in `raw`, which goes back whole and is never shown; connections
are named by their addresses alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from gateway.canon.fault import Broken
from probes.hubs.base import HubConnection, masked
from probes.hubs.connections import LOCAL, connection_of, tag_of
from probes.hubs.reading import rows, strings, table, text


class Model(Struct, frozen=True):
    """A model it lists. `index` is its connection's, None for models of none (local servers, pipes)."""

    id: str
    index: int | None = None
    local: bool = False
    tags: tuple[str, ...] = ()
    owner: str = ""
    upstream_id: str = ""


class Connection(Struct, frozen=True):
    """A connection of the config. An empty `model_ids` lists all that the provider lists. `place` is its key in the
    config's table, empty when it has no entry there."""

    index: int
    base: str
    place: str = ""
    prefix: str = ""
    model_ids: tuple[str, ...] = ()
    enabled: bool = True


class Config(Struct, frozen=True):
    """`hidden` when a key in it was masked on the way, so that sending it back would destroy it."""

    connections: tuple[Connection, ...]
    raw: Mapping[str, Any]
    enabled: bool = True
    hidden: bool = False


class Record(Struct, frozen=True):
    """What Open WebUI keeps of a model beside listing it."""

    id: str
    tags: tuple[str, ...]
    meta: Mapping[str, Any]
    raw: Mapping[str, Any]


def read_models(document: object) -> tuple[Model, ...]:
    """Raises Broken when it is no listing."""
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise Broken("Open WebUI's list of models has no list under “data”")
    return tuple(read_model(entry) for entry in rows(document["data"]) if text(entry.get("id")))


def read_model(entry: Mapping[str, Any]) -> Model:
    """One entry of the listing."""
    index = entry.get("urlIdx")
    upstream = table(entry.get("openai"))
    return Model(
        id=text(entry.get("id")),
        index=index if type(index) is int else None,
        local=entry.get("connection_type") == LOCAL or entry.get("owned_by") == "ollama",
        tags=_tags(entry),
        owner=text(upstream.get("owned_by")),
        upstream_id=text(table(upstream.get("openai")).get("id")),
    )


def read_config(document: object) -> Config:
    """Raises Broken when it is no config."""
    raw = table(document)
    bases, configs = raw.get("OPENAI_API_BASE_URLS"), raw.get("OPENAI_API_CONFIGS")
    if not isinstance(bases, list) or not isinstance(configs, dict) or not isinstance(raw.get("OPENAI_API_KEYS"), list):
        raise Broken("Open WebUI's connections have another form than release 0.12 gives them")
    read = tuple(_connection(index, text(base), configs) for index, base in enumerate(bases))
    hidden = masked(raw["OPENAI_API_KEYS"]) or any(map(_hides, configs.values()))
    return Config(read, raw, enabled=raw.get("ENABLE_OPENAI_API") is not False, hidden=hidden)


def read_records(document: object) -> dict[str, Record]:
    """By model id. Raises Broken when it is no list."""
    if not isinstance(document, list):
        raise Broken("Open WebUI's records of models are no list")
    found = (
        Record(text(row.get("id")), _tags(table(row.get("meta"))), table(row.get("meta")), row)
        for row in rows(document)
    )
    return {record.id: record for record in found if record.id}


def names_of(config: Config | None, models: Iterable[Model], on_bench: Mapping[str, str]) -> dict[int, str]:
    """What each connection is called, by its index: by its address, and where that is not to be had, as most of its
    models are tagged, here (`on_bench`, served id to tag) or there."""
    names = {one.index: connection_of(one.base) for one in config.connections} if config else {}
    votes: dict[int, Counter[str]] = {}
    for model in models:
        tags = [on_bench[model.id]] if on_bench.get(model.id) else list(model.tags)
        if model.index is not None and tags:
            votes.setdefault(model.index, Counter()).update(tag.split("/", 1)[0] for tag in tags)
    for index, counted in votes.items():
        if not names.get(index):
            names[index] = counted.most_common(1)[0][0]
    return {index: name for index, name in names.items() if name}


def connections_of(config: Config, models: Iterable[Model], names: Mapping[int, str]) -> dict[int, HubConnection]:
    """All connections by index, those too that models still come from and the config no longer has."""
    models = list(models)
    known = {one.index: one for one in config.connections}
    places = sorted({*known, *(model.index for model in models if model.index is not None and model.index in names)})
    shared = Counter(names.get(index, "") for index in places)
    found = {}
    for index in places:
        one, name = known.get(index), names.get(index) or f"connection-{index}"
        found[index] = HubConnection(
            id=name if shared[name] <= 1 else f"{name}-{index}",
            name=name,
            base=one.base if one else "",
            prefix=one.prefix if one else "",
            models=tuple(model.id for model in models if model.index == index),
            why_not=_why_not(config, one),
        )
    return found


def tag_of_model(model: Model, names: Mapping[int, str]) -> str:
    """Where it comes from, as far as can be told."""
    name = names.get(model.index, "") if model.index is not None else ""
    if not name and model.local:
        name = LOCAL
    if not name:
        return model.tags[0] if model.tags else ""
    return tag_of(name, model.owner)


def bare_id(model: Model, config: Config | None) -> str:
    """Its id at the provider: as recorded, else without its connection's prefix; never guessed from a dot."""
    if model.upstream_id:
        return model.upstream_id
    prefix = next((one.prefix for one in config.connections if one.index == model.index), "") if config else ""
    return model.id.removeprefix(f"{prefix}.") if prefix else model.id


def _connection(index: int, base: str, configs: Mapping[str, Any]) -> Connection:
    place = next((key for key in (str(index), base) if key in configs), "")
    said = table(configs.get(place)) if place else {}
    return Connection(
        index=index,
        base=base.rstrip("/"),
        place=place,
        prefix=text(said.get("prefix_id")),
        model_ids=strings(said.get("model_ids")),
        enabled=said.get("enable") is not False,
    )


def _hides(config: object) -> bool:
    """A key among a connection's own fields that was masked. Other fields may have a star."""
    return any(masked(value) for name, value in table(config).items() if "key" in name.lower() or name == "headers")


def _why_not(config: Config, one: Connection | None) -> str:
    if one is None:
        return "Open WebUI's settings no longer have this connection, though it still lists models of it."
    if not config.enabled:
        return "Connections to OpenAI-compatible APIs are switched off in Open WebUI."
    return "" if one.enabled else "It is switched off in Open WebUI."


def _tags(entry: Mapping[str, Any]) -> tuple[str, ...]:
    tags = entry.get("tags")
    named = tuple(text(tag.get("name")) for tag in rows(tags))
    return tuple(name for name in (*named, *strings(tags)) if name)
