"""The pages of jobs. Whoever may see them all sees all; what may be done to one is decided by its action."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.jobs.selectors import JobFilters, Shown, load_jobs, load_lines
from benchwarmers.operations.onboard.progress import load_progress
from collections_app.refusal import Refused
from gateway.canon.kinds import JobState
from probes.jobs.actions import do_clear_jobs, do_rebuild, do_retry_job, do_stop_job
from probes.jobs.kinds import KINDS
from probes.models import Job

CHANGE = "probes.change_job"


@require_safe
def jobs_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows."""
    now, filters = timezone.now(), JobFilters.of_jobs(request.GET)
    page = load_jobs(filters)
    rows = [(shown := Shown(job), shown.seconds(now)) for job in page.rows]
    context: dict[str, Any] = {"filters": filters, "list": page, "rows": rows, "may": request.user.has_perm(CHANGE)}
    context["busy"] = any(job.open for job in page.rows)
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "jobs/_list.html", context)
        if request.htmx.trigger == "job-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        kinds = sorted((kind.label, name) for name, kind in KINDS.items())
        context |= {"kinds": kinds, "states": list(JobState), "progress": load_progress(request.user)}
        response = render(request, "jobs/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def job_page(request: PersonRequest, job: int) -> HttpResponse:
    """One job with its output; for a script that heard of news, what may have changed."""
    row = get_object_or_404(Job.objects.select_related("actor"), pk=job)
    shown = Shown(row)
    lines, before = load_lines(row)
    context = {
        "shown": shown,
        "job": row,
        "seconds": shown.seconds(timezone.now()),
        "lines": lines,
        "before": before,
        "may": request.user.has_perm(CHANGE),
    }
    partial = request.htmx and not request.htmx.history_restore_request
    response = render(request, "jobs/_job.html" if partial else "jobs/job.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def rebuild(request: PersonRequest) -> HttpResponse:
    """Make sums anew by a job, whose page shows how far it is."""
    try:
        job = do_rebuild(actor=request.user, what=request.POST.get("what", ""), now=timezone.now())
    except Refused as refusal:
        for _field, sentence in refusal.problems:
            messages.error(request, sentence)
        return redirect("operations:jobs")
    return redirect("operations:job", job.pk)


@require_POST
def stop_job(request: PersonRequest, job: int) -> HttpResponse:
    """Stop it, and back to it."""
    row = get_object_or_404(Job, pk=job)
    try:
        do_stop_job(actor=request.user, job=row, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        waits = row.state == JobState.QUEUED
        told = _("It will not begin.") if waits else _("It ends when it next looks up from its work.")
        messages.success(request, told)
    return redirect("operations:job", job)


@require_POST
def retry_job(request: PersonRequest, job: int) -> HttpResponse:
    """The same work again: on to the new job."""
    try:
        again = do_retry_job(actor=request.user, job=get_object_or_404(Job, pk=job), now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("operations:job", job)
    messages.success(request, _("Asked for again."))
    return redirect("operations:job", again.pk)


@require_POST
def clear_jobs(request: PersonRequest) -> HttpResponse:
    """Forget the ended ones of what the list is narrowed to."""
    filters = JobFilters.of_jobs(request.POST)
    try:
        count = do_clear_jobs(actor=request.user, jobs=filters.narrow())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        told = ngettext("%(count)d ended job forgotten.", "%(count)d ended jobs forgotten.", count)
        messages.success(request, told % {"count": count})
    return redirect("operations:jobs")
