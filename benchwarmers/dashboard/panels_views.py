"""The list of panels: its pages, the list as a file, and what can be done to several panels at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.cards import PLAYING
from benchwarmers.dashboard.files import FORMATS, harmless
from benchwarmers.dashboard.judge import count_owed
from benchwarmers.dashboard.markdown import first_line
from benchwarmers.dashboard.mining import may_mine, mine_panels
from benchwarmers.dashboard.paging import PAGE, STATES
from benchwarmers.dashboard.panel_filters import DAYS, SHAPES, SORTS, PanelFilters
from benchwarmers.dashboard.selectors import NEWEST, PanelRow, load_collection_names, load_panels
from benchwarmers.dashboard.veil import FAILED, is_blind, is_covered
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import SEES_PANELS, visible_panels
from collections_app.models import Verdict
from gateway.models import Panel, Seat
from gateway.readings import note_export
from gateway.sharing import do_share_panel

MOST_ROWS: Final = 5_000
"""Rows of the list as a file."""
PIECE: Final = 500
COLUMNS: Final = (
    *("panel", "asked_at", "asked_by", "collection", "shape", "state", "seconds", "seats", "answered", "judged"),
    *("owed_by_you", "models", "asked"),
)


@require_safe
def panels_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows, with `format=csv` a file."""
    filters, person = PanelFilters.read(request.GET), request.user
    if request.GET.get("format") == "csv":
        return _as_file(request, filters)
    judges = person.has_perm("gateway.judge")
    context = {
        "filters": filters,
        "list": load_panels(person, filters, timezone.now(), blind=is_blind(request)),
        "address": address_of(request),
        "judges": judges,
        "mines": may_mine(person),
        "sorted": SORTS[filters.rising],
        "newest": NEWEST,
    }
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "panels/_list.html", context)
        if request.htmx.trigger == "panel-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        context |= {"collections": load_collection_names(person), "states": STATES, "shapes": SHAPES, "days": DAYS}
        context["owed"] = count_owed(person) if judges else 0
        response = render(request, "panels/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def act_on_panels(request: PersonRequest) -> HttpResponse:
    """One verdict on all answers of the panels that are ticked which this person has not judged, or tasks of their
    claims; back to the list."""
    person, verb = request.user, request.POST.get("verb", "")
    back = redirect(reverse("dashboard:panels") + PanelFilters.read(request.GET).here)
    chosen = list(visible_panels(person).filter(pk__in=request.POST.getlist("panel")[:PAGE]).order_by("-started_at"))
    if not chosen:
        messages.error(request, _("Tick the panels that are meant."))
    elif verb in ("useful", "not-useful"):
        _judge_all(request, chosen, useful=verb == "useful")
    elif verb == "mine" and may_mine(person):
        _mine(request, chosen)
    else:
        messages.error(request, _("Choose what is to be done with the panels."))
    return back


@require_POST
def mine_panel(request: PersonRequest, panel_id: str) -> HttpResponse:
    """Drafts of the claims of one panel; back to it."""
    _mine(request, [get_object_or_404(visible_panels(request.user), pk=panel_id)])
    response = redirect("dashboard:panel", panel_id)
    response["Location"] += "#claims"
    return response


@require_POST
def share_panel(request: PersonRequest, panel_id: str) -> HttpResponse:
    """`shared=yes` lets everybody signed in read it by its address, anything else ends that; back to it."""
    panel = get_object_or_404(visible_panels(request.user), pk=panel_id)
    shared = request.POST.get("shared") == "yes"
    do_share_panel(actor=request.user, panel=panel, shared=shared, now=timezone.now())
    told = _("Everybody who is signed in can open this panel by its link.") if shared else _("It is shared no longer.")
    messages.success(request, told)
    return redirect("dashboard:panel", panel_id)


def _mine(request: PersonRequest, panels: list[Panel]) -> None:
    """Make drafts of these panels' claims and say what became of them."""
    done = mine_panels(request.user, panels)
    for why in done.refused:
        messages.warning(request, why)
    if done.made:
        told = ngettext("%(count)d draft waits for review.", "%(count)d drafts wait for review.", done.made)
        messages.success(request, told % {"count": done.made})


def _judge_all(request: PersonRequest, panels: list[Panel], *, useful: bool) -> None:
    person, blind = request.user, is_blind(request)
    seats = list(Seat.objects.filter(panel__in=panels).only("call", "panel_id", "status"))
    mine = set(
        Verdict.objects.filter(judge=person, call__in=[seat.call for seat in seats]).values_list("call", flat=True)
    )
    count, problems = 0, []
    for panel in panels:
        own = [seat for seat in seats if seat.panel_id == panel.pk]
        hidden = blind and is_covered(panel.state == "running", ((seat.status, seat.call in mine) for seat in own))
        for seat in own:
            if seat.call in mine or seat.status == FAILED or seat.status in PLAYING:
                continue
            said = record_draft(person, seat.call, Draft(useful=useful), blind=hidden)
            problems += said
            count += not said
    for problem in dict.fromkeys(problems):
        messages.error(request, problem)
    told = ngettext("%(count)d answer judged.", "%(count)d answers judged.", count) % {"count": count}
    (messages.success if count else messages.warning)(request, told if count else _("All of it was judged already."))


def _as_file(request: PersonRequest, filters: PanelFilters) -> HttpResponse:
    if request.user.has_perm(SEES_PANELS) and not filters.whose:
        note_export(request.user, "panels", now=timezone.now())
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in _all_rows(request, filters):
        writer.writerow([harmless(cell) for cell in _cells(row)])
    response = HttpResponse(text.getvalue(), content_type=FORMATS["csv"])
    response["Content-Disposition"] = 'attachment; filename="panels.csv"'
    return response


def _all_rows(request: PersonRequest, filters: PanelFilters) -> Iterator[PanelRow]:
    now, blind = timezone.now(), is_blind(request)
    for _piece in range(MOST_ROWS // PIECE):
        page = load_panels(request.user, filters, now, blind=blind, size=PIECE)
        yield from page.rows
        if not page.older:
            return
        filters = filters.below(page.rows[-1].panel)


def _cells(row: PanelRow) -> list[object]:
    panel = row.panel
    ended = panel.finished_at
    took = round((ended - panel.started_at).total_seconds(), 1) if ended and not row.hidden else None
    return [
        panel.pk,
        panel.started_at.isoformat(),
        panel.owner.get_username() if panel.owner else panel.caller,
        panel.collection_name,
        panel.shape,
        panel.state,
        took,
        len(row.seats),
        sum(seat.status == "ok" for seat in row.seats),
        row.judged,
        row.owed,
        "" if row.hidden else " ".join(seat.alias for seat in row.seats),
        first_line(row.head),
    ]
