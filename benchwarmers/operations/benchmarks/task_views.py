"""The list of tasks, one task, its editing, and the page of one answer."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.benchmarks.explain import CHANCES, HUNTS, OUTCOMES, explain
from benchwarmers.operations.benchmarks.filters import ORIGINS, SHAPES, TaskFilters
from benchwarmers.operations.benchmarks.tasks import (
    current_score,
    files_of,
    load_earlier,
    load_takes,
    load_tasks,
)
from benchwarmers.operations.benchmarks.views import load_languages
from collections_app.refusal import Refused
from suite.actions import CHANGE, Edit, do_accept_tasks, do_drop_tasks, do_edit_task
from suite.models import Attempt, Task, TaskVersion

FIELDS: Final = ("title", "prompt", "key", "why", "language", "source_url", "contamination", "created_on")


@require_safe
def tasks_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows."""
    filters = TaskFilters.read(request.GET)
    found = load_tasks(filters)
    context: dict[str, Any] = {"filters": filters, "list": found, "shapes": SHAPES, "origins": ORIGINS}
    context |= {"newer": filters.at(found.page - 1), "older": filters.at(found.page + 1)}
    context |= {"languages": load_languages()}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "benchmarks/_tasks.html", context)
        response["HX-Push-Url"] = f"{request.path}{filters.at(found.page)}"
    else:
        response = render(request, "benchmarks/tasks.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def task_page(request: PersonRequest, slug: str) -> HttpResponse:
    """One task: what is asked, the key for those who may see it, and how models took it."""
    task = get_object_or_404(Task, slug=slug)
    keyed = request.user.has_perm(CHANGE)
    versions = list(task.versions.all())
    version = _chosen(versions, request.GET.get("version", ""))
    context: dict[str, Any] = {
        "task": task,
        "shape": SHAPES.get(task.shape, task.shape),
        "version": version,
        "versions": versions,
        "files": files_of(version, keyed=keyed),
        "keyed": keyed,
        "key": pretty(version.key) if keyed else "",
        "takes": load_takes(task),
        "pair": Task.objects.filter(slug=task.pair).first() if task.pair else None,
    }
    return render(request, "benchmarks/task.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: PersonRequest, slug: str) -> HttpResponse:
    """Change a task; what is asked or its key being another makes a version, and old answers stay with the old one."""
    task = get_object_or_404(Task, slug=slug)
    version = task.versions.get(current=True)
    back = "review" if request.GET.get("back") == "review" else ""
    typed = {
        "title": task.title,
        "prompt": version.prompt,
        "key": pretty(version.key),
        "why": version.why,
        "language": task.language,
        "source_url": task.source_url,
        "contamination": task.contamination,
        "created_on": task.created_on.isoformat() if task.created_on else "",
    }
    files = [(f"file-{place}", one["name"], one["text"]) for place, one in enumerate(version.attachments)]
    problems: dict[str, str] = {}
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in FIELDS}
        files = [(field, name, request.POST.get(field, text)) for field, name, text in files]
        edit = Edit(**typed, files=tuple(text for _, _, text in files))
        try:
            renewed = do_edit_task(actor=request.user, task=task, edit=edit, now=timezone.now())
        except Refused as refusal:
            problems = dict(refusal.problems)
        else:
            messages.success(request, _("Saved as a new version.") if renewed else _("Saved."))
            if back:
                return redirect(f"{reverse('operations:suite-review')}?{urlencode({'at': slug})}")
            return redirect("operations:suite-task", slug)
    context = {"task": task, "typed": typed, "files": files, "problems": problems, "back": back}
    return render(request, "benchmarks/edit.html", context, status=422 if problems else 200)


@require_POST
def act(request: PersonRequest, slug: str, verb: str) -> HttpResponse:
    """Drop it, bring it back, or accept a draft."""
    task, now = get_object_or_404(Task, slug=slug), timezone.now()
    if verb not in ("drop", "restore", "accept"):
        raise Http404("There is no such action on a task.")
    try:
        if verb == "accept":
            do_accept_tasks(actor=request.user, tasks=[task], now=now)
        else:
            do_drop_tasks(actor=request.user, tasks=[task], now=now, dropped=verb == "drop")
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        told = {"drop": _("Dropped: nobody is asked it, and no sum counts it."), "restore": _("Back in the suite.")}
        messages.success(request, told.get(verb) or _("Accepted."))
    return redirect("operations:suite-task", slug)


@require_safe
def answer_page(request: PersonRequest, attempt: int) -> HttpResponse:
    """One answer with its scoring, clause by clause."""
    rows = Attempt.objects.select_related("version__task", "language_model", "suite_pass").prefetch_related("scores")
    row = get_object_or_404(rows, pk=attempt)
    score, keyed = current_score(row), request.user.has_perm(CHANGE)
    context: dict[str, Any] = {
        "attempt": row,
        "task": row.version.task,
        "score": score,
        "keyed": keyed,
        "clauses": explain(score.steps, keyed=keyed) if score else [],
        "hunt": HUNTS.get(score.hunt, "") if score else "",
        "chance": CHANCES.get(score.chance, "") if score else "",
        "outcome": OUTCOMES.get(row.outcome, ""),
        "earlier": [(one, current_score(one)) for one in load_earlier(row)],
    }
    return render(request, "benchmarks/answer.html", context)


def pretty(key: object) -> str:
    """A key as people read and write it."""
    return msgspec.json.format(msgspec.json.encode(key), indent=2).decode()


def _chosen(versions: list[TaskVersion], digest: str) -> TaskVersion:
    """The version with a digest that begins so; the one of today where there is none."""
    found = [one for one in versions if digest and one.digest.startswith(digest)]
    found += [one for one in versions if one.current]
    if not found:
        raise Http404("This task has no version.")
    return found[0]
