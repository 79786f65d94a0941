"""Saves an endpoint that was tried, or says why it should not be."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from benchwarmers.operations.endpoints.form import EndpointForm
from collections_app.actions.endpoint import TOPIC, do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key, has_stray_key
from collections_app.journal import journal
from collections_app.models import Endpoint
from collections_app.refusal import Refused
from collections_app.vault import from_environment
from gateway.canon.kinds import EndpointKind
from probes.endpoint_trial import Found, Typed, as_row, try_endpoint
from probes.key_origin import admin_key_held, foreign_header, moved

STRAY: Final = _(
    "A key is stored under the name {name} already, for another endpoint. Enter the key, or choose another name."
)
TAKEN: Final = _("There is an endpoint {name} already; {free} is free.")
GONE: Final = _("{names} would not be served there. Retire them first, or add the new address as another endpoint.")


class Tried(Struct, frozen=True):
    """How an attempt to save went: the row, or why there is none (then the form holds the reasons). `found` is what the
    trial found, None where nothing was asked."""

    row: Endpoint | None = None
    found: Found | None = None


def save(actor: User, form: EndpointForm) -> Tried:
    """Tries the endpoint and saves it when it lists models, or when that is to be done anyway. Of a valid form."""
    typed = form.typed()
    if form.row is None and not typed.key and has_stray_key(typed.name) and not from_environment(typed.name):
        form.add_error("key", STRAY.format(name=typed.name))
        return Tried()
    found = try_endpoint(typed)
    if found.must_not:
        form.add_error("key", found.held_back)
    elif not found.listed and not form.cleaned_data["anyway"]:
        form.add_error(None, found.trouble)
    elif missing := _left_behind(typed, found):
        form.add_error("base", GONE.format(names=", ".join(missing[:5])))
    elif held := _admin_key_held(form, typed):
        form.add_error("admin_key", held)
    elif foreign := foreign_header(as_row(typed), typed.saved):
        form.add_error("headers", foreign)
    if form.errors:
        return Tried(found=found)
    try:
        return Tried(write(actor, form), found)
    except Refused as refusal:
        form.show(refusal)
        return Tried(found=found)


def write(actor: User, form: EndpointForm) -> Endpoint:
    """All of it in one transaction: the endpoint, its key, and that of a hub's administration."""
    clean = form.cleaned_data
    with journal(actor, TOPIC):
        row = do_save_endpoint(actor=actor, **form.values())
        if clean["key"].strip():
            do_set_key(actor=actor, name=row.name, plain=clean["key"])
        if clean["admin_key"].strip() and row.kind == EndpointKind.HUB:
            do_set_key(actor=actor, name=row.name, plain=clean["admin_key"], administration=True)
    return row


def _admin_key_held(form: EndpointForm, typed: Typed) -> str:
    row = as_row(typed)
    row.admin_key_name = form.values()["admin_key_name"]
    admin_key = form.cleaned_data["admin_key"].strip()
    return admin_key_held(row, admin_key, typed.saved, keys_move=typed.keys_move)


def _left_behind(typed: Typed, found: Found) -> list[str]:
    """Models on the bench that the new address does not list: their record was earned at the old one."""
    saved = typed.saved
    if saved is None or not found.listed or not moved(saved, Endpoint(base=typed.base, models_url=typed.models_url)):
        return []
    there = {model.served for model in found.models}
    models = saved.language_models.filter(retired_at__isnull=True)
    return sorted(alias for alias, served in models.values_list("alias", "served") if served not in there)
