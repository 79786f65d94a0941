"""What can be done to several models at once: which are done, and what was refused of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct

from collections_app.actions.language_model import do_set_role
from collections_app.actions.members import do_add_members
from collections_app.actions.retirement import do_restore_model, do_retire_model
from collections_app.refusal import Refused
from probes.actions import do_retry_model

MOST: Final = 200
"""Models that one click changes."""


class Told(Struct, frozen=True):
    """What was done, in a sentence, empty if nothing; and each refusal."""

    done: str
    refused: tuple[str, ...]


def act_on(person: User, verb: str, typed: QueryDict) -> Told:
    """Do one thing to each model that is ticked."""
    aliases = list(dict.fromkeys(typed.getlist("alias")))[:MOST]
    if verb != "collect" and verb not in _EACH:
        return Told("", (_("Choose what is to be done with the models."),))
    if not aliases:
        return Told("", (_("Tick the models that are meant."),))
    return _collect(person, aliases, typed) if verb == "collect" else _each(person, verb, aliases, typed)


def _each(person: User, verb: str, aliases: Sequence[str], typed: QueryDict) -> Told:
    act, words = _EACH[verb]
    done: list[str] = []
    refused: list[str] = []
    for alias in aliases:
        try:
            done.append(act(person, alias, typed))
        except Refused as refusal:
            refused.append(f"{alias}: {refusal}")
    return Told(f"{words}: {', '.join(done)}." if done else "", tuple(refused))


def _collect(person: User, aliases: Sequence[str], typed: QueryDict) -> Told:
    """All of them together: a collection with half of what was meant would be another one."""
    name = typed.get("into", "")
    try:
        added = do_add_members(actor=person, name=name, aliases=aliases)
    except Refused as refusal:
        return Told("", tuple(sentence for _field, sentence in refusal.problems))
    return Told(_("Into bench/%(name)s: %(aliases)s.") % {"name": name, "aliases": ", ".join(added)}, ())


def _retire(person: User, alias: str, typed: QueryDict) -> str:
    return do_retire_model(actor=person, alias=alias, why=typed.get("why", "")).alias


def _restore(person: User, alias: str, typed: QueryDict) -> str:
    return do_restore_model(actor=person, alias=alias).alias


def _retry(person: User, alias: str, typed: QueryDict) -> str:
    do_retry_model(actor=person, alias=alias)
    return alias


def _set_role(person: User, alias: str, typed: QueryDict) -> str:
    return do_set_role(actor=person, alias=alias, role=typed.get("role", "")).alias


_EACH: Final[dict[str, tuple[Callable[[User, str, QueryDict], str], object]]] = {
    "retire": (_retire, gettext_lazy("Retired")),
    "restore": (_restore, gettext_lazy("Back on the bench")),
    "retry": (_retry, gettext_lazy("Being asked")),
    "role": (_set_role, gettext_lazy("Role set")),
}
