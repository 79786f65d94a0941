"""The editor of collections: a new one, or one that there is. What is typed is shown as it would sit before anything is
saved; whatever the buttons do works without scripts too.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.collections.form import CollectionForm
from benchwarmers.operations.collections.misfits import SUGGESTED
from benchwarmers.operations.collections.page import moment_of
from benchwarmers.operations.collections.picks import chosen, offered, warn
from benchwarmers.operations.collections.preview import CARRIES, preview
from benchwarmers.operations.collections.views import find_collection
from benchwarmers.sight import visible_collections, visible_teams
from collections_app.actions.collection import LONGEST_DESCRIPTION, MOST_TAGS, do_save_collection
from collections_app.models import Collection
from collections_app.refusal import Refused
from gateway.api.listing import together_of
from gateway.canon.kinds import ModelRole
from gateway.engine.explorers import explorer_places
from gateway.engine.loading import load_seating
from gateway.engine.snapshot import Snapshot
from probes.models import ConnectionFact

IN_USE: Final = 24
"""Tags in use that are offered beside the usual ones."""


@require_http_methods(["GET", "HEAD", "POST"])
def new_collection(request: PersonRequest) -> HttpResponse:
    """The form, empty or like another one (`?like=`); once it is saved, the collection's page."""
    if request.method == "POST":
        return _answer(request, CollectionForm(request.POST))
    like = request.GET.get("like", "")
    return _show(request, CollectionForm(like=find_collection(request, like) if like else None))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_collection(request: PersonRequest, name: str) -> HttpResponse:
    """The form of one that there is; once it is saved, its page."""
    row = find_collection(request, name)
    if request.method == "POST":
        return _answer(request, CollectionForm(request.POST, row=row))
    return _show(request, CollectionForm(row=row))


def _answer(request: PersonRequest, form: CollectionForm) -> HttpResponse:
    if request.POST.get("do") != "save":
        form.errors.clear()  # who is still typing is told nothing yet
        return _show(request, form)
    if form.is_valid():
        try:
            row = do_save_collection(actor=request.user, **form.values())
        except Refused as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("%s is saved; the next request is answered so.") % row)
            return redirect("operations:collection", row.name)
    return _show(request, form, status=422)


def _show(request: PersonRequest, form: CollectionForm, status: int = 200) -> HttpResponse:
    """The form with everything that follows from it; for a script only that."""
    snapshot = load_seating(Collection.objects.none())
    context = {"form": form, "collection": form.row, **_parts(request, form, snapshot)}
    if request.htmx and request.method == "POST":
        return render(request, "collections/_parts.html", context)
    return render(request, "collections/edit.html", context | _choices(request, form, snapshot), status=status)


def _parts(request: PersonRequest, form: CollectionForm, snapshot: Snapshot) -> dict[str, Any]:
    """What changes with each change: who is chosen, who is offered, what would come of it."""
    now, view = timezone.now(), form.view()
    find = request.POST.get("find", "")[:100]
    carries = request.POST.get("carries", "")
    carries = carries if carries in CARRIES else "text"
    paid = set(ConnectionFact.objects.filter(paid=True).values_list("connection", flat=True))
    limit = snapshot.max_explorers if view.max_explorers is None else view.max_explorers
    return {
        "view": view,
        "picked": chosen(form.seats, form.words, snapshot, paid, now.timestamp()),
        "pool": offered(find, set(form.seats), form.words, snapshot, paid, now.timestamp()),
        "warnings": warn(view, snapshot),
        "together": together_of([snapshot.models[alias] for alias in view.members if alias in snapshot.models]),
        "room": snapshot.max_calls,
        "explorers": explorer_places(len(view.members), snapshot.max_calls, limit),
        "preview": preview(view, snapshot, moment_of(snapshot, now), carries) if view.members else None,
        "find": find,
        "carries": carries,
        "carried": CARRIES,
    }


def _choices(request: PersonRequest, form: CollectionForm, snapshot: Snapshot) -> dict[str, Any]:
    """What the fields offer."""
    used = Collection.objects.filter(pk__in=visible_collections(request.user).values("pk"))
    tags = dict.fromkeys(tag for tags in used.values_list("tags", flat=True) for tag in tags)
    known = [*SUGGESTED, *[tag for tag in tags if tag not in SUGGESTED][:IN_USE]]
    own = str(form["team"].value() or "")
    mergers = [
        model.alias
        for model in snapshot.models.values()
        if not model.retired and model.role not in (ModelRole.DECISION, ModelRole.IMAGE)
    ]
    return {
        "tags": list(dict.fromkeys([*known, *form.words])),
        "mergers": sorted({*mergers, *filter(None, [str(form["merger"].value() or "")])}, key=str.casefold),
        "teams": sorted({*visible_teams(request.user).values_list("name", flat=True), *filter(None, [own])}),
        "most_tags": MOST_TAGS,
        "longest": LONGEST_DESCRIPTION,
    }
