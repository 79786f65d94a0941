"""The pages of gateway keys: the list, a new one, one key with what may be changed, rotating and revoking.

A key that may not be seen is 404; one that is seen and not managed can only be looked at. The secret is in the answer
to the request that made it and nowhere else, so making and rotating answer with a page instead of a redirect.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.dashboard.keys import (
    STATES,
    KeyFilters,
    load_every_key,
    load_keys,
    load_owners,
    load_teams,
    row_of,
    with_use,
)
from benchwarmers.dashboard.keys_file import write_csv
from benchwarmers.dashboard.keys_form import KeyForm
from benchwarmers.sight import SEES_KEYS, visible_keys
from collections_app.actions.key import do_create_key, do_revoke_key, do_rotate_key, do_scope_key
from collections_app.actions.key_rules import collections_for, may_loosen, may_manage
from collections_app.models import GatewayKey
from collections_app.refusal import Refused

OVERLAPS = (
    (0, gettext_lazy("at once")),
    (60, gettext_lazy("in an hour")),
    (1440, gettext_lazy("in a day")),
    (10080, gettext_lazy("in a week")),
    (43200, gettext_lazy("in 30 days")),
)
"""Minutes until the old key closes."""
MOVED = gettext_lazy("This key was rotated while you looked. Look again, and rotate it if it is still to be.")

ORDERS = {
    "made": gettext_lazy("Made"),
    "name": gettext_lazy("Name"),
    "owner": gettext_lazy("Owner"),
    "used": gettext_lazy("Last used"),
    "expires": gettext_lazy("Expires"),
}
STATE_WORDS = {
    "open": gettext_lazy("Open"),
    "rotating": gettext_lazy("Rotating"),
    "expired": gettext_lazy("Expired"),
    "revoked": gettext_lazy("Revoked"),
}


@require_safe
def keys_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows; with `format=csv` all of it as a file."""
    filters, now = KeyFilters.read(request.GET), timezone.now()
    if request.GET.get("format") == "csv":
        response = HttpResponse(write_csv(load_every_key(request.user, filters, now)), content_type=FORMATS["csv"])
        response["Content-Disposition"] = f'attachment; filename="keys-{timezone.localtime(now):%Y-%m-%d}.csv"'
        return response
    context = {"filters": filters, "list": load_keys(request.user, filters, now), "orders": _orders(filters)}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "keys/_list.html", context)
        if request.htmx.trigger == "key-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        states = [(state, STATE_WORDS[state]) for state in STATES]
        context |= {"owners": load_owners(request.user), "teams": load_teams(request.user), "states": states}
        context |= {"sees_all": request.user.has_perm(SEES_KEYS)}
        response = render(request, "keys/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def new_key_page(request: PersonRequest) -> HttpResponse:
    """The form; made, the key itself, once; 422 with what was wrong."""
    now = timezone.now()
    form = KeyForm(request.user, None, request.POST if request.method == "POST" else None, now=now)
    if request.method == "POST" and form.is_valid():
        try:
            row, plain = do_create_key(actor=request.user, name=form.cleaned_data["name"], **form.values())
        except Refused as refusal:
            form.show(refusal)
        else:
            return _show_once(request, row, plain)
    return render(request, "keys/new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def key_page(request: PersonRequest, key: int) -> HttpResponse:
    """One key, and the form to change it for those who manage it."""
    now = timezone.now()
    row = _find(request, key, now)
    if request.method != "POST":
        return _key_page(request, row, now)
    form = KeyForm(request.user, _manage(request, row), request.POST, now=now)
    if form.is_valid():
        try:
            do_scope_key(actor=request.user, name=row.name, **form.values())
        except Refused as refusal:
            form.show(refusal)
        else:
            told = _("The key %(name)s is as you said, from the next request on.") % {"name": row.name}
            messages.success(request, told)
            return redirect("dashboard:key", key)
    return _key_page(request, row, now, form=form, status=422)


@require_POST
def rotate_key(request: PersonRequest, key: int) -> HttpResponse:
    """The new secret, once; 422 when the key is no longer the one that was looked at."""
    now = timezone.now()
    row = _manage(request, _find(request, key, now))
    minutes = request.POST.get("minutes", "")
    problem = "" if request.POST.get("hint") == row.hint else str(MOVED)
    known = {str(one) for one, _words in OVERLAPS}
    problem = problem or ("" if minutes in known else _("Choose how long the old key opens."))
    if not problem:
        try:
            rotated = do_rotate_key(actor=request.user, name=row.name, overlap=timedelta(minutes=int(minutes)), now=now)
        except Refused as refusal:
            problem = str(refusal)
        else:
            told = {"old": row.hint, "until": rotated.row.previous_until, "replaced": rotated.replaced}
            return _show_once(request, rotated.row, rotated.plain, told)
    return _key_page(request, row, now, problem=problem, status=422)


@require_POST
def revoke_key(request: PersonRequest, key: int) -> HttpResponse:
    """Closed for good; back to the list."""
    row = _manage(request, _find(request, key, timezone.now()))
    do_revoke_key(actor=request.user, name=row.name)
    messages.success(request, _("The key %(key)s is revoked: it opens nothing any more.") % {"key": row})
    return redirect("dashboard:keys")


def _orders(filters: KeyFilters) -> list[tuple[object, str, str]]:
    """(label, query string, how it is sorted so or empty) of each order."""
    way = "descending" if filters.sort.startswith("-") else "ascending"
    by = filters.sort.removeprefix("-")
    return [(label, filters.sorted_by(name).here, way if name == by else "") for name, label in ORDERS.items()]


def _find(request: PersonRequest, key: int, now: datetime) -> GatewayKey:
    return get_object_or_404(with_use(visible_keys(request.user), now), pk=key)


def _manage(request: PersonRequest, row: GatewayKey) -> GatewayKey:
    """The key, for somebody who may change it and while it can be."""
    if row.revoked_at is not None or not may_manage(request.user, row):
        raise PermissionDenied
    return row


def _key_page(
    request: PersonRequest,
    row: GatewayKey,
    now: datetime,
    *,
    form: KeyForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    managed = row.revoked_at is None and may_manage(request.user, row)
    context = {
        "row": row_of(row, now),
        "key": row,
        "form": form or (KeyForm(request.user, row, now=now) if managed else None),
        "loosens": may_loosen(request.user),
        "overlaps": OVERLAPS,
        "problem": problem,
    }
    return render(request, "keys/key.html", context, status=status)


def _show_once(
    request: PersonRequest, row: GatewayKey, plain: str, rotated: Mapping[str, object] | None = None
) -> HttpResponse:
    """The page with the secret, and lines that use it."""
    named = row.collections.order_by("name") if row.scoped else collections_for(row.owner, row.team).order_by("name")
    first = named.values_list("name", flat=True).first()
    context = {"key": row, "plain": plain, "rotated": rotated, "address": address_of(request), "collection": first}
    return render(request, "keys/made.html", context)
