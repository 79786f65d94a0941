"""Holds what the callers were told and what the upstreams saw against the database: pure, over what was gathered.

The rules:

* What was answered with a 2xx is there: panels and their seats, conversations and their turns, verdicts, facts, jobs.
* Every request that reached an upstream has its row in the ledger, with at least as many attempts as the upstream saw,
  whatever was killed: a call that was on its way when its process died has a row that says so.
* A job is done once: at most one row of a kind and key is open, none is left, and what was asked again lay in the
  middle of a step whose process was killed.
* Whoever met an error met it while something was away, and in the words of the format; a connection breaks only where
  the web process behind it was killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchwarmers.tests.chaos.faults import Done
from benchwarmers.tests.chaos.journal import Asked, End, Journal

SKEW_S: Final = 0.5
"""Between a clock reading and what it stands for."""
PROBES_AT_ONCE: Final = 8
"""Threads of the worker: what it may have had under way."""


@dataclass
class Kept:
    """What the database holds. `attempts` and `calls` by request id (the mark); jobs as (id, kind, key, state)."""

    attempts: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    panels: dict[str, str] = field(default_factory=dict)
    open_seats: int = 0
    calls: set[str] = field(default_factory=set)
    turns: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, str] = field(default_factory=dict)
    facts: set[str] = field(default_factory=set)
    jobs: list[tuple[int, str, str, str]] = field(default_factory=list)
    probes: Counter[str] = field(default_factory=Counter)
    """Attempts of the worker's calls by served name."""
    interrupted: int = 0
    """Calls that were on their way when their process died."""


def lost(journal: Journal, kept: Kept) -> list[str]:
    """A sentence for each thing that was acknowledged and is not there."""
    told = [f"call {call} is gone" for call in journal.calls if call not in kept.calls]
    told += [
        f"panel {one} is {kept.panels.get(one, 'gone')}" for one in journal.panels if kept.panels.get(one) != "done"
    ]
    told += [
        f"conversation {one}: {kept.turns[one]} of {count} answered turns"
        for one, count in journal.conversations.items()
        if kept.turns[one] < count
    ]
    told += [
        f"verdict {note} on {call} is {kept.verdicts.get(call, 'gone')!r}"
        for call, note in journal.verdicts.items()
        if note and kept.verdicts.get(call) != note
    ]
    told += [f"fact {one} is gone" for one in sorted(journal.facts - kept.facts)]
    known = {number for number, *_ in kept.jobs}
    told += [f"job {number} is gone" for number in journal.jobs if number not in known]
    told += [f"answered request {mark} has no row in the ledger" for mark in journal.answered if not kept.rows[mark]]
    if kept.open_seats:
        told.append(f"{kept.open_seats} seats were never closed")
    return told


def unaccounted(seen: Iterable[Mapping[str, Any]], kept: Kept) -> list[str]:
    """A sentence for each request that an upstream saw oftener than the ledger says. Requests of callers are known by
    their mark, those of jobs by the model, which each job has to itself."""
    marks, models = Counter[str](), Counter[str]()
    for line in seen:
        if line.get("mark"):
            marks[line["mark"]] += 1
        elif is_probe(line):
            models[line["served"]] += 1
    told = [
        f"request {mark}: an upstream saw it {came} times, the ledger has {kept.attempts[mark]}"
        for mark, came in marks.items()
        if came > kept.attempts[mark]
    ]
    told += [
        f"model {served}: an upstream saw {came} requests of jobs, the ledger has {kept.probes[served]}"
        for served, came in models.items()
        if came > kept.probes[served]
    ]
    return told


def is_probe(line: Mapping[str, Any]) -> bool:
    """A request that a job made."""
    return str(line.get("served", "")).startswith("chats-")


def repeated_jobs(
    seen: Iterable[Mapping[str, Any]], kept: Kept, worker_deaths: int, planned: int
) -> tuple[list[str], int]:
    """(sentences, how many of the jobs' calls were made again). `planned` is what one job asks."""
    told = [f"job {number} ({kind} {key}) is still {state}" for number, kind, key, state in kept.jobs if _open(state)]
    twice = Counter((kind, key) for _, kind, key, state in kept.jobs if state == "done")
    told += [f"{kind} {key} was done {times} times" for (kind, key), times in twice.items() if times > 1]
    came = Counter(line["served"] for line in seen if is_probe(line))
    again = sum(max(0, times - planned) for times in came.values())
    if again > PROBES_AT_ONCE * max(1, worker_deaths):
        told.append(f"the jobs' calls were made {again} times again for {worker_deaths} deaths of the worker")
    return told, again


def _open(state: str) -> bool:
    return state in ("queued", "running")


def unexplained(journal: Journal, done: Sequence[Done], slack: float) -> list[str]:
    """A sentence for each failure that no fault explains, or that came in a wrong shape."""
    told = []
    for one in journal.failures():
        if one.end in (End.BARE, End.LATE):
            told.append(f"{one.what} {one.mark} of {one.web}: {one.end} ({one.why})")
        elif not any(_felt(one, fault, slack) for fault in done):
            told.append(f"{one.what} {one.mark} of {one.web} while all was well: {one.end} ({one.why})")
        elif one.end is End.BROKEN and not any(
            _felt(one, fault, slack) for fault in done if fault.fault.target == one.web
        ):
            told.append(f"{one.what} {one.mark} of {one.web}, which nobody had killed: {one.end} ({one.why})")
    return told


def _felt(one: Asked, done: Done, slack: float) -> bool:
    """Whether the request ran while the fault lasted or was felt."""
    return one.began < done.over + slack * SKEW_S and one.ended > done.began - SKEW_S
