"""The reads behind the evidence routes: which calls are a caller's own, which wait, how a collection's models did.

A call belongs to whoever asked its panel or began its conversation, and shows only through a key whose scope has its
collection. Through a key of a team, which all its members may come by, only what was asked with it shows. A member's
work in route mode may be judged, but nobody waits for that: it is never pending. A shadow's is, for it is kept to be
judged. The record is of panels alone. Everything is matched on columns; no text of a prompt is ever searched. Writes
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.utils import timezone
from msgspec import Struct

from collections_app.models import Evidence, Standing, Verdict
from collections_app.standings import PANEL_KINDS
from gateway.canon.fault import NotFound
from gateway.canon.kinds import SeatStatus
from gateway.canon.names import PREFIX
from gateway.engine.snapshot import Caller
from gateway.models import Panel, Seat, Shadow, Turn

CALLS_A_QUERY = 500
JUDGEABLE = (SeatStatus.OK.value, SeatStatus.EMPTY.value)
WHERE = {"route": ":route", "shadow": ":route, shadow"}

_Row = TypeVar("_Row", bound=Model)


class Tally(Struct):
    """How one model's judged answers were found; an even split of judges is judged but neither of the two."""

    useful: int = 0
    not_useful: int = 0
    judged: int = 0
    last_at: datetime | None = None

    def add(self, useful: float, at: datetime) -> None:
        """One more judged answer: `useful` is the mean of its verdicts."""
        self.judged += 1
        self.useful += useful > 0.5
        self.not_useful += useful < 0.5
        self.last_at = at if self.last_at is None else max(at, self.last_at)


class Entry(Struct, frozen=True):
    """A verdict and the work it is on, by the interface's field names."""

    date: str
    model: str
    task: str
    useful: bool
    note: str
    call: str
    real: list[str]
    false: list[str]


def own_seats(caller: Caller) -> QuerySet[Seat]:
    """Every seat of the panels that this caller asked, as far as its key's scope goes."""
    return _own(Seat.objects.all(), "panel__", caller)


def own_panels(caller: Caller) -> QuerySet[Panel]:
    """Every panel that this caller asked, as far as its key's scope goes."""
    return _own(Panel.objects.all(), "", caller)


def own_turns(caller: Caller) -> QuerySet[Turn]:
    """Every answered turn of this caller's conversations, as far as its key's scope goes."""
    return _own(Turn.objects.exclude(call=""), "conversation__", caller)


def own_shadows(caller: Caller) -> QuerySet[Shadow]:
    """Every shadow of this caller's conversations, as far as its key's scope goes."""
    return _own(Shadow.objects.all(), "conversation__", caller)


def _own(rows: QuerySet[_Row], whole: str, caller: Caller) -> QuerySet[_Row]:
    """Those whose panel or conversation is the caller's. What nobody owns is the local caller's."""
    if caller.owner_id is None:
        rows = rows.filter(**{f"{whole}owner__isnull": True})
    else:
        rows = rows.filter(**{f"{whole}owner_id": caller.owner_id})
    if caller.team_id is not None:
        rows = rows.filter(**{f"{whole}key_id": caller.key_id})
    return rows if caller.scope is None else rows.filter(**{f"{whole}collection_name__in": caller.scope})


def check_own(caller: Caller, call: str) -> None:
    """Raises NotFound unless the call is the caller's own: who may not see a call is not told that there is one."""
    found = (
        own_seats(caller).filter(pk=call),
        own_turns(caller).filter(conversation=call.rpartition(".")[0], call=call),  # turns have no index by call
        own_shadows(caller).filter(pk=call),
    )
    if not any(one.exists() for one in found):
        raise NotFound(f"There is no call {call!r} that you may judge; take the id from the reply's bench object.")


