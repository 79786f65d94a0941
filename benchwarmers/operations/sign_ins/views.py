"""Begins a sign-in, shows how it goes, ends one, and keeps the installation's own applications."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.operations.sign_ins.selectors import endpoint_path, offers, shown, signed, where_of
from benchwarmers.people.answers import tried
from collections_app.actions.sign_in import do_end_sign_in, do_save_own_app
from collections_app.models import Endpoint, SignInSession
from probes.sign_ins import flow, store
from probes.sign_ins.desk import desk


@require_safe
def sign_ins(request: PersonRequest) -> HttpResponse:
    """What is signed in, and what can be."""
    where = where_of(request)
    context = {"offers": offers(where), "signed": signed(timezone.now()), "local": where.local}
    return render(request, "sign_ins/list.html", context)


@require_POST
def begin(request: PersonRequest) -> HttpResponse:
    """Begin a sign-in, and go to its page; where there is nothing to sign in to, to the endpoint."""
    again = request.POST.get("again", "")
    begun = tried(
        request,
        lambda: flow.start(
            desk(),
            request.POST.get("provider", ""),
            by=request.user,
            where=where_of(request),
            again=again,
            code="code" in request.POST,
        ),
    )
    if begun is None:
        return redirect("operations:sign-ins")
    if isinstance(begun, Endpoint):
        messages.success(request, _("The endpoint %(name)s is there.") % {"name": begun.name})
        return redirect(endpoint_path(begun.name))
    return redirect("operations:sign-in-session", begun.pk)


@require_safe
def session(request: PersonRequest, number: int) -> HttpResponse:
    """How a sign-in goes that this person began."""
    row = get_object_or_404(SignInSession, pk=number, by=request.user)
    return render(request, "sign_ins/session.html", shown(row))


@require_POST
def look(request: PersonRequest, number: int) -> HttpResponse:
    """Ask the provider where it is time to, and show what changed; 204 for a page that shows it already."""
    row = get_object_or_404(SignInSession.objects.select_related("by"), pk=number, by=request.user)
    now = timezone.now()
    if row.state == "pending" and row.expires_at <= now:
        store.fail(row, store.EXPIRED)
    flow.poll(desk(), row)
    row.refresh_from_db()
    if not request.htmx:
        return redirect("operations:sign-in-session", number)
    if request.POST.get("seen") == row.state:
        return HttpResponse(status=204)
    return render(request, "sign_ins/_state.html", shown(row))


@require_POST
def choose_app(request: PersonRequest) -> HttpResponse:
    """Keep the client id of an application, or go back to the shipped one."""
    provider, client_id = request.POST.get("provider", ""), request.POST.get("client_id", "")
    known = desk().providers.get(provider)
    if known is None:
        messages.error(request, _("There is no such provider."))
    else:
        if client_id.strip():
            said = _("%(provider)s uses your own application.")
        else:
            said = _("%(provider)s uses no application of your own.")
        tried(
            request,
            lambda: do_save_own_app(actor=request.user, provider=provider, client_id=client_id),
            said % {"provider": known.label},
        )
    return redirect("operations:sign-ins")


@require_POST
def end(request: PersonRequest, name: str) -> HttpResponse:
    """Forget a sign-in and its tokens."""
    get_object_or_404(Endpoint, name=name, sign_in__isnull=False)
    tried(
        request,
        lambda: do_end_sign_in(actor=request.user, name=name),
        _("%(name)s is no longer signed in.") % {"name": name},
    )
    return redirect("operations:sign-ins")
