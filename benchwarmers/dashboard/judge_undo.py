"""Undoing the last verdicts of the queue: each step back leaves what was said as it was before it.

What to go back to lies in the session, the last twenty steps of it. A verdict that was changed elsewhere meanwhile is
left alone.
"""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from collections_app.actions.verdict import do_verdict, do_withdraw_verdict, find_verdict
from collections_app.refusal import Refused

STEPS: Final = "judged"
MOST: Final = 20
_SAID: Final = ("useful", "note", "real", "false", "blind")


def said(person: User, call: str) -> dict[str, Any] | None:
    """What this person says of the call now, None for nothing."""
    row = find_verdict(person, person.get_username(), call)
    return {name: getattr(row, name) for name in _SAID} if row else None


def note_step(request: HttpRequest, call: str, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
    """Keep what was said before this verdict, so that it can be undone."""
    steps = request.session.get(STEPS, [])
    request.session[STEPS] = [*steps, {"call": call, "before": before, "after": after}][-MOST:]


def can_undo(request: HttpRequest) -> bool:
    """Whether there is a verdict to undo."""
    return bool(request.session.get(STEPS))


def last_call(request: HttpRequest) -> str:
    """Of which call the last verdict is; empty when none is left."""
    steps = request.session.get(STEPS)
    return str(steps[-1]["call"]) if steps else ""


def undo(request: HttpRequest, person: User) -> str:
    """Take the last step back; what stood in the way as a sentence, or nothing. The step is gone either way."""
    *rest, step = request.session[STEPS]
    request.session[STEPS] = rest
    call, before, name, now = step["call"], step["before"], person.get_username(), timezone.now()
    if said(person, call) != step["after"]:
        return _("This verdict was changed since. It stays as it is.")
    try:
        if before is None:
            do_withdraw_verdict(actor=person, judge_name=name, call=call, now=now)
        else:
            do_verdict(actor=person, judge_name=name, call=call, blank_keeps=False, now=now, **before)
    except Refused as refused:
        return str(refused)
    return ""
