"""CLI Proxy API: reads its providers and replaces one list of models, as `cliproxy_plan` decided.

Wrong management keys get an address banned, so a request is never sent twice, and none without a key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from probes.hubs.base import Added, Ask, HubTrouble, Overview, Plan, Sleep, Supports, Tagged, after, settled
from probes.hubs.cliproxy_plan import (
    CHECKED,
    LABEL,
    LIST,
    Provider,
    connections_of,
    decide,
    missing,
    read_providers,
    release_note,
    release_of,
    trouble_of,
)
from probes.hubs.connections import tag_of
from probes.hubs.reading import text

READ_S: Final = 15.0
WRITE_S: Final = 60.0
PATH: Final = f"/v0/management/{LIST}"


class CliProxy:
    """Its models are tagged here with their provider's name; it keeps neither tags nor logos."""

    supports = Supports(label=LABEL, checked=f"{CHECKED}.x", key="its management key", prefix=True)

    async def overview(self, ask: Ask) -> Overview:
        """Its OpenAI-compatible providers."""
        providers, release = await _providers(ask)
        note = release_note(release)
        return Overview(tuple(connections_of(providers).values()), release, notes=(note,) if note else ())

    async def plan(self, ask: Ask, connection: str, model: str) -> Plan:
        """What adding would do."""
        return decide(*await _providers(ask), connection, model).plan

    async def add(self, ask: Ask, plan: Plan, sleep: Sleep = asyncio.sleep) -> Added:
        """Replaces the provider's list and reads it back, which is all there is to wait for."""
        decided = decide(*await _providers(ask), plan.connection, plan.model)
        now = settled(plan, decided.plan)
        if now.present or decided.models is None:
            return Added(now.served, tag_of(now.connection), notes=now.notes)
        body = {"name": decided.provider, "value": {"models": [dict(entry) for entry in decided.models]}}
        reply = await ask("PATCH", PATH, body, wait_s=WRITE_S)
        if not reply.ok:
            raise trouble_of(reply, "take the list of models")
        done = [f"Sent {decided.provider} a list of {len(decided.models)} models, {now.model} among them."]
        with after(done):
            providers, _ = await _providers(ask)
        kept = next((one for one in providers if one.name == decided.provider), None)
        if lost := missing(decided.models, kept):
            raise HubTrouble(
                f"{LABEL} took the list and does not have all of it: {', '.join(lost[:5])} missing. "
                f"Look at the models of {decided.provider} in its config before you go on.",
                done=done,
            )
        done.append("Read the list back: all of it is there.")
        return Added(now.served, tag_of(now.connection), tuple(done), now.notes)

    async def tags(self, ask: Ask, listed: Mapping[str, Mapping[str, object]]) -> dict[str, Tagged]:
        """Of the models of its OpenAI-compatible providers; those of accounts it signs in to are not told."""
        providers, _ = await _providers(ask)
        known = connections_of(providers)
        found: dict[str, Tagged] = {}
        for one in providers:
            for entry in one.models:
                served = one.served(entry)
                if served in listed:
                    tag = tag_of(known[one.name].name)
                    found.setdefault(served, Tagged(tag, text(entry.get("name")) or served))
        return found


async def _providers(ask: Ask) -> tuple[tuple[Provider, ...], str]:
    reply = await ask("GET", PATH, wait_s=READ_S)
    if not reply.ok:
        raise trouble_of(reply, "show its providers")
    return read_providers(reply.json()), release_of(reply)
