"""The list of endpoints, and what could be added without typing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.files import FORMATS
from benchwarmers.operations.endpoints.blocks import Block, ListFilters, load_blocks
from benchwarmers.operations.endpoints.export import write_csv
from benchwarmers.operations.endpoints.selectors import path_to
from gateway.canon.kinds import EndpointKind
from probes.detect import find_runtimes, keys_at_hand

COLUMNS: Final = (("name", gettext_lazy("Name")), ("models", gettext_lazy("Models")))
"""What the list is sorted by."""


@require_safe
def endpoints_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the blocks; with `format=csv` all of it as a file."""
    filters, now = ListFilters.read(request.GET), timezone.now()
    blocks = load_blocks(filters, now)
    if request.GET.get("format") == "csv":
        response = HttpResponse(write_csv(blocks), content_type=FORMATS["csv"])
        response["Content-Disposition"] = f'attachment; filename="endpoints-{timezone.localtime(now):%Y-%m-%d}.csv"'
        return response
    alone = request.htmx and not request.htmx.history_restore_request
    response = render(request, f"endpoints/{'_list' if alone else 'list'}.html", _context(request, filters, blocks))
    if alone and request.htmx.trigger == "endpoint-filter":
        response["HX-Push-Url"] = f"{request.path}{filters.here}"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _context(request: PersonRequest, filters: ListFilters, blocks: Sequence[Block]) -> dict[str, Any]:
    adds = request.user.has_perm("collections_app.add_endpoint")
    real = any(block.line.row.kind != EndpointKind.PRACTICE for block in blocks)
    return {
        "filters": filters,
        "blocks": blocks,
        "columns": [(name, label, filters.sorted_by(name).here, filters.way(name)) for name, label in COLUMNS],
        "real": real or bool(filters.text),
        "keys": keys_at_hand(os.environ) if adds else [],
        "sign_ins": path_to("sign-ins"),
    }


@require_safe
def found_here(request: PersonRequest) -> HttpResponse:
    """Asks the usual ports of this machine, because somebody opened this. For a script only what was found."""
    page = "endpoints/_found.html" if request.htmx else "endpoints/found.html"
    response = render(request, page, {"runtimes": find_runtimes()})
    patch_vary_headers(response, ["HX-Request"])
    return response
