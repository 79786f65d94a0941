"""The review of drafts: one at a time, by keyboard or by buttons."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES
from benchwarmers.operations.benchmarks.review import drafts, load_counts, load_draft
from benchwarmers.operations.benchmarks.task_views import pretty
from collections_app.refusal import Refused
from suite.actions import do_accept_tasks, do_begin_mining, do_drop_tasks
from suite.models import Task

DONE = {"accept": gettext_lazy("Accepted"), "drop": gettext_lazy("Dropped")}


@require_safe
def review_page(request: PersonRequest) -> HttpResponse:
    """The draft that the address names, or the first that waits."""
    shape, origin = _narrowed(request.GET)
    draft = load_draft(request.GET.get("at", "")[:80], shape, origin)
    context = {
        "draft": draft,
        "key": pretty(draft.version.key) if draft else "",
        "narrowed": urlencode({name: one for name, one in (("shape", shape), ("origin", origin)) if one}),
        "shape": shape,
        "origin": origin,
        "counts": [(SHAPES.get(one, one), one, whence, count) for one, whence, count in load_counts()],
    }
    return render(request, "benchmarks/review.html", context)


@require_POST
def decide(request: PersonRequest) -> HttpResponse:
    """Accept or drop one draft, or it and its other half, and on to the next."""
    verb, slug = request.POST.get("verb", ""), request.POST.get("slug", "")
    task = Task.objects.filter(slug=slug).first()
    if verb not in DONE or task is None:
        messages.error(request, _("Nothing was decided: a decision accepts or drops a task that there is."))
        return redirect("operations:suite-review")
    tasks = [task]
    if request.POST.get("both") == "yes" and task.pair:
        tasks += Task.objects.filter(slug=task.pair, draft=True, dropped=False)
    shape, origin = _narrowed(request.POST)
    gone = [one.slug for one in tasks]
    after = drafts(shape, origin).filter(slug__gt=slug).exclude(slug__in=gone).first()
    try:
        if verb == "accept":
            do_accept_tasks(actor=request.user, tasks=tasks, now=timezone.now())
        else:
            do_drop_tasks(actor=request.user, tasks=tasks, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        after = task
    else:
        messages.success(request, _("%(done)s: %(tasks)s.") % {"done": DONE[verb], "tasks": ", ".join(gone)})
    pairs = {"at": after.slug if after else "", "shape": shape, "origin": origin}
    told = urlencode({name: one for name, one in pairs.items() if one})
    return redirect(reverse("operations:suite-review") + (f"?{told}" if told else ""))


@require_POST
def mine(request: PersonRequest) -> HttpResponse:
    """Begin to make tasks of all claims that people judged; to the page of that job."""
    try:
        job = do_begin_mining(actor=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("operations:suite-review")
    return redirect("operations:job", job.pk)


def _narrowed(query: QueryDict) -> tuple[str, str]:
    shape, origin = query.get("shape", ""), query.get("origin", "")
    return shape if shape in SHAPES else "", origin if origin in ORIGINS else ""
