"""The list of collections, also as a file, and the page of one with what can be done there."""

from __future__ import annotations

import csv
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.files import FORMATS, harmless
from benchwarmers.dashboard.veil import is_blind
from benchwarmers.operations.collections.filters import SORTS, ShelfFilters
from benchwarmers.operations.collections.form import COOLDOWNS, DISCONNECTS, RANKINGS, REPLIES, SHADOWS
from benchwarmers.operations.collections.page import load_page
from benchwarmers.operations.collections.preview import CARRIES
from benchwarmers.operations.collections.shelf import Line, load_shelf
from benchwarmers.people.answers import tried
from benchwarmers.sight import visible_collections
from collections_app.actions.alias import do_remove_alias, do_save_alias
from collections_app.actions.collection import SHAPES, do_remove_collection
from collections_app.models import Collection

LABELS: Final = {
    "name": gettext_lazy("Collection"),
    "members": gettext_lazy("Line-up"),
    "shape": gettext_lazy("Shape"),
    "reply": gettext_lazy("Reply"),
    "context": gettext_lazy("Together"),
    "asked": gettext_lazy("Last asked"),
}
FILE: Final = (
    *("name", "description", "tags", "team", "members", "explorers", "shape", "reply", "merger"),
    *("context_window", "capabilities", "connections", "rpm", "rpd", "tpm", "tpd", "last_asked", "asked_by"),
)
WORDS: Final = {
    "reply": dict(REPLIES),
    "ranking": dict(RANKINGS),
    "cooldown": dict(COOLDOWNS),
    "on_disconnect": dict(DISCONNECTS),
    "shadow_who": dict(SHADOWS),
}


@require_safe
def collections_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows, and with `format=csv` a file of all that pass the filters."""
    filters = ShelfFilters.read(request.GET)
    if request.GET.get("format") == "csv":
        return _file(load_shelf(request.user, filters, size=None).lines)
    shelf = load_shelf(request.user, filters)
    context: dict[str, Any] = {"filters": filters, "shelf": shelf, "columns": _columns(filters)}
    context |= {"newer": filters.at(shelf.page - 1).here, "older": filters.at(shelf.page + 1).here}
    context |= {"replies": REPLIES, "reply_words": WORDS["reply"], "shapes": SHAPES}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "collections/_list.html", context)
        if request.htmx.trigger == "collection-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        response = render(request, "collections/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def collection_page(request: PersonRequest, name: str) -> HttpResponse:
    """One collection; for a script only its preview."""
    row = find_collection(request, name)
    carries = request.GET.get("carries", "")
    carries = carries if carries in CARRIES else "text"
    page = load_page(request.user, row, timezone.now(), carries=carries, blind=is_blind(request))
    context = {"page": page, "collection": row, "carries": carries, "carried": CARRIES, "words": WORDS}
    context |= {"preview": page.preview, "address": address_of(request)}
    part = request.htmx and not request.htmx.history_restore_request
    response = render(request, "collections/_preview.html" if part else "collections/collection.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def remove_collection(request: PersonRequest, name: str) -> HttpResponse:
    """Remove it with its aliases; what was asked of it stays on record."""
    row = find_collection(request, name)
    done = _("%s is removed. What was asked of it stays on record.") % row
    tried(request, lambda: do_remove_collection(actor=request.user, name=row.name), done)
    if Collection.objects.filter(pk=row.pk).exists():
        return redirect("operations:collection", row.name)
    return redirect("operations:collections")


@require_POST
def change_aliases(request: PersonRequest, name: str) -> HttpResponse:
    """Let another name mean this collection (`alias`, and the `mode` of answering), or take one away (`remove`)."""
    row = find_collection(request, name)
    removed, alias = request.POST.get("remove", "").strip(), request.POST.get("alias", "").strip()
    mode = request.POST.get("mode", "").strip()
    if removed:
        if not row.aliases.filter(name=removed).exists():
            raise Http404
        done = _("%s means nothing here any more.") % removed
        tried(request, lambda: do_remove_alias(actor=request.user, name=removed), done)
    else:
        target = f"{row}:{mode}" if mode else str(row)
        done = _("%(alias)s now means %(target)s.") % {"alias": alias, "target": target}
        tried(request, lambda: do_save_alias(actor=request.user, name=alias, target=target), done)
    return redirect("operations:collection", row.name)


def find_collection(request: PersonRequest, name: str) -> Collection:
    """The collection of this name, if this person may see it.

    :raises Http404: otherwise.
    """
    return get_object_or_404(visible_collections(request.user).select_related("merger", "team"), name=name)


def _columns(filters: ShelfFilters) -> dict[str, tuple[Any, str, str]]:
    """(label, address, how it is sorted) by column."""
    way = "descending" if filters.sort.startswith("-") else "ascending"
    sorted_by = filters.sort.removeprefix("-")
    return {
        column: (LABELS[column], filters.sorted_by(column).here, way if column == sorted_by else "") for column in SORTS
    }


def _file(lines: Any) -> HttpResponse:
    response = HttpResponse(content_type=FORMATS["csv"])
    response["Content-Disposition"] = 'attachment; filename="collections.csv"'
    out = csv.writer(response)
    out.writerow(FILE)
    out.writerows([harmless(value) for value in _cells(line)] for line in lines)
    return response


def _cells(line: Line) -> list[Any]:
    view, together, asked = line.view, line.together, line.asked
    by = asked.what.owner.get_username() if asked and asked.what.owner else asked.what.caller if asked else ""
    return [
        *(view.full_name, view.description, " ".join(view.tags), line.team, " ".join(view.members), line.explorers),
        *(view.shape, view.reply, view.merger, together.context_window),
        *(" ".join(together.capabilities), " ".join(together.connections)),
        *(together.limits[axis] for axis in ("rpm", "rpd", "tpm", "tpd")),
        *(timezone.localtime(asked.at).isoformat() if asked else "", by),
    ]
