"""People: the list with its filter, and one person's page for admins."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.answers import problems_of, tried
from benchwarmers.people.factors import do_forget_factors
from benchwarmers.people.invitation_views import givable_groups
from benchwarmers.people.sessions import do_end_sessions, sessions_of
from benchwarmers.signin_link import make_signin_path
from collections_app.actions.person import check_new_name, do_disable_person, do_save_person
from collections_app.actions.team import do_set_teams
from collections_app.journal import journal
from collections_app.models import Team
from collections_app.refusal import Problems

ON_A_PAGE = 100
STATES = ("active", "inactive")


@require_http_methods(["GET", "HEAD", "POST"])
def people_page(request: PersonRequest) -> HttpResponse:
    """Everybody, or whom the filter leaves; POST adds a person, who then comes in by a link."""
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        made, problems = problems_of(
            lambda: do_save_new(
                request.user,
                request.POST.get("username", ""),
                request.POST.get("email", ""),
                request.POST.get("group", ""),
            )
        )
        if made is not None:
            return redirect("people:person", made.get_username())
    wanted = {name: request.GET.get(name, "").strip() for name in ("q", "group", "team", "state")}
    found = Paginator(_filtered(wanted), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": found,
        "wanted": wanted,
        "narrows": any(wanted.values()),
        "groups": Group.objects.order_by("name"),
        "givable": givable_groups(request),
        "teams": Team.objects.all(),
        "states": STATES,
        "problems": problems,
        "typed": request.POST,
    }
    return render(request, "people/people.html", context, status=422 if problems else 200)


def do_save_new(actor: User, username: str, email: str, group: str) -> User:
    """A new person in one group.

    :raises Refused: as `do_save_person` does, and when the name is taken: this must not change somebody else.
    """
    problems = Problems()
    check_new_name(username.strip(), problems)
    problems.refuse()
    return do_save_person(actor=actor, username=username, email=email, groups=[group] if group else [])


def _filtered(wanted: dict[str, str]) -> QuerySet[User]:
    rows = people().order_by("username")
    if wanted["q"]:
        rows = rows.filter(Q(username__icontains=wanted["q"]) | Q(email__icontains=wanted["q"]))
    if wanted["group"]:
        rows = rows.filter(groups__name=wanted["group"])
    if wanted["team"]:
        rows = rows.filter(teams__name=wanted["team"])
    if wanted["state"] in STATES:
        rows = rows.filter(is_active=wanted["state"] == "active")
    live = Count("gateway_keys", filter=Q(gateway_keys__revoked_at=None), distinct=True)
    return rows.annotate(live_keys=live).prefetch_related("groups", "teams")


def people() -> QuerySet[User]:
    """Users who are people."""
    return User.objects.filter(service_account=None)


@require_http_methods(["GET", "HEAD", "POST"])
def person_page(request: PersonRequest, name: str, link: str = "") -> HttpResponse:
    """One person; POST writes address, groups, teams and whether they are active."""
    person = get_object_or_404(people(), username=name)
    problems: dict[str, list[str]] = {}
    if request.method == "POST" and not link:
        saved, problems = problems_of(lambda: _save(request, person))
        if saved is not None:
            return redirect("people:person", name)
    held = Authenticator.objects.filter(user=person)
    context = {
        "person": person,
        "all_groups": Group.objects.order_by("name"),
        "all_teams": Team.objects.all(),
        "in_groups": set(person.groups.values_list("name", flat=True)),
        "in_teams": set(person.teams.values_list("name", flat=True)),
        "keys": person.gateway_keys.filter(revoked_at=None).order_by("name"),
        "sessions": sessions_of(person, request.session.session_key),
        "factors": sorted({one.get_type_display() for one in held}),
        "problems": problems,
        "link": link,
        "spared": person.is_superuser and not request.user.is_superuser,
    }
    return render(request, "people/person.html", context, status=422 if problems else 200)


def _save(request: PersonRequest, person: User) -> User:
    """Everything of the form or nothing."""
    name, actor = person.get_username(), request.user
    with journal(actor, "people"):
        if "active" not in request.POST and person.is_active:
            do_disable_person(actor=actor, username=name)
            return person
        fields: dict[str, Any] = {
            "email": request.POST.get("email", ""),
            "groups": request.POST.getlist("groups"),
            "active": "active" in request.POST,
        }
        do_save_person(actor=actor, username=name, **fields)
        return do_set_teams(actor=actor, username=name, teams=request.POST.getlist("teams"))


@require_POST
def make_link(request: PersonRequest, name: str) -> HttpResponse:
    """A one-time sign-in link, shown once on the person's page."""
    person = get_object_or_404(people(), username=name)
    problem = ""
    if person.is_superuser and not request.user.is_superuser:
        problem = _("%(name)s is a superuser; only a superuser may do that.") % {"name": name}
    elif not person.is_active:
        problem = _("%(name)s is inactive and cannot sign in.") % {"name": name}
    if problem:
        messages.error(request, problem)
        return redirect("people:person", name)
    with journal(request.user, "people") as log:
        log.note("person", name, "sign-in link", new="made")
    return person_page(request, name, link=request.build_absolute_uri(make_signin_path(person)))


@require_POST
def end_sessions(request: PersonRequest, name: str) -> HttpResponse:
    """End all sessions of a person, or the one whose number is given."""
    person = get_object_or_404(people(), username=name)
    given = request.POST.get("number", "")
    number = int(given[:18]) if given.isascii() and given.isdigit() else None
    tried(request, lambda: do_end_sessions(actor=request.user, user=person, number=number), "Ended.")
    return redirect("people:person", name)


@require_POST
def forget_factors(request: PersonRequest, name: str) -> HttpResponse:
    """Take the second factors of somebody who lost theirs away."""
    person = get_object_or_404(people(), username=name)
    tried(request, lambda: do_forget_factors(actor=request.user, user=person), "The second factors are removed.")
    return redirect("people:person", name)
