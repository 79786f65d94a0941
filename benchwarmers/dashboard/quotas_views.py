"""The page of quotas."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.quotas import load_quotas
from gateway.engine.pace_told import load_adapted

SET = "collections_app.change_connectionlimit"


@require_safe
def quotas_page(request: PersonRequest) -> HttpResponse:
    """What providers say is left, what was sent, who rests and what is known; for those who may see quotas."""
    now = timezone.now()
    context = {
        "page": load_quotas(now),
        "at_once": load_adapted(settings.BENCH.redis_url, now),
        "may_set": request.user.has_perm(SET),
    }
    return render(request, "quotas/quotas.html", context)
