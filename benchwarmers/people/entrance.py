"""The last steps of every way in: a second factor where the person has one, then the session."""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse


def let_in(request: HttpRequest, user: User, *, by: str, then: str) -> HttpResponse:
    """Go on with somebody who passed the first step; `by` says which. The answer leads to the second factor or to
    `then`, a path of ours."""
    record_authentication(request, user, method=by)
    answer: HttpResponse = perform_login(request, Login(user=user, redirect_url=then))
    return answer
