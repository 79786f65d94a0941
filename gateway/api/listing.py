"""What `GET /v1/models` says: each collection as a model, once for every way it can answer, and every alias.

Pure: a Snapshot and a scope in, plain JSON values out. A caller sees only the collections that its key may call, and
nothing that would be refused as a way to answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from gateway.canon.names import read_collection
from gateway.engine.admission import SERVED_MODES
from gateway.engine.explorers import explorer_places
from gateway.engine.plan import find_alias
from gateway.engine.snapshot import Caller, CollectionView, ModelView, Snapshot

MODES = ("all", "merged", "route")
OWNER = "benchwarmers"
AXES = ("rpm", "rpd", "tpm", "tpd")
CAPABILITIES = ("tools", "vision", "structured_output", "reasoning")


class Together(Struct, frozen=True):
    """What the members can do together: the tightest of each. None where nothing is known."""

    context_window: int | None
    context_unknown: list[str]
    capabilities: list[str]
    connections: list[str]
    limits: dict[str, int | None]


class Entry(Struct, frozen=True):
    """One line of the listing. `id` is what to ask for, a full name or an alias; `created` is epoch seconds; `members`
    are the configured models."""

    id: str
    object: str
    created: int
    owned_by: str
    description: str
    tags: list[str]
    members: list[str]
    shape: str
    explorers: int
    reply: str
    merger: str
    together: Together


def list_entries(snapshot: Snapshot, caller: Caller) -> list[Entry]:
    """Every entry the caller may see: collections by name, each with its other modes, then aliases by name."""
    visible = sorted(name for name in snapshot.collections if caller.may_call(name))
    names = [name for bare in visible for name in _names_of(snapshot.collections[bare])]
    found = (find_entry(snapshot, caller, name) for name in [*names, *sorted(snapshot.aliases)])
    return [entry for entry in found if entry is not None]


def find_entry(snapshot: Snapshot, caller: Caller, model: str) -> Entry | None:
    """The entry that a model name means, or None when there is none that the caller may see or this server answers."""
    alias = find_alias(model, snapshot)
    name, mode = read_collection(model if alias is None else snapshot.aliases[alias])
    collection = snapshot.collections.get(name)
    if collection is None or not caller.may_call(name) or (mode or collection.reply) not in SERVED_MODES:
        return None
    full_name = f"{collection.full_name}:{mode}" if mode else collection.full_name
    return _entry(snapshot, collection, alias or full_name, mode or collection.reply)


def _names_of(collection: CollectionView) -> Iterator[str]:
    yield collection.full_name
    for mode in MODES:
        if mode != collection.reply:
            yield f"{collection.full_name}:{mode}"


def _entry(snapshot: Snapshot, collection: CollectionView, name: str, reply: str) -> Entry:
    explorers = snapshot.max_explorers if collection.max_explorers is None else collection.max_explorers
    return Entry(
        id=name,
        object="model",
        created=collection.created,
        owned_by=OWNER,
        description=collection.description,
        tags=list(collection.tags),
        members=list(collection.members),
        shape=collection.shape,
        explorers=explorer_places(len(collection.members), snapshot.max_calls, explorers),
        reply=reply,
        merger=collection.merger,
        together=together_of([snapshot.models[alias] for alias in collection.members if alias in snapshot.models]),
    )


def together_of(members: list[ModelView]) -> Together:
    """What these models can do together."""
    return Together(
        context_window=_least(model.context_window for model in members),
        context_unknown=[model.alias for model in members if model.context_window is None],
        capabilities=[
            name for name in CAPABILITIES if members and all(getattr(model, name) is True for model in members)
        ],
        connections=sorted({model.connection for model in members}),
        limits={axis: _least(model.limits.get(axis) for model in members) for axis in AXES},
    )


def _least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)
