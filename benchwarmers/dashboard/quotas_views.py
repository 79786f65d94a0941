"""The page of quotas, its tables as files, and setting what a connection may be sent."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS, harmless
from benchwarmers.dashboard.pieces import Piece, cut_piece, page_number
from benchwarmers.dashboard.quota_cards import Card, load_cards
from benchwarmers.dashboard.quota_gauges import AXES, LABELS
from benchwarmers.dashboard.quotas import QuotaPage, load_quotas
from collections_app.actions.limit import do_remove_limit, do_save_limit
from collections_app.refusal import Refused
from gateway.engine.pace_told import load_adapted

SET: Final = "collections_app.change_connectionlimit"
SIZES: Final = {"cards": 12, "left": 50, "sent": 50, "resting": 50, "known": 50}
"""Rows of a page of each part."""


@require_safe
def quotas_page(request: PersonRequest) -> HttpResponse:
    """What is full and until when, what providers say is left, what was sent, who rests and what is known; for those
    who may see quotas. `?format=csv&of=` is one of the tables as a file."""
    now = timezone.now()
    page = load_quotas(now)
    if request.GET.get("format") == "csv":
        return _file(page, request.GET.get("of", "left"))
    at_once = load_adapted(settings.BENCH.redis_url, now)
    return _render(request, page, load_cards(page, at_once, settings.BENCH.redis_url, now), at_once)


@require_POST
def set_limit(request: PersonRequest) -> HttpResponse:
    """Save the limits of one connection; all of them left out removes them."""
    name = request.POST.get("connection", "")
    typed = {axis: request.POST.get(axis, "").strip() for axis in AXES}
    try:
        if any(typed.values()):
            do_save_limit(actor=request.user, name=name, **{axis: _number(text) for axis, text in typed.items()})
            messages.success(request, _("The limits of %(name)s are set.") % {"name": name})
        else:
            do_remove_limit(actor=request.user, name=name)
            messages.success(request, _("%(name)s has no limits any more.") % {"name": name})
    except Refused as refusal:
        messages.error(request, " ".join(sentence for _field, sentence in refusal.problems))
    return redirect(f"{reverse('dashboard:quotas')}#connections")


def _render(request: PersonRequest, page: QuotaPage, cards: Sequence[Card], at_once: Any) -> HttpResponse:
    parts: dict[str, Sequence[Any]] = {"cards": cards}
    parts |= {name: getattr(page, name) for name in SIZES if name != "cards"}
    context = {name: _piece(request, name, rows) for name, rows in parts.items()}
    told = {"at_once": at_once, "axes": list(LABELS.items()), "may_set": request.user.has_perm(SET)}
    return render(request, "quotas/quotas.html", context | told | {"full": [one for one in cards if one.full]})


def _piece(request: PersonRequest, part: str, rows: Sequence[Any]) -> Piece[Any]:
    pages = {name: page for name in SIZES if (page := page_number(request.GET.get(name, ""))) > 1}

    def at(page: int) -> str:
        return f"?{urlencode({**pages, part: page})}#{'connections' if part == 'cards' else f'quota-{part}'}"

    return cut_piece(rows, pages.get(part, 1), SIZES[part], at)


def _number(text: str) -> Any:
    """A whole number, or the text itself, which the action refuses in words."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else (text or None)


def _file(page: QuotaPage, part: str) -> HttpResponse:
    match part:
        case "left":
            head = ["connection", "model", "metric", "window", "left", "of", "starts_anew", "told", "source"]
            rows: Iterable[Sequence[Any]] = (
                (q.connection, q.alias, q.metric, q.window, q.remaining, q.limit, q.reset_at, q.observed_at, q.source)
                for q in (one.quota for one in page.left)
            )
        case "sent":
            head = ["connection", "requests_24h", "tokens_24h", "requests_month", "tokens_month"]
            rows = ((o.connection, o.requests, o.tokens, o.month_requests, o.month_tokens) for o in page.sent)
        case "resting":
            head = ["model", "connection", "minutes", "stated"]
            rows = ((one.alias, one.connection, one.minutes, one.stated) for one in page.resting)
        case "known":
            head = ["connection", "model", *AXES, "source", "at"]
            rows = ((one.connection, one.alias, *one.limits, one.source, one.at) for one in page.known)
        case _:
            raise Http404("A file is of left, sent, resting or known.")
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(head)
    write.writerows([harmless(cell) for cell in row] for row in rows)
    response = HttpResponse(out.getvalue(), content_type=FORMATS["csv"])
    response["Content-Disposition"] = f'attachment; filename="quotas-{part}.csv"'
    return response
