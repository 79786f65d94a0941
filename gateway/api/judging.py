"""The reads behind the evidence routes: which calls are a caller's own, which wait, how a collection's models did.

A call belongs to whoever asked its panel or began its conversation, and shows only through a key whose scope has its
collection. Work in route mode may be judged, but nobody waits for that: it is never pending, and the record is of
panels alone. Everything is matched on columns; no text of a prompt is ever searched. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from msgspec import Struct

from collections_app.models import Evidence, Verdict
from gateway.canon.fault import NotFound
from gateway.canon.kinds import SeatStatus
from gateway.canon.names import PREFIX
from gateway.engine.snapshot import Caller
from gateway.models import Seat, Turn

COUNTED_KINDS = ("seat", "merger", "shadow")
JUDGEABLE = (SeatStatus.OK.value, SeatStatus.EMPTY.value)


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
    if caller.owner_id is None:
        seats = Seat.objects.filter(panel__owner__isnull=True)
    else:
        seats = Seat.objects.filter(panel__owner_id=caller.owner_id)
    return seats if caller.scope is None else seats.filter(panel__collection_name__in=caller.scope)


def own_turns(caller: Caller) -> QuerySet[Turn]:
    """Every answered turn of this caller's conversations, as far as its key's scope goes."""
    if caller.owner_id is None:
        turns = Turn.objects.filter(conversation__owner__isnull=True)
    else:
        turns = Turn.objects.filter(conversation__owner_id=caller.owner_id)
    turns = turns.exclude(call="")
    return turns if caller.scope is None else turns.filter(conversation__collection_name__in=caller.scope)


def check_own(caller: Caller, call: str) -> None:
    """Raises NotFound unless the call is the caller's own: who may not see a call is not told that there is one."""
    if not own_seats(caller).filter(pk=call).exists() and not own_turns(caller).filter(call=call).exists():
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
    """The task and where it was asked, as in "Read this (bench/core, review)" or "Fix it (bench/agents:route)"."""
    if not work.collection_name:
        return work.task
    where = ":route" if work.kind == "route" else f", {work.shape}" if work.shape else ""
    return f"{work.task} ({PREFIX}{work.collection_name}{where})".strip()


def load_pending(caller: Caller, calls: Sequence[str]) -> list[str]:
    """The ids among `calls` that are the caller's own, answered without an error and judged by nobody; each once, in
    the order given."""
    wanted = dict.fromkeys(calls)
    done = set(own_seats(caller).filter(pk__in=wanted, status__in=JUDGEABLE).values_list("call", flat=True))
    known = set(Evidence.objects.filter(call__in=done, current=True).values_list("call", flat=True))
    judged = set(Verdict.objects.filter(call__in=known).values_list("call", flat=True))
    return [call for call in wanted if call in known and call not in judged]


def load_tallies(caller: Caller, collection: str, task: str) -> dict[str, Tally]:
    """Judged answers by alias. With `task`, only those of the caller's own panels with a verdict whose note contains
    it: notes are other people's words, and counting them would answer guesses about what they say."""
    rows = Evidence.objects.filter(
        collection_name=collection, current=True, useful__isnull=False, kind__in=COUNTED_KINDS
    ).order_by("language_model__alias")
    found = rows.values_list("language_model__alias", "useful", "at", "call")
    noted = _noted(caller, collection, task) if task else None
    tallies: dict[str, Tally] = {}
    for alias, useful, at, call in found.iterator():
        if useful is not None and (noted is None or call in noted):
            tallies.setdefault(alias, Tally()).add(useful, at)
    return tallies


def _noted(caller: Caller, collection: str, task: str) -> set[str]:
    """Calls on whose verdicts the text stands. Compared here as well, since SQLite's own search ignores case."""
    own = own_seats(caller).filter(panel__collection_name=collection).values("call")
    notes: Iterable[tuple[str, str]] = Verdict.objects.filter(call__in=own, note__contains=task).values_list(
        "call", "note"
    )
    return {call for call, note in notes if task in note}
