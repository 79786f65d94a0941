"""Passes: what was asked when, and the form that begins one. It is told what it costs before it begins."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES
from benchwarmers.operations.benchmarks.pass_form import Wanted, askable, load_versions, plan
from benchwarmers.operations.benchmarks.views import load_languages
from collections_app.models import LanguageModel
from collections_app.refusal import Refused
from probes.models import Job
from suite.actions import MOST_REPETITIONS, do_begin_pass
from suite.models import SuitePass

RECENT: Final = 15


@require_http_methods(["GET", "HEAD", "POST"])
def passes_page(request: PersonRequest) -> HttpResponse:
    """The form with what it would ask; a post begins it, and leads to the job."""
    wanted = Wanted.read(request.POST if request.method == "POST" else request.GET)
    problems: list[str] = []
    if request.method == "POST":
        try:
            _begun, job = do_begin_pass(
                actor=request.user,
                models=list(LanguageModel.objects.filter(alias__in=wanted.models).order_by("alias")),
                versions=load_versions(wanted),
                now=timezone.now(),
                repetitions=wanted.repetitions,
                timeout_s=wanted.timeout_s,
                note=wanted.note,
            )
        except Refused as refusal:
            problems = [sentence for _, sentence in refusal.problems]
        else:
            messages.success(request, _("The pass has begun. It is paced, so that callers come first."))
            return redirect("operations:job", job.pk)
    models = askable()
    planned = plan(wanted, models)
    context: dict[str, Any] = {"wanted": wanted, "plan": planned, "problems": problems, "most": MOST_REPETITIONS}
    context |= {"models": models, "shapes": SHAPES, "origins": ORIGINS, "languages": load_languages()}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "benchmarks/_plan.html", context)
    else:
        context |= {"passes": load_passes()}
        response = render(request, "benchmarks/passes.html", context, status=422 if problems else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def load_passes() -> list[tuple[SuitePass, Job | None]]:
    """The newest with how far they are, each with its job where it has one of its own."""
    asked, answered = ~Q(attempts__outcome=""), Q(attempts__outcome="answered")
    rows = SuitePass.objects.annotate(
        total=Count("attempts"), asked=Count("attempts", filter=asked), answered=Count("attempts", filter=answered)
    )
    found = list(rows.order_by("-created_at", "-id")[:RECENT])
    jobs = Job.objects.filter(kind="suite-pass", key__in=[str(one.pk) for one in found]).order_by("id")
    by_key = {job.key: job for job in jobs.defer("results", "payload")}
    return [(one, by_key.get(str(one.pk))) for one in found]
