"""The sections of the page of logs: who sees which, how each is loaded, and how its rows leave as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchwarmers.dashboard.changes import SEES_READINGS, tell, visible_changes
from benchwarmers.dashboard.changes_file import change_record
from benchwarmers.operations.logs import calls, runs
from benchwarmers.operations.logs.filters import LogsFilters
from benchwarmers.operations.logs.windows import Look, join, look

SEES_CHANGES: Final = "collections_app.view_change"
SEES_WORK: Final = "probes.view_job"
Rows = Look[Any]


@dataclass(frozen=True, slots=True)
class Section:
    """`permission` is what its reader needs ("" for everybody signed in), `live` the topics it hears, `columns` those
    of its file, `at` the time of a row. `fails` says whether anything in it can."""

    name: str
    title: Promise
    permission: str
    live: str
    columns: Sequence[str]
    load: Callable[[User, LogsFilters, str, int, datetime], Rows]
    tell: Callable[[User], Callable[[Any], Mapping[str, Any]]]
    at: Callable[[Any], datetime]
    page: int = 25
    fails: bool = True


def sections_for(person: User, filters: LogsFilters) -> list[Section]:
    """Those that this person may see and that the filter can leave something of."""
    return [
        one
        for one in SECTIONS.values()
        if (not one.permission or person.has_perm(one.permission)) and (one.fails or not filters.trouble)
    ]


def _load_calls(person: User, filters: LogsFilters, before: str, size: int, now: datetime) -> Rows:
    return calls.load_asked(person, filters, before, size)


def _load_changes(person: User, filters: LogsFilters, before: str, size: int, now: datetime) -> Rows:
    fits = Q()
    for name in ("actor_name", "thing", "name", "field") if filters.text else ():
        fits |= Q(**{f"{name}__icontains": filters.text})
    found = visible_changes(person).filter(filters.days("at"))
    page = join([look(found, "at", before, fits or None, size)], size)
    return Look([tell(row, with_address=False) for row in page.rows], page.further)


def _load_runs(name: str, person: User, filters: LogsFilters, before: str, size: int, now: datetime) -> Rows:
    return runs.load_runs(name, filters, before, size, now)


def _change_lines(person: User) -> Callable[[Any], Mapping[str, Any]]:
    sees = person.has_perm(SEES_READINGS)
    return lambda told: change_record(told.change, with_address=sees) | ({} if sees else {"address": ""})


SECTIONS: Final[dict[str, Section]] = {
    one.name: one
    for one in (
        Section(
            *("calls", _("Gateway calls"), "", "panels conversations", calls.COLUMNS),
            load=_load_calls,
            tell=lambda _person: calls.tell_asked,
            at=lambda asked: asked.at,
        ),
        Section(
            *("changes", _("Changes"), SEES_CHANGES, "models endpoints collections settings secrets keys"),
            columns=("at", "actor", "address", "thing", "name", "field", "old", "new"),
            load=_load_changes,
            tell=_change_lines,
            at=lambda told: told.change.at,
            fails=False,
        ),
        Section(
            *("runs", _("Scheduler runs"), SEES_WORK, "jobs", runs.COLUMNS),
            load=partial(_load_runs, "runs"),
            tell=lambda _person: runs.tell_run,
            at=lambda run: run.job.created_at,
        ),
        Section(
            *("onboarding", _("Onboarding"), SEES_WORK, "jobs", runs.COLUMNS),
            load=partial(_load_runs, "onboarding"),
            tell=lambda _person: runs.tell_run,
            at=lambda run: run.job.created_at,
            page=30,
        ),
    )
}
"""By name, in the order of the page."""
