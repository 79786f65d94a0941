"""Signing in and out, choosing a password, choosing a theme. One-time links are `signin_link`, a module of its own."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.throttle import forgive, may_guess
from benchwarmers.people.entrance import let_in
from benchwarmers.people.preferences import THEME
from benchwarmers.people.sessions import do_end_sessions, follow_new_key
from benchwarmers.sign_in_log import note_password
from benchwarmers.signin_link import BY_LINK
from collections_app.actions.person import TOPIC
from collections_app.actions.preference import do_choose_theme
from collections_app.journal import journal
from collections_app.whence import address_now

THEMES = ("system", "light", "dark", "contrast")
THEME_COOKIE = "bw_theme"
YEAR_S = 365 * 24 * 3600
WAIT = gettext_lazy("Too many wrong passwords. Wait 15 minutes, or ask an admin for a sign-in link.")


def safe_next(request: HttpRequest) -> str:
    """Where to go afterwards: the `next` that was asked for if it is a page of ours, else the start page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours and wanted.startswith("/") else resolve_url("dashboard:home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_page(request: HttpRequest) -> HttpResponse:
    """The form; 200 with what was wrong, 429 after too many wrong guesses, else signed in and on to `next`."""
    back_to = safe_next(request)
    if request.user.is_authenticated:
        return redirect(back_to)
    form = AuthenticationForm(request, request.POST or None)
    status, problem = 200, ""
    if request.method == "POST":
        address, name = request.META.get("REMOTE_ADDR", ""), request.POST.get("username", "")
        if not may_guess(address, name):
            status, problem = 429, str(WAIT)
        elif form.is_valid():
            forgive(address, name)
            return let_in(request, form.get_user(), by="password", then=back_to)
        else:
            problem = "That name and password do not go together."
    context = {
        "name": request.POST.get("username", ""),
        "problem": problem,
        "next": back_to,
        "providers": settings.BENCH.sign_in.providers,
    }
    return render(request, "account/login.html", context, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("dashboard:login")


class OwnPasswordForm(PasswordChangeForm):
    """Whoever sits at somebody's open session guesses the old password no oftener than at the door."""

    def clean_old_password(self) -> str:
        address, name = address_now(), self.user.get_username()
        if not may_guess(address, name):
            raise ValidationError(WAIT)
        old: str = super().clean_old_password()
        forgive(address, name)
        return old


@require_http_methods(["GET", "HEAD", "POST"])
def password_page(request: PersonRequest) -> HttpResponse:
    """Choose a password. Whoever came by a link, or has none yet, need not know the old one."""
    by_link = request.session.get(BY_LINK) == request.user.pk or not request.user.has_usable_password()
    form = _password_form(request, by_link)
    if request.method == "POST" and form.is_valid():
        with journal(request.user, TOPIC):
            form.save()
            note_password(request.user, actor=request.user)
        old = request.session.session_key
        update_session_auth_hash(request, request.user)
        follow_new_key(request, old)
        do_end_sessions(actor=request.user, user=request.user, keep=request.session.session_key)
        request.session.pop(BY_LINK, None)
        messages.success(request, _("Your password is set."))
        return redirect("dashboard:home")
    return render(request, "account/password.html", {"form": form, "by_link": by_link})


def _password_form(request: PersonRequest, by_link: bool) -> SetPasswordForm[User]:
    data = request.POST if request.method == "POST" else None
    return SetPasswordForm(request.user, data) if by_link else OwnPasswordForm(request.user, data)


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the choice for the person and in a cookie of this browser, for its door; back to where it was made, or 204
    for a script."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return HttpResponse(f"Choose one of {', '.join(THEMES)}.", status=400, content_type="text/plain")
    if isinstance(request.user, User):
        do_choose_theme(user=request.user, theme=theme)
        request.session[THEME] = theme
    response = HttpResponse(status=204) if "HTTP_X_SCRIPT" in request.META else redirect(safe_next(request))
    response.set_cookie(THEME_COOKIE, theme, max_age=YEAR_S, secure=request.is_secure(), httponly=True, samesite="Lax")
    return response
