"""Open WebUI: fetches its documents and writes what `openwebui_plan` decided."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from gateway.canon.fault import Broken, UpstreamFault
from gateway.engine.fetch import Fetched
from gateway.engine.upstreams import hide
from probes.hubs.base import (
    Added,
    Ask,
    HubTrouble,
    Overview,
    Plan,
    Sleep,
    Supports,
    Tagged,
    after,
    settled,
    wait_listed,
)
from probes.hubs.openwebui_documents import (
    Config,
    bare_id,
    connections_of,
    names_of,
    read_config,
    read_model,
    read_models,
    read_records,
    tag_of_model,
)
from probes.hubs.openwebui_plan import CHECKED, Decided, Found, by_hand, config_with, decide, record_for, release_note
from probes.hubs.reading import refused, strings, table, text

LABEL: Final = "Open WebUI"
WAIT_S: Final = 60.0
CONFIG: Final = "/openai/config"
RECORDS: Final = "/api/v1/models/base"
MODELS: Final = "/api/models"
_DENIED: Final = frozenset({401, 403})


class OpenWebUI:
    """`on_bench` are the tags of models that are registered here, by served id: they name connections whose address
    is not to be had."""

    supports = Supports(
        label=LABEL,
        checked=f"{CHECKED}.x",
        key="an API key of one of its administrators",
        tags=True,
        logo=True,
        prefix=True,
        own_key=True,
    )

    def __init__(self, on_bench: Mapping[str, str] | None = None) -> None:
        self._on_bench = dict(on_bench or {})

    async def overview(self, ask: Ask) -> Overview:
        """Its connections, in the order of its settings."""
        release = await _release(ask)
        config = read_config(await _document(ask, CONFIG, "show its connections"))
        models = read_models(await _document(ask, MODELS, "list its models"))
        found = connections_of(config, models, names_of(config, models, self._on_bench))
        note = release_note(release)
        return Overview(tuple(found.values()), release, notes=(note,) if note else ())

    async def plan(self, ask: Ask, connection: str, model: str) -> Plan:
        """What adding would do."""
        return decide(await self._read(ask), connection, model).plan

    async def add(self, ask: Ask, plan: Plan, sleep: Sleep = asyncio.sleep) -> Added:
        """Writes the list, then the record, then waits until it is listed."""
        found = await self._read(ask)
        decided = decide(found, plan.connection, plan.model)
        now = settled(plan, decided.plan)
        if now.present:
            return Added(now.served, decided.tag, notes=(f"{LABEL} had it already; nothing was written.",))
        done: list[str] = []
        if decided.listed_in is not None:
            body = config_with(found.config, decided.listed_in, now.model)
            try:
                _expect(await ask("POST", f"{CONFIG}/update", body, wait_s=WAIT_S), "take a longer list of models")
            except UpstreamFault as fault:
                hide(fault, *strings(body["OPENAI_API_KEYS"]))  # a refusal may repeat what it refuses
                raise
            done.append(f"Added {now.model} to the list of models of {decided.tag}.")
        await self._write_record(ask, decided, done)

        async def listed() -> list[str]:
            return [model.id for model in read_models(await _document(ask, MODELS, "list its models"))]

        with after(done):
            if not await wait_listed(listed, now.served, sleep):
                raise HubTrouble(
                    f"{LABEL} took {now.served} and does not list it yet. Look there whether the connection works.",
                    done=done,
                )
        return Added(now.served, decided.tag, tuple(done), now.notes)

    async def tags(self, ask: Ask, listed: Mapping[str, Mapping[str, object]]) -> dict[str, Tagged]:
        """By index; a key that may not see the connections leaves what the models' tags tell."""
        reply = await ask("GET", CONFIG, wait_s=WAIT_S)
        config: Config | None = None
        if reply.status not in _DENIED:
            config = read_config(_expect(reply, "show its connections").json())
        models = {served: read_model(table(entry)) for served, entry in listed.items()}
        names = names_of(config, models.values(), self._on_bench)
        found = {}
        for served, model in models.items():
            if tag := tag_of_model(model, names):
                found[served] = Tagged(tag, bare_id(model, config) or served)
        return found

    async def _read(self, ask: Ask) -> Found:
        return Found(
            config=read_config(await _document(ask, CONFIG, "show its connections")),
            models=read_models(await _document(ask, MODELS, "list its models")),
            records=read_records(await _document(ask, RECORDS, "show its records of models")),
            release=await _release(ask),
            on_bench=self._on_bench,
        )

    async def _write_record(self, ask: Ask, decided: Decided, done: list[str]) -> None:
        """Decided on the record as it is after the list was written."""
        served = decided.plan.served
        try:
            present = read_records(await _document(ask, RECORDS, "show its records of models")).get(served)
            path = "/api/v1/models/model/update" if present else "/api/v1/models/create"
            body = record_for(served, decided.tag, present, decided.sibling)
            _expect(await ask("POST", path, body, wait_s=WAIT_S), f"write the record of {served}")
        except UpstreamFault as fault:
            if not done:
                raise
            raise HubTrouble(
                f"{' '.join(done)} Then: {fault.message} {by_hand(served, decided.tag)}", done=done
            ) from None
        done.append(f"{'Completed' if present else 'Created'} the record of {served}, tagged {decided.tag}.")


async def _release(ask: Ask) -> str:
    """Empty when it does not tell."""
    try:
        reply = await ask("GET", "/api/version", wait_s=WAIT_S)
        return text(table(reply.json()).get("version"))[:40] if reply.ok else ""
    except UpstreamFault:
        return ""


async def _document(ask: Ask, path: str, what: str) -> Any:
    return _expect(await ask("GET", path, wait_s=WAIT_S), what).json()


def _expect(reply: Fetched, what: str) -> Fetched:
    if reply.status in _DENIED:
        raise HubTrouble(
            f"{LABEL} would not {what} with this key. Store {OpenWebUI.supports.key} as the endpoint's admin key.",
            upstream_status=reply.status,
        )
    if not reply.ok:
        raise refused(reply, what, LABEL)
    if not reply.body:
        raise Broken(f"{LABEL} replied with nothing", upstream_status=reply.status)
    return reply
