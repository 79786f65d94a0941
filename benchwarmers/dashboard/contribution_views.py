"""The page "What each seat adds": what the models of a collection contribute, how they agree, how often they err."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.contribution import NEWEST, is_there, load_page


@require_safe
def contribution_page(request: PersonRequest, collection: str) -> HttpResponse:
    """Over the panels this person may see; 404 for a collection of which they see nothing."""
    if not is_there(request.user, collection):
        raise Http404
    context = {
        "collection": collection,
        "page": load_page(request.user, collection),
        "most": NEWEST,
        "sees_all": request.user.has_perm("gateway.view_all_panels"),
    }
    return render(request, "evidence/contribution.html", context)
