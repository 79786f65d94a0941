"""What the steps of one onboarding share, and how a step ends it before its time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import JobState
from probes.jobs.work import Ending, JobAtWork
from probes.onboarding.items import Item

Found = dict[str, Any]
"""What a step found, as JSON. `ends` in it is (state, note): there is nothing left to do."""


class GivenUp(Exception):
    """The step cannot be done; the message says why, for people. Nothing of it is kept, so another try begins with
    it."""


class Taking(Struct, frozen=True):
    """One model that is being taken on."""

    at_work: JobAtWork
    item: Item
    endpoint: Endpoint

    @property
    def now(self) -> datetime:
        return self.at_work.clock()

    @property
    def registered(self) -> LanguageModel:
        """The model's row as it is now, from the second step on. Raises GivenUp when it is gone or retired."""
        found: Found = self.at_work.found("registered")
        row = LanguageModel.objects.filter(pk=int(found["id"])).select_related("endpoint").first()
        if row is None:
            raise GivenUp(f"{found['alias']} was removed while it was being taken on")
        if row.retired:
            raise GivenUp(f"{row.alias} was retired while it was being taken on")
        return row


Step = Callable[[Taking], Found]


def ends(state: JobState, note: str, **more: Any) -> Found:
    """What a step found that ends the whole."""
    return {**more, "ends": [state.value, note]}


def ending_in(found: Found) -> Ending | None:
    """The end that a step found, if it did."""
    if "ends" not in found:
        return None
    state, note = found["ends"]
    return Ending(JobState(state), note)
