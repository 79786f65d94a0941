"""Invitations: made and taken back by admins, and the page where somebody takes one."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import Group
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.admission import INVITED
from benchwarmers.people.answers import problems_of, tried
from benchwarmers.people.entrance import let_in
from collections_app.actions.gift import check_gift
from collections_app.actions.invitation import (
    WORN,
    do_invite,
    do_revoke_invitation,
    do_take_invitation,
    find_invitation,
    state_of,
)
from collections_app.models import Invitation, Team
from collections_app.models.people import GROUPS
from collections_app.refusal import Problems

SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def invitations_page(request: PersonRequest) -> HttpResponse:
    """The list, and the form above it. A new invitation's link is in the answer to the form, and nowhere else."""
    now = timezone.now()
    typed = {"group": "caller", "days": "7"} | {name: request.POST[name] for name in request.POST}
    link, status = "", 200
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        days = typed["days"]
        made, problems = problems_of(
            lambda: do_invite(
                actor=request.user,
                now=now,
                group=typed["group"],
                team=typed.get("team", ""),
                email=typed.get("email", ""),
                days=int(days) if days.isascii() and days.isdigit() and len(days) < 4 else 0,
            )
        )
        if made is not None:
            link = request.build_absolute_uri(reverse("people:invited", args=[made[1]]))
        status = 200 if made else 422
    # Prefetched, so that whoever made many is one object and asked once what they may.
    rows = list(Invitation.objects.select_related("team", "used_by").prefetch_related("made_by")[:SHOWN])
    context = {
        "rows": [(row, state_of(row, now)) for row in rows],
        "groups": givable_groups(request),
        "teams": Team.objects.all(),
        "typed": typed,
        "problems": problems,
        "link": link,
    }
    return render(request, "people/invitations.html", context, status=status)


@require_POST
def revoke_invitation(request: PersonRequest, number: int) -> HttpResponse:
    """Take one back."""
    tried(
        request,
        lambda: do_revoke_invitation(actor=request.user, number=number, now=timezone.now()),
        "The invitation is taken back.",
    )
    return redirect("people:invitations")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Who invites to what, and the form that makes the account, once; 410 when the invitation is worn."""
    now, name = timezone.now(), request.POST.get("username", "")
    problems: dict[str, list[str]] = {}
    invitation = find_invitation(token, now)
    if invitation is None:
        return render(request, "account/invitation.html", {"worn": WORN}, status=410)
    if request.user.is_authenticated:
        return render(request, "account/invitation.html", {"signed_in": True, "invitation": invitation})
    if request.method == "POST":
        password = request.POST.get("password", "")
        person, problems = problems_of(
            lambda: do_take_invitation(token=token, username=name, now=now, password=password)
        )
        if person is not None:
            return let_in(request, person, by="invitation", then=reverse("dashboard:home"))
    context = {
        "invitation": invitation,
        "token": token,
        "name": name,
        "problems": problems,
        "providers": settings.BENCH.sign_in.providers,
    }
    return render(request, "account/invitation.html", context, status=422 if problems else 200)


@never_cache
@require_safe
def invited_by_provider(request: HttpRequest, token: str, provider_id: str) -> HttpResponse:
    """Remember the invitation for the way back from the provider, and go there."""
    if provider_id not in {one.name for one in settings.BENCH.sign_in.providers}:
        raise Http404
    if find_invitation(token, timezone.now()) is None:
        return redirect("people:invited", token)
    request.session[INVITED] = token
    return redirect("openid_connect_login", provider_id)


def givable_groups(request: PersonRequest) -> list[str]:
    """The groups that this person may put somebody into, from the least to the most."""
    groups = {group.name: group for group in Group.objects.filter(name__in=GROUPS)}
    found = []
    for name in GROUPS:
        problems = Problems()
        if name in groups:
            check_gift(request.user, [groups[name]], "group", problems)
            if not problems.found:
                found.append(name)
    return found
