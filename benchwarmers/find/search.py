"""What answers to a few letters: one small query a kind, and only what the person may see.

A thing is found by its name. Panels and conversations are found by their id or, among the newest, by their first words,
so that a long history costs no more than a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchwarmers.dashboard.markdown import first_line
from benchwarmers.dashboard.places import places_for
from benchwarmers.sight import visible_collections, visible_conversations, visible_keys, visible_panels
from collections_app.models import Endpoint, LanguageModel
from suite.models import Task

EACH: Final = 6
"""Hits shown of a kind."""
NEWEST: Final = 300
"""Panels and conversations whose words are looked through."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing: its name, what it is about, its address."""

    name: str
    about: str
    path: str


@dataclass(frozen=True, slots=True)
class Kind:
    """Hits of one kind under their heading."""

    name: str
    hits: tuple[Hit, ...]


M = TypeVar("M", bound=Model)
Finder = Callable[[User, str], Iterator[Hit]]


def find(person: User, words: str) -> list[Kind]:
    """Kinds with at least one hit, pages first. Without words: the pages alone."""
    finders = FINDERS if words else FINDERS[:1]
    kinds = (Kind(str(name), tuple(finder(person, words))) for name, finder in finders)
    return [kind for kind in kinds if kind.hits]


def _pages(person: User, words: str) -> Iterator[Hit]:
    asked = words.casefold()
    for place in places_for(person):
        if asked in place.name.casefold():
            yield Hit(place.name, "", place.path)


def _models(person: User, words: str) -> Iterator[Hit]:
    if not person.has_perm("collections_app.view_languagemodel"):
        return
    found = LanguageModel.objects.filter(Q(alias__icontains=words) | Q(served__icontains=words))
    for model in _best(found.select_related("endpoint"), "alias", words):
        away = _("retired") if model.retired_at else model.endpoint.name
        yield Hit(model.alias, f"{model.served} · {away}", reverse("operations:model", args=[model.alias]))


def _collections(person: User, words: str) -> Iterator[Hit]:
    for one in _best(visible_collections(person).filter(name__icontains=words), "name", words):
        yield Hit(f"bench/{one.name}", one.description, reverse("operations:collection", args=[one.name]))


def _panels(person: User, words: str) -> Iterator[Hit]:
    seen = visible_panels(person).order_by("-started_at", "-id")
    for panel in _by_id_or_words(seen, "prompt", words):
        about = f"{panel.id} · {panel.collection_name}"
        yield Hit(first_line(panel.prompt)[:120] or panel.id, about, reverse("dashboard:panel", args=[panel.pk]))


def _conversations(person: User, words: str) -> Iterator[Hit]:
    seen = visible_conversations(person).order_by("-last_at", "-id")
    for talk in _by_id_or_words(seen, "task", words):
        path = reverse("dashboard:conversation", args=[talk.pk])
        yield Hit(first_line(talk.task)[:120] or str(talk.pk), f"{talk.pk} · {talk.collection_name}", path)


def _endpoints(person: User, words: str) -> Iterator[Hit]:
    if not person.has_perm("collections_app.view_endpoint"):
        return
    for one in _best(Endpoint.objects.filter(Q(name__icontains=words) | Q(base__icontains=words)), "name", words):
        yield Hit(one.name, one.base, reverse("operations:endpoint", args=[one.name]))


def _keys(person: User, words: str) -> Iterator[Hit]:
    for key in _best(visible_keys(person).filter(name__icontains=words), "name", words):
        yield Hit(key.name, key.hint, reverse("dashboard:key", args=[key.pk]))


def _people(person: User, words: str) -> Iterator[Hit]:
    if not person.has_perm("auth.change_user"):
        return
    for one in _best(User.objects.filter(Q(username__icontains=words) | Q(email__icontains=words)), "username", words):
        yield Hit(one.get_username(), one.email, reverse("people:person", args=[one.get_username()]))


def _tasks(person: User, words: str) -> Iterator[Hit]:
    if not person.has_perm("suite.view_task"):
        return
    for task in _best(Task.objects.filter(slug__icontains=words), "slug", words):
        yield Hit(task.slug, task.shape, reverse("operations:suite-task", args=[task.slug]))


def _best(found: QuerySet[M], field: str, words: str) -> list[M]:
    """Those whose name begins with the words first, then by name."""
    begins = found.filter(**{f"{field}__istartswith": words}).order_by(field)[:EACH]
    first = list(begins)
    if len(first) == EACH:
        return first
    others = found.exclude(**{f"{field}__istartswith": words}).order_by(field)
    return [*first, *others[: EACH - len(first)]]


def _by_id_or_words(seen: QuerySet[M], field: str, words: str) -> list[M]:
    first = list(seen.filter(id__startswith=words)[:EACH])
    if len(first) == EACH:
        return first
    newest = list(seen.values_list("pk", flat=True)[:NEWEST])
    known = {one.pk for one in first}
    others = seen.filter(pk__in=newest, **{f"{field}__icontains": words}).exclude(pk__in=known)
    return [*first, *others[: EACH - len(first)]]


FINDERS: Final[tuple[tuple[Promise, Finder], ...]] = (
    (gettext_lazy("Pages"), _pages),
    (gettext_lazy("Models"), _models),
    (gettext_lazy("Collections"), _collections),
    (gettext_lazy("Panels"), _panels),
    (gettext_lazy("Conversations"), _conversations),
    (gettext_lazy("Endpoints"), _endpoints),
    (gettext_lazy("Tasks"), _tasks),
    (gettext_lazy("Keys"), _keys),
    (gettext_lazy("People"), _people),
)
"""By kind, in the order of the list."""
