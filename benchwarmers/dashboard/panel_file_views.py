"""A panel to take along: one file, for whoever may read the panel, once it is not covered from them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.panel_file import write_file
from benchwarmers.dashboard.views import see


@require_safe
def panel_file(request: PersonRequest, panel_id: str) -> HttpResponse:
    """The file; back to the panel while its seats are covered, for a file would tell who answered."""
    board = see(request, panel_id)
    if board.hidden:
        messages.error(
            request, _("You judge blind: the file is there once you have judged every answer of this panel.")
        )
        return redirect("dashboard:panel", panel_id)
    response = HttpResponse(write_file(board, made=timezone.now()), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="panel-{board.panel.pk}.html"'
    return response
