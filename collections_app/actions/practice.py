"""Switches the practice squad on and off: an endpoint of our own that answers from a script, so that everything can
be tried before the first provider key. Nothing here is a model, and every name and description says so.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.actions.endpoint import do_remove_endpoint, save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.retirement import do_restore_model
from collections_app.actions.stated import do_state_facts
from collections_app.journal import journal, require
from collections_app.models import Collection, Endpoint, LanguageModel, Setting
from collections_app.refusal import Problems, Refused
from gateway.canon.kinds import Api, EndpointKind, Shape

TOPIC = "endpoints"
NAME = "practice"
CHARACTERS = ("slow", "wrong", "terse", "flaky", "thinker")
DESCRIPTION = (
    "Scripted characters, not models: they answer from a fixed script so that the bench can be tried. "
    "Their answers mean nothing."
)


def practice_base() -> str:
    """Where this installation serves its own practice endpoint, as seen from this machine."""
    bench = settings.BENCH
    host = "127.0.0.1" if bench.bind in {"0.0.0.0", "127.0.0.1"} else bench.bind  # noqa: S104  # compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{bench.port}/practice/v1"


def do_practice_on(*, actor: User | None, base: str = "") -> Collection:
    """Make the practice endpoint, its five characters and the collection `practice`; put right whatever of it differs.

    Without `base`, the address that this installation serves it at.

    :raises Refused: the name `practice` is taken by something else.
    """
    require(actor, "collections_app.add_endpoint", "switch practice on")
    collection = Collection.objects.filter(name=NAME).first()
    if collection is not None and not _is_scripted(collection):
        raise Refused([("", "There is a collection “practice” of your own; rename or remove it first.")])
    fields = {
        "base": (base or practice_base()).rstrip("/"),
        "kind": EndpointKind.PRACTICE.value,
        "api": Api.CHAT.value,
        "hub": "",
        "key_name": "",
        "key_env": "",
        "admin_key_name": "",
        "headers": {},
        "models_url": "",
        "unlisted_models": [],
        "decisions_url": "",
        "quirks": {},
    }
    with journal(actor, TOPIC):
        save_endpoint(actor=actor, name=NAME, fields=fields, default=False, problems=Problems())
        aliases = [_seat_character(actor, served) for served in CHARACTERS]
        return do_save_collection(
            actor=actor,
            name=NAME,
            members=aliases[: Setting.load().max_calls],
            shape=Shape.GENERAL.value,
            description=DESCRIPTION,
            tags=[NAME],
        )


def do_practice_off(*, actor: User | None) -> None:
    """Remove the endpoint, its characters, their evidence and the collection. Panels stay readable. Twice is once."""
    require(actor, "collections_app.delete_endpoint", "switch practice off")
    with journal(actor, TOPIC):
        collection = Collection.objects.filter(name=NAME).first()
        if collection is not None and _is_scripted(collection):
            do_remove_collection(actor=actor, name=NAME)
        for name in Endpoint.objects.filter(kind=EndpointKind.PRACTICE).values_list("name", flat=True):
            do_remove_endpoint(actor=actor, name=name, with_models=True)


def do_refresh_practice(*, actor: User | None) -> None:
    """State what the characters that sit here can do today: a folder made by an older version knows less of them.

    Brings nobody back and changes nothing else. What is stated already is not journalled again.
    """
    require(actor, "collections_app.change_languagemodel", "state facts")
    rows = LanguageModel.objects.filter(
        endpoint__kind=EndpointKind.PRACTICE, served__in=CHARACTERS, retired_at__isnull=True
    )
    for row in rows:
        do_state_facts(actor=actor, model=row, stated=_facts(row.served))


def _seat_character(actor: User | None, served: str) -> str:
    alias = f"{NAME}-{served}"
    if LanguageModel.objects.filter(alias=alias, retired_at__isnull=False).exists():
        do_restore_model(actor=actor, alias=alias)
    return do_save_model(actor=actor, alias=alias, served=served, endpoint=NAME, stated=_facts(served)).alias


def _facts(served: str) -> dict[str, Any]:
    return {
        "context_window": 32_000,
        "tools": True,
        "vision": True,
        "documents": True,
        "structured_output": True,
        "reasoning": served == "thinker",
    }


def _is_scripted(collection: Collection) -> bool:
    """Every member is of the squad. An empty one is what remains when the squad was removed piece by piece."""
    return not collection.seatings.exclude(language_model__endpoint__kind=EndpointKind.PRACTICE).exists()
