"""Which sessions a person has, kept beside Django's own rows: those can be found by their key alone.

A row is written at sign-in and brought up to date at most every five minutes, so that looking at pages costs nothing.
Ending a session removes both rows; its next request is nobody's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from benchwarmers.people.device import words_for
from collections_app.actions.person import TOPIC, spare_superuser
from collections_app.journal import journal, require

SEEN = "seen_at"
NOTED = "noted_under"
SEEN_EVERY_S = 5 * 60
UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 what stands for no address


@dataclass(frozen=True, slots=True)
class Shown:
    """One session as its owner sees it."""

    number: int
    device: str
    address: str
    started: datetime
    seen: datetime
    here: bool


class LastSeen:
    """Middleware, inside the sessions' own: notes now and then that a session is in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request. A session that nobody looked at is not loaded for this."""
        response = self.get_response(request)
        session = request.session
        # Somebody disabled or deleted is nobody.
        if session.accessed and SESSION_KEY in session and _is_stale(session) and request.user.is_authenticated:
            note_session(request, request.user)
        return response


def _is_stale(session: Any) -> bool:
    """Not noted for long, or given another key since: under the old one nobody could end it."""
    return bool(time.time() - session.get(SEEN, 0) > SEEN_EVERY_S or session.get(NOTED) != session.session_key)


def note_session(request: HttpRequest, user: Any) -> None:
    """Write or bring up to date the row of this request's session."""
    from allauth.usersessions.models import UserSession

    session = request.session
    session[SEEN] = time.time()
    if not session.session_key:
        session.save()
    session[NOTED] = session.session_key
    longest = UserSession._meta.get_field("user_agent").max_length
    fields = {
        "user": user,
        "ip": request.META.get("REMOTE_ADDR") or UNKNOWN_ADDRESS,
        "user_agent": request.META.get("HTTP_USER_AGENT", "")[:longest],
        "last_seen_at": timezone.now(),
    }
    if not UserSession.objects.filter(session_key=session.session_key).update(**fields):
        # Two first pages of a browser may come at once: whichever is second has nothing to add.
        UserSession.objects.bulk_create([UserSession(session_key=session.session_key, **fields)], ignore_conflicts=True)


def follow_signals() -> None:
    """Called once, when Django is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="benchwarmers.people.sessions")
    user_logged_out.connect(_signed_out, dispatch_uid="benchwarmers.people.sessions")


def _signed_in(request: HttpRequest, user: User, **more: Any) -> None:
    note_session(request, user)
    _forget_gone(user)


def _signed_out(request: HttpRequest, user: User | None, **more: Any) -> None:
    from allauth.usersessions.models import UserSession

    UserSession.objects.filter(session_key=request.session.session_key or "").delete()


def _forget_gone(user: User) -> None:
    from allauth.usersessions.models import UserSession

    rows = UserSession.objects.filter(user=user)
    rows.exclude(session_key__in=Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")).delete()


def sessions_of(user: User, here: str | None) -> list[Shown]:
    """Those that could still be used, the newest first. `here` is the key of the one that asks."""
    from allauth.usersessions.models import UserSession

    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    rows = UserSession.objects.filter(user=user, session_key__in=alive).order_by("-last_seen_at")
    return [
        Shown(
            number=row.pk,
            device=words_for(row.user_agent),
            address="" if row.ip == UNKNOWN_ADDRESS else row.ip,
            started=row.created_at,
            seen=row.last_seen_at,
            here=row.session_key == here,
        )
        for row in rows
    ]


def do_end_sessions(*, actor: User | None, user: User, keep: str | None = None, number: int | None = None) -> int:
    """End this person's sessions: all of them, all but the one with the key `keep`, or the one with this number; how
    many there were.

    :raises Refused: they are somebody else's, and the actor may not change people, or that one is a superuser and the
        actor none.
    """
    from allauth.usersessions.models import UserSession

    if actor != user:
        require(actor, "auth.change_user", "end the sessions of others")
        spare_superuser(actor, user)
    rows = UserSession.objects.filter(user=user)
    if number is not None:
        rows = rows.filter(pk=number)
    if keep:
        rows = rows.exclude(session_key=keep)
    with journal(actor, TOPIC) as log:
        keys = list(rows.values_list("session_key", flat=True))
        Session.objects.filter(session_key__in=keys).delete()
        rows.delete()
        if keys:
            log.note("person", user.get_username(), "sessions", old=len(keys), new=0)
    return len(keys)


def follow_new_key(request: HttpRequest, old: str | None) -> None:
    """The session was given another key; its row follows."""
    from allauth.usersessions.models import UserSession

    UserSession.objects.filter(session_key=old or "").update(session_key=request.session.session_key)
