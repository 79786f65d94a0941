"""LiteLLM: fetches its documents and sends what `litellm_plan` decided."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from gateway.canon.fault import Broken
from gateway.engine.fetch import Fetched
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
from probes.hubs.connections import tag_of
from probes.hubs.litellm_documents import Deployment, State, connections_of, read_deployments, read_state
from probes.hubs.litellm_plan import CHECKED, KEY, LABEL, database_problem, decide, release_note, trouble_of
from probes.hubs.reading import table, text

READ_S: Final = 15.0
WRITE_S: Final = 60.0
READINESS: Final = "/health/readiness"


class LiteLLM:
    """It has no records of models beside the entries, so no logos; tags are labels of its own entries."""

    supports = Supports(label=LABEL, checked=" and ".join(f"{one}.x" for one in CHECKED), key=KEY, own_key=True)

    async def overview(self, ask: Ask) -> Overview:
        """Its connections, as its deployments have them."""
        state, deployments = await _state(ask), await _deployments(ask)
        note = release_note(state.release)
        return Overview(
            tuple(connections_of(deployments).values()),
            state.release,
            notes=(note,) if note else (),
            troubles=tuple(database_problem(state)),
        )

    async def plan(self, ask: Ask, connection: str, model: str) -> Plan:
        """What adding would do."""
        return decide(await _state(ask), await _deployments(ask), connection, model).plan

    async def add(self, ask: Ask, plan: Plan, sleep: Sleep = asyncio.sleep) -> Added:
        """Sends the new entry and waits until it is listed. Nothing for one that is there."""
        decided = decide(await _state(ask), await _deployments(ask), plan.connection, plan.model)
        now = settled(plan, decided.plan)
        if now.present:
            return Added(now.served, now.connection, notes=now.notes)
        reply = await ask("POST", "/model/new", decided.body, wait_s=WRITE_S)
        if not reply.ok:
            raise trouble_of(reply, "take the model")
        # The rest of the reply may hold encrypted keys.
        number = _number(reply)
        done = [f"LiteLLM took {now.served}{f' as entry {number}' if number else ''}."]

        async def listed() -> list[str]:
            return [one.served for one in await _deployments(ask)]

        with after(done):
            if not await wait_listed(listed, now.served, sleep):
                told = f"LiteLLM took {now.served} and does not list it yet: its log says why."
                raise HubTrouble(told, done=done)
        return Added(now.served, now.connection, tuple(done), now.notes)

    async def tags(self, ask: Ask, listed: Mapping[str, Mapping[str, object]]) -> dict[str, Tagged]:
        """Of names whose deployments are all on one connection; the others have no one connection to name."""
        found: dict[str, Tagged] = {}
        split: set[str] = set()
        for one in await _deployments(ask):
            tagged = Tagged(tag_of(one.connection), one.upstream or one.served)
            if found.setdefault(one.served, tagged).tag != tagged.tag:
                split.add(one.served)
        return {served: tagged for served, tagged in found.items() if served in listed and served not in split}


async def _state(ask: Ask) -> State:
    """From the details, on older releases from the short form. A hub whose database is down says so with a 503."""
    reply = await ask("GET", f"{READINESS}/details", wait_s=READ_S)
    if reply.status == 404:
        reply = await ask("GET", READINESS, wait_s=READ_S)
    return read_state(_expect(reply, "tell how it is", also=(503,)).json())


async def _deployments(ask: Ask) -> tuple[Deployment, ...]:
    return read_deployments(_expect(await ask("GET", "/model/info", wait_s=READ_S), "list its models").json())


def _number(reply: Fetched) -> str:
    """Of the new entry; empty where the reply does not tell."""
    try:
        return text(table(reply.json()).get("model_id"))[:80]
    except Broken:
        return ""


def _expect(reply: Fetched, what: str, also: tuple[int, ...] = ()) -> Fetched:
    if not reply.ok and reply.status not in also:
        raise trouble_of(reply, what)
    return reply
