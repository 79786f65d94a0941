"""A shadow beside the member's turn, and the verdict on it.

A script gets the comparison to put into the page of the conversation; a plain browser gets a page of its own.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.shadows import Comparison, load_comparison
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_conversations


@require_safe
def shadow_page(request: PersonRequest, conversation_id: str, turn: int) -> HttpResponse:
    """Both proposals; `?part=shadow` for the shadow's card alone, to take the place of the one that is shown."""
    seen = _find(request, conversation_id, turn)
    if request.GET.get("part") == "shadow":
        return render(request, "shadows/_shadow.html", {"card": seen, "oob": True})
    return _show(request, seen)


@require_POST
def save_shadow_verdict(request: PersonRequest, conversation_id: str, turn: int) -> HttpResponse:
    """Record this person's verdict. A script gets the new card, or 422 with what was wrong; a browser its page."""
    seen = _find(request, conversation_id, turn)
    draft = Draft.read(request.POST)
    problems = record_draft(request.user, seen.shadow.call, draft)
    if problems:
        refused = replace(seen, draft=replace(draft, problems=problems))
        if request.htmx:
            return render(request, "shadows/_shadow.html", {"card": refused}, status=422)
        return _show(request, refused, status=422)
    if request.htmx:
        return render(request, "shadows/_judged.html", {"card": _find(request, conversation_id, turn)})
    messages.success(request, _("Verdict on %(who)s %(done)s.") % {"who": seen.shadow.alias, "done": draft.done})
    return redirect("dashboard:shadow", conversation_id, turn)


def _show(request: PersonRequest, seen: Comparison, status: int = 200) -> HttpResponse:
    part = request.htmx and not request.htmx.history_restore_request
    name = "shadows/_comparison.html" if part else "shadows/shadow.html"
    response = render(request, name, {"card": seen}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _find(request: PersonRequest, conversation_id: str, turn: int) -> Comparison:
    found = visible_conversations(request.user).select_related("owner")
    conversation = get_object_or_404(found, id=conversation_id)
    seen = load_comparison(conversation, turn, request.user)
    if seen is None:
        raise Http404
    looked_at(request, conversation, "shadow", seen.shadow.pk)
    return seen
