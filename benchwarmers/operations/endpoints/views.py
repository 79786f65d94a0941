"""The list of endpoints, and what could be added without typing."""

from __future__ import annotations

import os

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.endpoints.selectors import load_endpoints, path_to
from gateway.canon.kinds import EndpointKind
from probes.detect import find_runtimes, keys_at_hand


@require_safe
def endpoints_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows."""
    lines = load_endpoints(timezone.now())
    adds = request.user.has_perm("collections_app.add_endpoint")
    context = {
        "lines": lines,
        "real": any(line.row.kind != EndpointKind.PRACTICE for line in lines),
        "keys": keys_at_hand(os.environ) if adds else [],
        "sign_ins": path_to("sign-ins"),
    }
    page = (
        "endpoints/_list.html" if request.htmx and not request.htmx.history_restore_request else "endpoints/list.html"
    )
    response = render(request, page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def found_here(request: PersonRequest) -> HttpResponse:
    """Asks the usual ports of this machine, because somebody opened this. For a script only what was found."""
    page = "endpoints/_found.html" if request.htmx else "endpoints/found.html"
    response = render(request, page, {"runtimes": find_runtimes()})
    patch_vary_headers(response, ["HX-Request"])
    return response
