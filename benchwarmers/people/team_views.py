"""Teams: the list, and one team's page."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.answers import problems_of, tried
from collections_app.actions.team import TOPIC, do_make_team, do_remove_team, do_rename_team, do_save_team, what_holds
from collections_app.journal import journal
from collections_app.models import Team


@require_http_methods(["GET", "HEAD", "POST"])
def teams_page(request: PersonRequest) -> HttpResponse:
    """All teams; POST makes one."""
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        name, about = request.POST.get("name", ""), request.POST.get("about", "")
        made, problems = problems_of(lambda: do_make_team(actor=request.user, name=name, about=about))
        if made is not None:
            return redirect("people:team", made.name)
    counted = Team.objects.annotate(
        people=Count("members", distinct=True),
        owned=Count("collections", distinct=True),
        live_keys=Count("keys", filter=Q(keys__revoked_at=None), distinct=True),
    )
    context = {"teams": counted, "problems": problems, "typed": request.POST}
    return render(request, "people/teams.html", context, status=422 if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def team_page(request: PersonRequest, name: str) -> HttpResponse:
    """One team; POST writes its name, what it is about and who is in it."""
    team = get_object_or_404(Team, name=name)
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        saved, problems = problems_of(lambda: _save(request, name))
        if saved is not None:
            return redirect("people:team", saved.name)
        team.refresh_from_db()
    context = {
        "team": team,
        "everybody": User.objects.order_by("username"),
        "inside": set(team.members.values_list("pk", flat=True)),
        "holds": what_holds(team),
        "problems": problems,
        "typed": request.POST,
    }
    return render(request, "people/team.html", context, status=422 if problems else 200)


def _save(request: PersonRequest, name: str) -> Team:
    """All of the form or nothing."""
    posted = request.POST
    with journal(request.user, TOPIC):
        renamed = do_rename_team(actor=request.user, name=name, to=posted.get("name", ""))
        about, members = posted.get("about", ""), posted.getlist("members")
        return do_save_team(actor=request.user, name=renamed.name, about=about, members=members)


@require_POST
def delete_team(request: PersonRequest, name: str) -> HttpResponse:
    """Remove it, or say what it owns."""
    team = get_object_or_404(Team, name=name)
    tried(
        request, lambda: do_remove_team(actor=request.user, name=team.name), _("%(name)s is deleted.") % {"name": name}
    )
    return redirect("people:team", name) if Team.objects.filter(pk=team.pk).exists() else redirect("people:teams")