def load_entry(verdict: Verdict) -> Entry:
    """The verdict with the work it is on."""
    work = Evidence.objects.select_related("language_model").filter(call=verdict.call, current=True).latest("id")
    return Entry(
        date=timezone.localtime(verdict.at).date().isoformat(),
        model=work.language_model.alias,
        task=_task_of(work),
        useful=verdict.useful,
        note=verdict.note,
        call=verdict.call,
        real=list(verdict.real),
        false=list(verdict.false),
    )


def _task_of(work: Evidence) -> str:
    """The task and where it was asked, as in "Read this (bench/core, review)", "Fix it (bench/agents:route)"
    or "Fix it (bench/agents:route, shadow)"."""
    if not work.collection_name:
        return work.task
    where = WHERE.get(work.kind) or (f", {work.shape}" if work.shape else "")
    return f"{work.task} ({PREFIX}{work.collection_name}{where})".strip()


def load_pending(caller: Caller, calls: Sequence[str]) -> list[str]:
    """The ids among `calls` that are the caller's own, answered without an error and judged by nobody; each once, in
    the order given."""
    wanted = dict.fromkeys(calls)
    done = {
        *own_seats(caller).filter(pk__in=wanted, status__in=JUDGEABLE).values_list("call", flat=True),
        *own_shadows(caller).filter(pk__in=wanted, status__in=JUDGEABLE).values_list("call", flat=True),
    }
    known = set(Evidence.objects.filter(call__in=done, current=True).values_list("call", flat=True))
    judged = set(Verdict.objects.filter(call__in=known).values_list("call", flat=True))
    return [call for call in wanted if call in known and call not in judged]


def load_tallies(caller: Caller, collection: str, task: str) -> dict[str, Tally]:
    """Judged answers of panels by alias. With `task`, only those of the caller's own panels with a verdict whose note
    contains it: notes are other people's words, and counting them would answer guesses about what they say. What is
    withheld has no record, like what is not there."""
    if task:
        return _noted_tallies(caller, collection, task)
    return {} if collection in caller.withheld else _all_tallies(collection)


def _all_tallies(collection: str) -> dict[str, Tally]:
    """From the standings: a row a model, however much evidence there is."""
    latest = {
        f"{kind}_at": Subquery(
            _judged(collection)
            .filter(language_model=OuterRef("language_model"), kind=kind)
            .order_by("-at")
            .values("at")[:1]
        )
        for kind in PANEL_KINDS
    }
    rows = Standing.objects.filter(collection_name=collection, shape="", panels_judged__gt=0).annotate(**latest)
    return {
        alias: Tally(useful, not_useful, judged, max((at for at in times if at is not None), default=None))
        for alias, useful, not_useful, judged, *times in rows.order_by("language_model__alias").values_list(
            "language_model__alias", "panels_useful", "panels_not_useful", "panels_judged", *latest
        )
    }


def _judged(collection: str) -> QuerySet[Evidence]:
    return Evidence.objects.filter(collection_name=collection, current=True, useful__isnull=False)


def _noted_tallies(caller: Caller, collection: str, task: str) -> dict[str, Tally]:
    own = own_seats(caller).filter(panel__collection_name=collection).values("call")
    noted = Verdict.objects.filter(call__in=own, note__contains=task)
    # Compared here as well, since SQLite's own search ignores case.
    calls = sorted({call for call, note in noted.values_list("call", "note") if task in note})
    tallies: dict[str, Tally] = {}
    for start in range(0, len(calls), CALLS_A_QUERY):
        # By call alone: SQLite would rather read all that was ever judged in the collection.
        rows = Evidence.objects.filter(call__in=calls[start : start + CALLS_A_QUERY], current=True)
        for alias, useful, at, where, kind in rows.values_list(
            "language_model__alias", "useful", "at", "collection_name", "kind"
        ):
            if useful is not None and where == collection and kind in PANEL_KINDS:
                tallies.setdefault(alias, Tally()).add(useful, at)
    return dict(sorted(tallies.items()))
