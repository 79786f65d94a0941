"""What programs of one's own have: those that were signed in, and personal tokens, with the form and the only page that
shows a new one."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.people.answers import tried
from collections_app.actions.signed_program import do_sign_out_program, live_programs
from collections_app.actions.token import LONGEST_NAME, MOST_DAYS, do_create_token, do_revoke_token
from collections_app.models import PersonalToken, SignedProgram
from collections_app.refusal import Refused


class TokenForm(forms.Form):
    """What for, and for how long."""

    name = forms.CharField(label=gettext_lazy("What for"), max_length=LONGEST_NAME)
    days = forms.IntegerField(
        label=gettext_lazy("Days"),
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        initial=90,
        help_text=gettext_lazy("Empty: until it is revoked."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: PersonRequest) -> HttpResponse:
    """The list with its form; after a POST, the new token, this once."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    plain, status = "", 200
    if request.method == "POST" and form.is_valid():
        try:
            plain = do_create_token(user=request.user, now=timezone.now(), **form.cleaned_data)[1]
            form = TokenForm()
        except Refused as refusal:
            for field, why in refusal.problems:
                form.add_error(field if field in form.fields else None, why)
    if form.is_bound and form.errors:
        status = 422
    now = timezone.now()
    context = {
        "form": form,
        "plain": plain,
        "tokens": PersonalToken.objects.filter(user=request.user, revoked_at=None),
        "programs": live_programs().filter(key__owner=request.user, until__gt=now),
        "now": now,
    }
    return render(request, "people/tokens.html", context, status=status)


@require_POST
def revoke_token(request: PersonRequest, number: int) -> HttpResponse:
    """It opens nothing from now on."""
    get_object_or_404(PersonalToken, pk=number, user=request.user)
    row = tried(request, lambda: do_revoke_token(user=request.user, number=number, now=timezone.now()))
    if row is not None:
        messages.success(request, _("The token “%(name)s” is revoked.") % {"name": row.name})
    return redirect("people:tokens")


@require_POST
def sign_out_program(request: PersonRequest, number: int) -> HttpResponse:
    """It is turned away from its next request on."""
    get_object_or_404(SignedProgram, pk=number, key__owner=request.user)
    row = tried(request, lambda: do_sign_out_program(actor=request.user, number=number, now=timezone.now()))
    if row is not None:
        messages.success(request, _("%(name)s is signed out.") % {"name": row.name})
    return redirect("people:tokens")
