"""Adds a model through a hub and has it onboarded."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from msgspec import Struct

from collections_app.actions.hub import note_hub_add, require_hub
from collections_app.models import Endpoint
from probes.hubs import known
from probes.hubs.base import Added, HubTrouble, Plan
from probes.jobs.store import enqueue
from probes.models import Job

ONBOARD: Final = "onboard"


class Onboarding(Struct, frozen=True):
    """What the hub did; `job` is None when the model is being onboarded already."""

    added: Added
    job: Job | None


def add_and_onboard(
    endpoint: Endpoint, plan: Plan, *, actor: User | None, now: datetime, hubs: known.Hubs = known
) -> Onboarding:
    """Add, note it, and queue the onboarding of what the hub serves it as. Blocks for as long as the hub takes.

    Raises NotAllowed, or UpstreamFault; steps that were taken before a HubTrouble are noted too.
    """
    require_hub(actor)
    try:
        added = hubs.add(endpoint, plan)
    except HubTrouble as trouble:
        if trouble.done:
            _note(actor, endpoint, plan, plan.served or plan.model, trouble.done, trouble.message)
        raise
    if added.steps:
        _note(actor, endpoint, plan, added.served, added.steps)
    job = enqueue(
        ONBOARD,
        f"{endpoint.name}:{added.served}",
        now=now,
        payload={"endpoint": endpoint.name, "served": added.served, "mode": "full"},
        lane=added.tag.split("/", 1)[0] or endpoint.name,
        actor=actor,
    )
    return Onboarding(added, job)


def _note(
    actor: User | None, endpoint: Endpoint, plan: Plan, served: str, steps: tuple[str, ...], trouble: str = ""
) -> None:
    note_hub_add(actor, endpoint, served, connection=plan.connection, model=plan.model, steps=steps, trouble=trouble)
