"""The two settings that bound every panel: how many seats it has, and how many of them explore."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from collections_app.actions.setting import do_save_settings
from collections_app.models import Setting
from collections_app.refusal import Refused


class GatewayForm(forms.Form):
    """Whole numbers; whether they fit the collections is the action's to say."""

    max_calls = forms.IntegerField()
    max_explorers = forms.IntegerField()


def gateway_form() -> GatewayForm:
    """The form as the settings stand, for whoever shows it on another page (`collections/_gateway.html`)."""
    row = Setting.load()
    return GatewayForm(initial={"max_calls": row.max_calls, "max_explorers": row.max_explorers})


@require_http_methods(["GET", "HEAD", "POST"])
def gateway_settings(request: PersonRequest) -> HttpResponse:
    """The form, and back to the collections once it is saved."""
    if request.method != "POST":
        return _show(request, gateway_form())
    form = GatewayForm(request.POST)
    if form.is_valid():
        try:
            do_save_settings(actor=request.user, **form.cleaned_data)
        except Refused as refusal:
            for field, sentence in refusal.problems:
                form.add_error(field if field in form.fields else None, sentence)
        else:
            messages.success(request, _("The limits of panels are saved."))
            return redirect("operations:gateway-settings")
    return _show(request, form, status=422)


def _show(request: PersonRequest, form: GatewayForm, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {"gateway": form}
    return render(request, "collections/gateway.html", context, status=status)
