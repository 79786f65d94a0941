"""Reads what people judged of a panel, and keeps what can be asked of it as drafts."""

from __future__ import annotations

from datetime import datetime

from collections_app.models import ClaimGroup, Verdict
from gateway.models import Panel, Seat
from suite.mining import Group, Mined, NothingToMine, Said, mine
from suite.models import Task
from suite.store import keep_task


def mine_panel(panel: Panel, *, by: str, now: datetime) -> Mined:
    """Keeps a draft of each claim of the panel that people agree on. Who may do that is for the caller to decide.

    :raises NothingToMine: there is nothing to make one of, or it was done before.
    """
    if Task.objects.filter(origin="mined", source=panel.pk).exists():
        raise NothingToMine(f"{panel.pk}: its claims are tasks already.")
    mined = read_panel(panel)
    for draft in mined.drafts:
        keep_task(draft, by=by, now=now)
    return mined


def read_panel(panel: Panel) -> Mined:
    """What would be kept.

    :raises NothingToMine: there is nothing to make a task of.
    """
    seats = {seat.call: seat for seat in Seat.objects.filter(panel=panel)}
    verdicts = sorted(Verdict.objects.filter(call__in=seats), key=lambda one: (seats[one.call].place, one.at, one.pk))
    said = [
        Said(verdict.call, text, holds, verdict.judge_name)
        for verdict in verdicts
        for claims, holds in ((verdict.real, True), (verdict.false, False))
        for text in claims
    ]
    groups = [
        Group(group.text, frozenset((one.call, one.text) for one in group.seats.all()))
        for group in ClaimGroup.objects.filter(panel=panel.pk).prefetch_related("seats").order_by("id")
    ]
    return mine(panel.pk, panel.prompt, said, groups, {call: seat.alias for call, seat in seats.items()})


def panels_to_mine() -> list[Panel]:
    """Panels with judged claims of which no tasks were made yet, the newest first. Some may turn out to show no files
    or to be disputed all through."""
    return list(Panel.objects.filter(pk__in=ids_to_mine()).order_by("-started_at"))


def ids_to_mine() -> list[str]:
    """The same panels by their ids."""
    judged = Verdict.objects.exclude(real=[], false=[]).values_list("call", flat=True)
    done = set(Task.objects.filter(origin="mined").values_list("source", flat=True))
    found = Panel.objects.filter(seats__call__in=judged).distinct().order_by("-started_at").values_list("pk", flat=True)
    return [key for key in found if key not in done]
