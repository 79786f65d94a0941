"""Decides what a set-up file does not name, and how each such thing goes.

Models are retired, never deleted, because their evidence stays. People, teams and keys go only when the file has such
tables at all; superusers stay, and so does a team that still owns something. The practice squad is no part of any file
and stays too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User

from collections_app.actions.alias import do_remove_alias
from collections_app.actions.collection import do_remove_collection
from collections_app.actions.decision import do_remove_decision_model
from collections_app.actions.endpoint import do_make_default, do_remove_endpoint
from collections_app.actions.key import do_revoke_key
from collections_app.actions.limit import do_remove_limit
from collections_app.actions.person import do_disable_person
from collections_app.actions.practice import NAME as PRACTICE
from collections_app.actions.retirement import do_retire_model
from collections_app.actions.team import do_remove_team, what_holds
from collections_app.models import (
    Collection,
    ConnectionLimit,
    DecisionModel,
    Endpoint,
    GatewayKey,
    LanguageModel,
    ModelAlias,
    Setting,
    Team,
)
from collections_app.setup_file.read import Entry
from gateway.canon.kinds import EndpointKind
from gateway.canon.names import PREFIX

WHY = "not in the set-up file"


@dataclass(frozen=True)
class Removal:
    """One thing to remove, or, with `why_not`, to leave and say so."""

    section: str
    name: str
    act: Callable[[User | None], object]
    why_not: str = ""


def plan_removals(entries: list[Entry], sections: tuple[str, ...]) -> Iterator[Removal]:
    """What goes, section by section. Looks at the database when each section's turn comes."""
    for section in sections:
        yield from _PLANS[section]({entry.name for entry in entries if entry.section == section})


def _collections(named: set[str]) -> Iterator[Removal]:
    bare = {name.strip().removeprefix(PREFIX) for name in named}
    for row in list(Collection.objects.exclude(name__in=bare)):
        if row.name != PRACTICE or _has_real_members(row):
            yield Removal("collection", row.name, partial(_remove_collection, row.name))


def _aliases(named: set[str]) -> Iterator[Removal]:
    rows = ModelAlias.objects.exclude(name__in={name.strip() for name in named}).exclude(target__name=PRACTICE)
    for name in list(rows.values_list("name", flat=True)):
        yield Removal("alias", name, partial(_remove_alias, name))


def _models(named: set[str]) -> Iterator[Removal]:
    rows = LanguageModel.objects.filter(retired_at__isnull=True).exclude(endpoint__kind=EndpointKind.PRACTICE)
    for alias in list(rows.exclude(alias__in=named).values_list("alias", flat=True)):
        yield Removal("model", alias, partial(_retire, alias))


def _decision_models(named: set[str]) -> Iterator[Removal]:
    rows = DecisionModel.objects.exclude(alias__in=named).exclude(via__kind=EndpointKind.PRACTICE)
    picker = Setting.load().picker
    for alias in list(rows.values_list("alias", flat=True)):
        kept = f"The decision model {alias} is kept: the settings name it as the picker." if alias == picker else ""
        yield Removal("decision_model", alias, partial(_remove_decision_model, alias), kept)


def _endpoints(named: set[str]) -> Iterator[Removal]:
    for row in list(Endpoint.objects.exclude(name__in=named).exclude(kind=EndpointKind.PRACTICE)):
        kept = ""
        if row.language_models.exists():
            kept = f"The endpoint {row.name} is kept: retired models still hang on it."
        elif row.decision_models.exists():
            kept = f"The endpoint {row.name} is kept: the picker of the settings hangs on it."
        yield Removal("endpoint", row.name, partial(_remove_endpoint, row.name), kept)


def _connections(named: set[str]) -> Iterator[Removal]:
    rows = ConnectionLimit.objects.exclude(connection__in={name.strip() for name in named})
    for name in list(rows.values_list("connection", flat=True)):
        yield Removal("connection", name, partial(_remove_limit, name))


def _keys(named: set[str]) -> Iterator[Removal]:
    if not named:
        return
    rows = GatewayKey.objects.filter(revoked_at__isnull=True, signed=None).exclude(name__in=named)
    for name in list(rows.values_list("name", flat=True)):
        yield Removal("key", name, partial(_revoke, name))


def _teams(named: set[str]) -> Iterator[Removal]:
    if not named:
        return
    for row in list(Team.objects.exclude(name__in={name.strip() for name in named})):
        why = what_holds(row)
        yield Removal("team", row.name, partial(_remove_team, row.name), f"{why} It is kept." if why else "")


def _people(named: set[str]) -> Iterator[Removal]:
    if not named:
        return
    rows = User.objects.filter(is_active=True, is_superuser=False).exclude(username__in=named)
    for username in list(rows.values_list("username", flat=True)):
        yield Removal("person", username, partial(_disable, username))


def _has_real_members(row: Collection) -> bool:
    return row.seatings.exclude(language_model__endpoint__kind=EndpointKind.PRACTICE).exists()


def _remove_collection(name: str, actor: User | None) -> None:
    do_remove_collection(actor=actor, name=name)


def _remove_alias(name: str, actor: User | None) -> None:
    do_remove_alias(actor=actor, name=name)


def _retire(alias: str, actor: User | None) -> None:
    do_retire_model(actor=actor, alias=alias, why=WHY)


def _remove_decision_model(alias: str, actor: User | None) -> None:
    do_remove_decision_model(actor=actor, alias=alias)


def _remove_endpoint(name: str, actor: User | None) -> None:
    heir = Endpoint.objects.exclude(name=name).exclude(kind=EndpointKind.PRACTICE).order_by("id").first()
    if heir is not None and Endpoint.objects.filter(name=name, default=True).exists():
        do_make_default(actor=actor, name=heir.name)
    do_remove_endpoint(actor=actor, name=name)


def _remove_limit(name: str, actor: User | None) -> None:
    do_remove_limit(actor=actor, name=name)


def _revoke(name: str, actor: User | None) -> None:
    do_revoke_key(actor=actor, name=name)


def _remove_team(name: str, actor: User | None) -> None:
    do_remove_team(actor=actor, name=name)


def _disable(username: str, actor: User | None) -> None:
    do_disable_person(actor=actor, username=username)


_PLANS: dict[str, Callable[[set[str]], Iterator[Removal]]] = {
    "alias": _aliases,
    "collection": _collections,
    "model": _models,
    "decision_model": _decision_models,
    "endpoint": _endpoints,
    "connection": _connections,
    "key": _keys,
    "team": _teams,
    "person": _people,
}
