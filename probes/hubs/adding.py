"""Adds a model through a hub and has it onboarded."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from msgspec import Struct

from collections_app.actions.hub import note_hub_add, require_hub
from collections_app.models import Endpoint
from collections_app.refusal import Refused
from probes.hubs import known
from probes.hubs.base import Added, HubTrouble, Plan
from probes.models import Job
from probes.onboarding.items import Item
from probes.onboarding.listings import Lister, forget_listings
from probes.onboarding.queue import do_onboard


class Onboarding(Struct, frozen=True):
    """What the hub did; `job` takes the model on. None when that was refused, with `why`: the hub has it anyway."""

    added: Added
    job: Job | None
    why: str = ""


def add_and_onboard(
    endpoint: Endpoint,
    plan: Plan,
    *,
    actor: User | None,
    now: datetime,
    hubs: known.Hubs = known,
    lister: Lister | None = None,
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
        forget_listings([endpoint])  # what was listed before does not have it
    try:
        (job,) = do_onboard(actor=actor, items=[Item(endpoint.name, added.served)], now=now, lister=lister)
    except Refused as refusal:
        return Onboarding(added, None, str(refusal))
    return Onboarding(added, job)


def _note(
    actor: User | None, endpoint: Endpoint, plan: Plan, served: str, steps: tuple[str, ...], trouble: str = ""
) -> None:
    note_hub_add(actor, endpoint, served, connection=plan.connection, model=plan.model, steps=steps, trouble=trouble)
