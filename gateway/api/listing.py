"""What `GET /v1/models` says: each collection as a model, once for every way it can answer.

Pure: a Snapshot and a scope in, plain JSON values out. A caller sees only the collections that its key may call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from gateway.canon.names import read_collection
from gateway.engine.explorers import explorer_places
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
    """One line of the listing. `created` is epoch seconds; `members` are the configured aliases."""

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
    """Every entry the caller may see, collections by name."""
    visible = sorted(name for name in snapshot.collections if caller.may_call(name))
    return [entry for name in visible for entry in _entries_of(snapshot, snapshot.collections[name])]


def find_entry(snapshot: Snapshot, caller: Caller, model: str) -> Entry | None:
    """The entry that a model name means, or None when there is none that the caller may see."""
    name, mode = read_collection(model)
    collection = snapshot.collections.get(name)
    if collection is None or not caller.may_call(name):
        return None
    entry = _entry(snapshot, collection)
    return entry if mode is None else _in_mode(entry, mode)


def _entries_of(snapshot: Snapshot, collection: CollectionView) -> Iterator[Entry]:
    entry = _entry(snapshot, collection)
    yield entry
    for mode in MODES:
        if mode != collection.reply:
            yield _in_mode(entry, mode)


def _in_mode(entry: Entry, mode: str) -> Entry:
    return structs.replace(entry, id=f"{entry.id}:{mode}", reply=mode)


def _entry(snapshot: Snapshot, collection: CollectionView) -> Entry:
    explorers = snapshot.max_explorers if collection.max_explorers is None else collection.max_explorers
    return Entry(
        id=collection.full_name,
        object="model",
        created=collection.created,
        owned_by=OWNER,
        description=collection.description,
        tags=list(collection.tags),
        members=list(collection.members),
        shape=collection.shape,
        explorers=explorer_places(len(collection.members), snapshot.max_calls, explorers),
        reply=collection.reply,
        merger=collection.merger,
        together=_together([snapshot.models[alias] for alias in collection.members if alias in snapshot.models]),
    )


def _together(members: list[ModelView]) -> Together:
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
