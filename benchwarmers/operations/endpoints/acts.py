"""What the buttons of the pages of endpoints do. Each leads back to a page, and tells there how it went."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.endpoints.form import EndpointForm, fill_preset
from benchwarmers.operations.endpoints.saving import save
from collections_app.actions.endpoint import do_make_default, do_remove_endpoint
from collections_app.actions.endpoint_key import do_remove_key, free_name
from collections_app.models import Endpoint
from collections_app.refusal import Refused
from gateway.canon.kinds import EndpointKind
from gateway.canon.names import SLUG
from probes.detect import keys_at_hand


@require_POST
def adopt(request: PersonRequest) -> HttpResponse:
    """Add what was found: a server on this machine, or a provider whose key the environment holds."""
    values = _key_values(request.POST) if "preset" in request.POST else _runtime_values(request.POST)
    if not values:
        messages.error(request, _("That is not at hand any more."))
        return redirect("operations:endpoints")
    form = EndpointForm({"do": "save", **values})
    tried = save(request.user, form) if form.is_valid() else None
    if tried is None or tried.row is None:
        for reasons in form.errors.values():
            messages.error(request, " ".join(map(str, reasons)))
        if "preset" not in values:
            return redirect("operations:endpoints-found")
        known = urlencode([("preset", values["preset"]), ("key_env", values["key_env"])])
        return redirect(f"{reverse('operations:endpoint-new')}?{known}")
    messages.success(request, _("The endpoint %(name)s is saved.") % {"name": tried.row.name})
    listed = len(tried.found.models) if tried.found else 0
    return redirect(f"{reverse('operations:endpoint', args=[tried.row.name])}?listed={listed}")


@require_POST
def make_default(request: PersonRequest, name: str) -> HttpResponse:
    """The default from now on."""
    get_object_or_404(Endpoint, name=name)
    done = _("%(name)s is the default endpoint.") % {"name": name}
    return _do(request, name, lambda: do_make_default(actor=request.user, name=name), done)


@require_POST
def remove_key(request: PersonRequest, name: str) -> HttpResponse:
    """Forget the stored key."""
    get_object_or_404(Endpoint, name=name)
    hubs = request.POST.get("which") == "administration"
    return _do(
        request,
        name,
        lambda: do_remove_key(actor=request.user, name=name, administration=hubs),
        _("The stored key of %(name)s is gone.") % {"name": name},
    )


@require_POST
def remove(request: PersonRequest, name: str) -> HttpResponse:
    """Remove the endpoint; with its models only after its name was typed."""
    row = get_object_or_404(Endpoint, name=name)
    if row.scripted:
        raise Http404
    with_models = row.language_models.exists() or row.decision_models.exists()
    if with_models and request.POST.get("confirm", "").strip() != name:
        told = _("Type the name %(name)s to remove it together with its models.")
        messages.error(request, told % {"name": name})
        return redirect("operations:endpoint", name)
    try:
        do_remove_endpoint(actor=request.user, name=name, with_models=with_models)
    except Refused as refusal:
        _tell(request, refusal)
        return redirect("operations:endpoint", name)
    told = (
        _("The endpoint %(name)s is removed with its models.")
        if with_models
        else _("The endpoint %(name)s is removed.")
    )
    messages.success(request, told % {"name": name})
    return redirect("operations:endpoints")


def _do(request: PersonRequest, name: str, act: Callable[[], object], done: str) -> HttpResponse:
    try:
        act()
    except Refused as refusal:
        _tell(request, refusal)
    else:
        messages.success(request, done)
    return redirect("operations:endpoint", name)


def _tell(request: PersonRequest, refusal: Refused) -> None:
    for _field, sentence in refusal.problems:
        messages.error(request, sentence)


def _key_values(sent: Any) -> dict[str, Any]:
    """The fields for a provider whose key is at hand; none when it is not, or not any more."""
    for key in keys_at_hand(os.environ):
        if key.preset.id == sent["preset"]:
            return {
                "preset": key.preset.id,
                **fill_preset(key.preset, free_name(key.preset.id)),
                "key_env": key.variable,
            }
    return {}


def _runtime_values(sent: Any) -> dict[str, Any]:
    """The fields for a server that was found, as the page offered them; none for anything else."""
    wanted = sent.get("id", "")
    if SLUG.fullmatch(wanted) is None:
        return {}
    given = {name: sent.get(name, "") for name in ("base", "api")}
    return {"name": free_name(wanted), "kind": EndpointKind.LOCAL.value, **given}
