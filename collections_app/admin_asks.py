"""Asks before an action of the admin is done to many: a page that names them, and a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

NAMED: Final = 30
"""How many of those chosen are named."""
Act = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]


def asks(question: str) -> Callable[[Act], Act]:
    """The action is done once the question was answered; until then nothing is."""

    def around(act: Act) -> Act:
        @wraps(act)
        def run(page: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
            if request.POST.get("sure") == "yes":
                return act(page, request, chosen)
            count = chosen.count()
            context = {
                **page.admin_site.each_context(request),
                "title": question,
                "opts": page.opts,
                "chosen": list(chosen[:NAMED]),
                "more": max(0, count - NAMED),
                "ticked": request.POST.getlist(ACTION_CHECKBOX_NAME),
                "checkbox": ACTION_CHECKBOX_NAME,
                "action": request.POST.get("action", ""),
                "across": request.POST.get("select_across", "0"),
            }
            return TemplateResponse(request, "admin/sure.html", context)

        return run

    return around
