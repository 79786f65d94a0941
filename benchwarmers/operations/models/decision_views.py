"""The page of a decision model, and what can be done there."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.models.deeds import load_history
from collections_app.models import DecisionModel
from collections_app.refusal import Refused
from gateway.canon.decision import QuestionType
from probes.models import Job
from probes.onboarding.question_types import KIND, do_set_question_types

ASKS: Final = {
    QuestionType.NOUL: gettext_lazy("yes or no"),
    QuestionType.CHOICE: gettext_lazy("one of several"),
    QuestionType.SCORE: gettext_lazy("how much, on a scale"),
}


def find_decision(alias: str) -> DecisionModel | None:
    """The decision model of this alias."""
    return DecisionModel.objects.filter(alias=alias).select_related("via").first()


def decision_page(request: PersonRequest, row: DecisionModel) -> HttpResponse:
    """What it answers, and its history; only what may have changed for a page that hears of news."""
    lately = Job.objects.filter(kind=KIND, key=row.alias, created_at__gt=timezone.now() - timedelta(days=1))
    context = {
        "one": row,
        "types": [(kind.value, words, kind in row.question_types) for kind, words in ASKS.items()],
        "trying": lately.order_by("-id").first(),
        "history": load_history(request.user, "decision model", [row.alias]),
    }
    part = request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request
    return render(request, "models/_types.html" if part else "models/decision.html", context)


def act_on_decision(request: PersonRequest, row: DecisionModel, verb: str) -> HttpResponse:
    """Set the types of question that it is asked."""
    if verb != "types":
        raise Http404("There is no such action on a decision model.")
    try:
        job = do_set_question_types(actor=request.user, alias=row.alias, kinds=request.POST.getlist("kind"))
    except Refused as refusal:
        for _field, sentence in refusal.problems:
            messages.error(request, sentence)
    else:
        messages.success(request, _("It is being asked; what it answers is added.") if job else _("Saved."))
    return redirect("operations:model", row.alias)
