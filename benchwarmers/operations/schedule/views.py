"""The pages of the schedule. Every change leads back to the page; one that is refused shows why at its field."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.schedule.selectors import load_entries
from collections_app.actions.setting import SCHEDULERS
from collections_app.models import Setting
from collections_app.refusal import NotThere, Refused
from probes.jobs.kinds import KINDS
from probes.schedule.actions import do_run_now, do_set_mode, do_set_times, do_switch_row, find
from probes.schedule.enqueue import LOG_ONLY, OFF, RUN
from probes.schedule.rows import Planned
from probes.schedule.times import FIELDS

MODES = {OFF: gettext_lazy("Off"), LOG_ONLY: gettext_lazy("Log only"), RUN: gettext_lazy("Run")}
MEANS = {
    OFF: gettext_lazy("Nothing runs by itself, and no call is spent. Run now works all the same."),
    LOG_ONLY: gettext_lazy("At each due time it is written down what would run. No call is spent."),
    RUN: gettext_lazy("Every job that is on runs at its time."),
}
LABELS = {
    "hour": gettext_lazy("Hours"),
    "minute": gettext_lazy("Minutes"),
    "day_of_week": gettext_lazy("Weekdays"),
    "day_of_month": gettext_lazy("Days of the month"),
    "month_of_year": gettext_lazy("Months"),
}


@require_safe
def schedule_page(request: PersonRequest) -> HttpResponse:
    """The mode and the jobs; for a script that heard of news, the jobs alone."""
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "schedule/_jobs.html", _context(request))
    else:
        response = render(request, "schedule/schedule.html", _context(request))
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def change_mode(request: PersonRequest) -> HttpResponse:
    """To run is asked twice: the first time the page says what it means."""
    mode, confirmed = request.POST.get("mode", ""), request.POST.get("confirmed") == "yes"
    if mode == RUN and not confirmed:
        return render(request, "schedule/schedule.html", _context(request) | {"confirm": True})
    try:
        do_set_mode(actor=request.user, mode=mode, now=timezone.now(), confirmed=confirmed)
    except Refused as refusal:
        return render(request, "schedule/schedule.html", _context(request) | {"problem": str(refusal)}, status=422)
    told = _("The schedule is set to: %(mode)s. %(means)s")
    messages.success(request, told % {"mode": MODES[mode].lower(), "means": MEANS[mode]})
    return redirect("operations:schedule")


@require_http_methods(["GET", "HEAD", "POST"])
def times_page(request: PersonRequest, kind: str) -> HttpResponse:
    """The times of one job, to be changed."""
    one = _find(kind)
    typed = {name: getattr(one.row.crontab, name, "*") for name in FIELDS}
    problems: dict[str, str] = {}
    if request.method == "POST":
        typed = {name: request.POST.get(name, "")[:80] for name in FIELDS}
        try:
            do_set_times(actor=request.user, kind=kind, fields=typed, now=timezone.now())
        except Refused as refusal:
            problems = dict(refusal.problems)
        else:
            messages.success(request, _("%(job)s has its new times, from now on.") % {"job": KINDS[kind].label})
            return redirect("operations:schedule")
    fields = [(name, LABELS[name], typed[name], problems.get(name, "")) for name in FIELDS]
    context = {
        "label": KINDS[kind].label,
        "about": one.row.description,
        "times": one.times,
        "fields": fields,
        "zone": settings.TIME_ZONE,
        "may": request.user.has_perm("probes.change_job"),
    }
    return render(request, "schedule/times.html", context, status=422 if problems else 200)


@require_POST
def switch_row(request: PersonRequest, kind: str) -> HttpResponse:
    """On or off."""
    _find(kind)
    on = request.POST.get("on") == "yes"
    do_switch_row(actor=request.user, kind=kind, on=on, now=timezone.now())
    told = _("%(job)s is on.") if on else _("%(job)s is off.")
    messages.success(request, told % {"job": KINDS[kind].label})
    return redirect("operations:schedule")


@require_POST
def run_now(request: PersonRequest, kind: str) -> HttpResponse:
    """On to the job, or back with why there is none."""
    _find(kind)
    try:
        job = do_run_now(actor=request.user, kind=kind, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("operations:schedule")
    return redirect("operations:job", job.pk)


def _find(kind: str) -> Planned:
    try:
        return find(kind)
    except NotThere as none:
        raise Http404 from none


def _context(request: PersonRequest) -> dict[str, Any]:
    mode, entries = Setting.load().scheduler, load_entries(timezone.now())
    return {
        "entries": entries,
        "busy": any(entry.busy for entry in entries),
        "mode": mode,
        "modes": [(value, MODES[value]) for value in SCHEDULERS],
        "means": MEANS[mode],
        "zone": settings.TIME_ZONE.replace("_", " "),
        "may": request.user.has_perm("probes.change_job"),
        "may_run": request.user.has_perm("probes.add_job"),
    }
