"""Service accounts: users for programs, made and changed by admins."""

from __future__ import annotations

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.answers import problems_of
from benchwarmers.people.invitation_views import givable_groups
from collections_app.actions.program import do_change_program, do_make_program
from collections_app.models import ServiceAccount, Team


@require_http_methods(["GET", "HEAD", "POST"])
def programs_page(request: PersonRequest) -> HttpResponse:
    """All of them; POST makes one."""
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        posted = {name: request.POST.get(name, "") for name in ("name", "about", "group", "team")}
        made, problems = problems_of(lambda: do_make_program(actor=request.user, **posted))
        if made is not None:
            return redirect("people:program", made.user.get_username())
    live = Count("user__gateway_keys", filter=Q(user__gateway_keys__revoked_at=None), distinct=True)
    rows = ServiceAccount.objects.select_related("user").prefetch_related("user__groups", "user__teams")
    context = {
        "rows": rows.annotate(live_keys=live),
        "groups": givable_groups(request),
        "teams": Team.objects.all(),
        "problems": problems,
        "typed": request.POST,
    }
    return render(request, "people/programs.html", context, status=422 if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def program_page(request: PersonRequest, name: str) -> HttpResponse:
    """One of them; POST writes what it is for, its group and team, and whether it is active."""
    row = get_object_or_404(ServiceAccount.objects.select_related("user", "made_by"), user__username=name)
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        posted = {field: request.POST.get(field, "") for field in ("about", "group", "team")}
        active = "active" in request.POST
        saved, problems = problems_of(lambda: do_change_program(actor=request.user, name=name, active=active, **posted))
        if saved is not None:
            return redirect("people:program", name)
    group, team = row.user.groups.first(), row.user.teams.first()
    context = {
        "row": row,
        "groups": givable_groups(request),
        "teams": Team.objects.all(),
        "group": group.name if group else "",
        "team": team.name if team else "",
        "keys": row.user.gateway_keys.filter(revoked_at=None).order_by("name"),
        "problems": problems,
    }
    return render(request, "people/program.html", context, status=422 if problems else 200)
