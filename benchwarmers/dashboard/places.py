"""Where one can go: the entries of the navigation, in groups, by what a person came to do. One line for each page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Entry:
    """A page: its name, its route, the permission it asks for ("" for everybody signed in, "staff" for the admin), the
    letter that follows `g` on the keyboard, and the paths beside its own under which it is still the place."""

    name: Promise
    route: str
    permission: str = ""
    letter: str = ""
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """An entry as one person sees it from where they are."""

    name: str
    path: str
    letter: str
    here: bool


@dataclass(frozen=True, slots=True)
class Group:
    """What one task needs."""

    name: str
    places: tuple[Place, ...]


MODELS: Final = "collections_app.view_languagemodel"
GROUPS: Final[tuple[tuple[Promise, tuple[Entry, ...]], ...]] = (
    (
        _("Ask"),
        (
            Entry(_("Ask"), "ask:ask", "gateway.ask", "n"),
            Entry(_("Route chat"), "ask:route", "gateway.ask"),
            Entry(_("Panels"), "dashboard:panels", letter="p"),
            Entry(_("Conversations"), "dashboard:conversations", letter="c"),
        ),
    ),
    (
        _("Judge"),
        (
            Entry(_("Queue"), "dashboard:judge", "gateway.judge", "j"),
            Entry(_("Evidence"), "dashboard:evidence", letter="v"),
        ),
    ),
    (
        _("Observe"),
        (
            Entry(_("At a glance"), "dashboard:home", letter="h"),
            Entry(_("Benchmarks"), "operations:benchmarks", "suite.view_attempt", "b"),
            Entry(_("Usage"), "dashboard:usage", letter="u"),
            Entry(_("Quotas"), "dashboard:quotas", "gateway.view_quota", "q"),
        ),
    ),
    (
        _("Gateway"),
        (
            Entry(_("Collections"), "operations:collections", letter="r"),
            Entry(_("Models"), "operations:models", MODELS, "m"),
            Entry(_("Endpoints"), "operations:endpoints", "collections_app.view_endpoint", "e"),
            Entry(_("Discover"), "operations:discover", "probes.view_offer", "d"),
        ),
    ),
    (
        _("Operate"),
        (
            Entry(_("Onboard"), "operations:onboard", "probes.add_job", "o"),
            Entry(_("Sign-ins"), "operations:sign-ins", "collections_app.add_endpoint"),
            Entry(_("Schedule"), "operations:schedule", "probes.view_job", "s"),
            Entry(_("Jobs"), "operations:jobs", "probes.view_job", "w"),
            Entry(_("Logs"), "operations:logs", letter="l"),
            Entry(_("Changes"), "dashboard:changes", "collections_app.view_change", "x"),
        ),
    ),
    (
        _("Settings"),
        (
            Entry(_("Keys"), "dashboard:keys", letter="k"),
            Entry(
                _("People"),
                "people:people",
                "auth.change_user",
                "t",
                ("/teams/", "/invitations/", "/service-accounts/"),
            ),
            Entry(_("Settings"), "operations:settings", letter=","),
            Entry(_("Info"), "operations:info", letter="i"),
            Entry(_("Admin"), "admin:index", "staff", "a"),
        ),
    ),
)
"""By group, in the order of a day's work."""


def groups_for(person: User, path: str) -> list[Group]:
    """What this person can go to; the place of `path` is marked, the longest address winning."""
    shown = [
        (name, [(entry, reverse(entry.route)) for entry in entries if _may(person, entry)]) for name, entries in GROUPS
    ]
    best = max((_fits(entry, at, path) for _name, row in shown for entry, at in row), default=0)
    return [
        Group(
            str(name),
            tuple(
                Place(str(entry.name), at, entry.letter, bool(best) and _fits(entry, at, path) == best)
                for entry, at in row
            ),
        )
        for name, row in shown
        if row
    ]


def places_for(person: User) -> Iterator[Place]:
    """The same without groups."""
    for group in groups_for(person, ""):
        yield from group.places


def _may(person: User, entry: Entry) -> bool:
    if entry.permission == "staff":
        return person.is_staff
    return not entry.permission or person.has_perm(entry.permission)


def _fits(entry: Entry, at: str, path: str) -> int:
    """How much of the path this entry explains; the start page explains only itself."""
    if at == "/":
        return int(path == "/")
    return max((len(one) for one in (at, *entry.beside) if path.startswith(one)), default=0)
