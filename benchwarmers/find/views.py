"""The page of what was found; the palette asks for its list alone."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.find.search import find

LONGEST = 200
"""Characters of a question; what is longer is cut."""


@require_safe
def find_page(request: PersonRequest) -> HttpResponse:
    """Everything that answers to `?q=`, in groups; without a question, the pages."""
    words = request.GET.get("q", "").strip()[:LONGEST]
    context = {"words": words, "found": find(request.user, words)}
    return render(request, "find/_found.html" if request.htmx else "find/find.html", context)
