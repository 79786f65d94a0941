"""The page of settings. Everybody sees their own; who may change the installation's sees those too, each section
saved by itself.
"""

from __future__ import annotations

import os
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.account import THEMES
from benchwarmers.operations.schedule.views import MEANS, MODES
from benchwarmers.operations.settings.sections import SECTIONS, SectionForm
from benchwarmers.operations.settings.server import read_server
from benchwarmers.people.answers import tried
from collections_app.actions.setting import do_save_settings
from collections_app.models import Setting
from collections_app.refusal import Refused
from collections_app.vault_rotation import rotation_state
from probes.catalog.names import OWN_APP_ONLY
from probes.catalog.store_choices import do_set_own_app, own_app_only

CHANGES: Final = "collections_app.change_setting"
SEES_FOLDERS: Final = "auth.change_user"
SAID: Final = {"yes": True, "no": False}


@require_safe
def settings_page(request: PersonRequest) -> HttpResponse:
    """One's own settings, and the installation's for those who may change them."""
    return _show(request)


@require_POST
def save_section(request: PersonRequest) -> HttpResponse:
    """Save one section, and back to it; with what was wrong, nothing is saved."""
    section = SECTIONS.get(request.POST.get("section", ""))
    if section is None:
        messages.error(request, _("There is no such section of the settings."))
        return redirect("operations:settings")
    form = section.form(Setting.load(), request.POST)
    if form.is_valid():
        try:
            do_save_settings(actor=request.user, **form.cleaned_data)
        except Refused as refusal:
            form.show(refusal)
    if form.errors:
        return _show(request, section.name, form)
    messages.success(request, _("Saved: %(section)s.") % {"section": section.title})
    return redirect(f"{reverse('operations:settings')}#{section.name}")


@require_POST
def set_own_app(request: PersonRequest) -> HttpResponse:
    """Say whether a provider's free models answer in its own application alone."""
    provider, only = request.POST.get("provider", ""), SAID.get(request.POST.get("only", ""))
    tried(request, lambda: do_set_own_app(actor=request.user, provider=provider, only=only))
    return redirect(f"{reverse('operations:settings')}#own-app")


def _show(request: PersonRequest, at: str = "", form: SectionForm | None = None) -> HttpResponse:
    context: dict[str, Any] = {"themes": THEMES}
    if request.user.has_perm(CHANGES):
        row = Setting.load()
        context |= {
            "setting": row,
            "sections": [(one, form if form and one.name == at else one.form(row)) for one in SECTIONS.values()],
            "mode": (MODES[row.scheduler], MEANS[row.scheduler]),
            "vault": rotation_state(),
            "server": read_server(settings.BENCH, os.environ, with_folders=request.user.has_perm(SEES_FOLDERS)),
        }
    if request.user.has_perm("probes.change_ownappprovider"):
        only = own_app_only()
        context["own_app"] = sorted((name, name in only) for name in OWN_APP_ONLY | only)
    return render(request, "settings/settings.html", context, status=422 if form else 200)
