"""Revokes several keys at once: first a page that names them and says what it means, then the deed with its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.keys import KeyFilters, managed_of
from benchwarmers.sight import visible_keys
from collections_app.actions.key import do_revoke_key
from collections_app.models import GatewayKey
from collections_app.refusal import Refused

MOST: Final = 100
"""Keys that one click closes."""


@require_POST
def revoke_keys(request: PersonRequest) -> HttpResponse:
    """Asks, and with `confirmed=yes` does; either way tells of ticked keys that are not this person's to revoke."""
    query = KeyFilters.read(request.GET).here
    back = reverse("dashboard:keys") + query
    said = [one for one in request.POST.getlist("key")[:MOST] if one.isascii() and one.isdigit()]
    ticked = {int(one) for one in said if len(one) < 19}
    rows = list(visible_keys(request.user).filter(pk__in=ticked).select_related("owner", "team").order_by("name"))
    managed = managed_of(request.user, rows)
    ours = [row for row in rows if row.pk in managed]
    if not ours:
        messages.error(request, _("Tick keys that you may revoke and that are not revoked yet."))
        return redirect(back)
    if request.POST.get("confirmed") != "yes":
        passed = [row.name for row in rows if row.pk not in managed]
        return render(request, "keys/revoke.html", {"keys": ours, "passed": passed, "back": back, "query": query})
    _revoke(request, ours)
    return redirect(back)


def _revoke(request: PersonRequest, rows: Sequence[GatewayKey]) -> None:
    done = []
    for row in rows:
        try:
            do_revoke_key(actor=request.user, name=row.name)
        except Refused as refusal:  # somebody else was quicker
            told = _("%(name)s: %(why)s") % {"name": row.name, "why": refusal}
            messages.error(request, told)
        else:
            done.append(str(row))
    if done:
        told = ngettext(
            "%(n)s key is revoked and opens nothing any more: %(names)s.",
            "%(n)s keys are revoked and open nothing any more: %(names)s.",
            len(done),
        )
        messages.success(request, told % {"n": len(done), "names": ", ".join(done)})
