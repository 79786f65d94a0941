"""Decides what adding a model to a connection of Open WebUI would do, and what is written for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from msgspec import Struct

from probes.hubs.base import Plan, find, malformed, unknown
from probes.hubs.openwebui_documents import (
    Config,
    Connection,
    Model,
    Record,
    connections_of,
    names_of,
)
from probes.hubs.reading import rows, table, text

PUBLIC: Final = {"principal_type": "user", "principal_id": "*", "permission": "read"}
COPIED: Final = {
    "profile_image_url": "logo",
    "capabilities": "capability switches",
    "defaultFeatureIds": "default features",
}
"""What a record takes from a sibling's where it has none, and what that is called."""
CHECKED: Final = "0.12"


class Found(Struct, frozen=True):
    """All that was read. `on_bench` are the tags of models registered here, by served id."""

    config: Config
    models: tuple[Model, ...]
    records: Mapping[str, Record]
    release: str = ""
    on_bench: Mapping[str, str] = {}

    def names(self) -> dict[int, str]:
        return names_of(self.config, self.models, self.on_bench)


class Decided(Struct, frozen=True):
    """A plan, and what its steps write: `listed_in` is the connection whose list gets the id, None for none."""

    plan: Plan
    tag: str = ""
    listed_in: Connection | None = None
    sibling: Record | None = None


def decide(found: Found, connection: str, model: str) -> Decided:
    """What adding would do, with every reason why it would not be done."""
    if wrong := malformed(connection, model):
        return Decided(Plan(connection, model, refusals=tuple(wrong)))
    by_index = connections_of(found.config, found.models, found.names())
    chosen = find(connection, by_index.values())
    if chosen is None:
        return Decided(Plan(connection, model, refusals=(unknown(connection, by_index.values()),)))
    index = next(place for place, one in by_index.items() if one is chosen)
    served = f"{chosen.prefix}.{model}" if chosen.prefix else model
    refusals = [chosen.why_not] if chosen.why_not else []
    if found.config.hidden:
        refusals.append(
            "Open WebUI hides the providers' keys in its settings. Sending them back would destroy them, "
            "so nothing is written: add the model there by hand."
        )
    there = next((one for one in found.models if one.id == served), None)
    if there is not None and there.index != index:
        home = by_index.get(there.index) if there.index is not None else None
        held = home.id if home else "another connection"
        refusals.append(f"Open WebUI serves {served} from {held} already. Give {connection} a prefix there first.")
    own = next((one for one in found.config.connections if one.index == index), None)
    appended = own is not None and bool(own.model_ids) and model not in own.model_ids
    if own is not None and not own.model_ids and there is None and not refusals:
        refusals.append(
            f"{connection} lists whatever its provider lists, and {model} is not among that now. "
            "Check the id, or give the connection a list of models in Open WebUI."
        )
    if refusals:
        return Decided(Plan(connection, model, served, refusals=tuple(refusals)))
    sibling = choose_sibling(found, index, served)
    plan = Plan(
        connection,
        model,
        served,
        steps=tuple(_steps(found, chosen.name, model, served, appended, sibling)),
        notes=tuple(_notes(found, connection, own, served, sibling)),
        present=there is not None and _complete(found.records.get(served), chosen.name),
    )
    return Decided(plan, chosen.name, own if appended else None, sibling)


def choose_sibling(found: Found, index: int, served: str) -> Record | None:
    """A model of the same connection whose record has something to copy; one of the same maker before others."""
    mine = {model.id for model in found.models if model.index == index} - {served}
    able = [found.records[key] for key in sorted(mine & set(found.records)) if _copied(found.records[key].meta)]
    maker = _maker(served)
    return next((one for one in able if _maker(one.id) == maker), able[0] if able else None)


def config_with(config: Config, own: Connection, model: str) -> dict[str, Any]:
    """The whole config as it was read, with one id more on one list."""
    raw = deepcopy(dict(config.raw))
    entry = raw["OPENAI_API_CONFIGS"][own.place]
    entry["model_ids"] = [*entry["model_ids"], model]
    return raw


def record_for(served: str, tag: str, present: Record | None, sibling: Record | None) -> dict[str, Any]:
    """The record to write: what is there stays, the rest comes from the sibling; everybody may read it."""
    raw, meta = (present.raw, dict(present.meta)) if present else ({}, {})
    for name in COPIED:
        if not meta.get(name) and sibling is not None and sibling.meta.get(name):
            meta[name] = deepcopy(sibling.meta[name])
    if not present or tag not in present.tags:
        meta["tags"] = [*(meta.get("tags") or []), {"name": tag}]
    grants = [
        {key: text(grant.get(key)) for key in PUBLIC}
        for grant in rows(raw.get("access_grants"))
        if all(text(grant.get(key)) for key in PUBLIC)
    ]
    return {
        "id": served,
        "name": text(raw.get("name")) or served,
        "base_model_id": raw.get("base_model_id"),
        "meta": meta,
        "params": dict(table(raw.get("params"))),
        "access_grants": grants if PUBLIC in grants else [*grants, dict(PUBLIC)],
        "is_active": True,
    }


def by_hand(served: str, tag: str) -> str:
    """How to finish what a failed write of the record leaves."""
    return (
        f"Finish it by hand: in Open WebUI, under Admin Panel, Settings, Models, open {served}, "
        f"make it public and tag it {tag}."
    )


def _complete(record: Record | None, tag: str) -> bool:
    if record is None or tag not in record.tags or record.raw.get("is_active") is False:
        return False
    grants = rows(record.raw.get("access_grants"))
    return any(all(grant.get(key) == value for key, value in PUBLIC.items()) for grant in grants)


def _copied(meta: Mapping[str, Any]) -> list[str]:
    return [name for name in COPIED if meta.get(name)]


def _maker(served: str) -> str:
    return served.rsplit("/", 1)[0] if "/" in served else ""


def _steps(found: Found, tag: str, model: str, served: str, appended: bool, sibling: Record | None) -> list[str]:
    record = found.records.get(served)
    if served in {one.id for one in found.models} and _complete(record, tag):
        return []
    steps = [f"Add {model} to the list of models of {tag} in Open WebUI."] if appended else []
    does = "Complete" if record else "Create"
    steps.append(f"{does} the model's record {served}: everybody may use it, tagged {tag}.")
    missing = [name for name in _copied(sibling.meta) if not (record and record.meta.get(name))] if sibling else []
    if sibling and missing:
        steps.append(f"Copy {', '.join(COPIED[name] for name in missing)} from {sibling.id}.")
    steps.append("Wait until Open WebUI lists it, at most 20 seconds.")
    return steps


def _notes(found: Found, connection: str, own: Connection | None, served: str, sibling: Record | None) -> list[str]:
    notes = []
    if own is not None and not own.model_ids:
        notes.append(f"{connection} has no list of models: it serves all that its provider lists.")
    if served in found.records:
        notes.append("Open WebUI has a record of this model; what it says stays.")
    if sibling is None:
        notes.append("No other model of this connection has a record to copy logo and switches from.")
    if note := release_note(found.release):
        notes.append(note)
    return notes


def release_note(release: str) -> str:
    """Empty for a release that this was checked with."""
    if not release:
        return f"Open WebUI does not tell its release; this was checked with {CHECKED}."
    same = release == CHECKED or release.startswith(f"{CHECKED}.")
    return "" if same else f"Open WebUI is release {release}; this was checked with {CHECKED}."
