"""The schedule: its mode, and which of its jobs are on."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from collections_app.models import Setting
from collections_app.refusal import Problems
from probes.schedule.actions import do_set_mode, do_switch_row
from probes.schedule.rows import planned


class Wanted(Struct):
    """The mode, off, log-only or run, and jobs that are to be on or off; what is not named stays."""

    mode: str | None = None
    jobs: dict[str, bool] = {}


class ScheduleView(ApiView):
    """GET and POST /api/scheduler."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """The mode, and whether each job is on."""
        return self.done(**load_schedule())

    @takes(Wanted)
    def post(self, said: Wanted) -> Response:
        """Switch what is named, once all of it can be."""
        now = timezone.now()
        before = load_schedule()
        problems = Problems()
        for kind in said.jobs:
            known = ", ".join(before["jobs"])
            problems.check(kind in before["jobs"], "jobs", f"There is no job “{kind[:32]}”; known are {known}.")
        problems.refuse()
        if said.mode is not None and said.mode != before["mode"]:
            # The page asks whether another scheduler runs; a program that says run has been told so by its manual.
            do_set_mode(actor=self.person, mode=said.mode, now=now, confirmed=True)
        for kind, on in said.jobs.items():
            if on != before["jobs"][kind]:
                do_switch_row(actor=self.person, kind=kind, on=on, now=now)
        return self.done(**load_schedule())


def load_schedule() -> dict[str, Any]:
    """Its mode, and each job by its kind."""
    return {"mode": Setting.load().scheduler, "jobs": {one.kind: bool(one.row.enabled) for one in planned()}}
