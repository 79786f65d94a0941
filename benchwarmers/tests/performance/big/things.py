"""What addresses name: of each kind of thing one that there is much about."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils import timezone

from collections_app.actions.invitation import do_invite
from collections_app.actions.program import do_make_program
from collections_app.models import Endpoint, GatewayKey, LanguageModel, SignInSession
from gateway.models import Conversation, Panel, Seat, Turn
from probes.models import Job, Offer
from suite.models import Attempt, Task


def find_things() -> dict[str, Any]:
    """By the name of the parameter, or by what the table of pages calls them. Makes a sign-in, an invitation and a
    service account where there are none, for these have pages too."""
    now = timezone.now()
    panel = Panel.objects.filter(state="done").annotate(n=Count("seats")).order_by("-n", "-started_at")[0]
    longest = Turn.objects.values_list("conversation").annotate(n=Count("pk")).order_by("-n")[0][0]
    shadowed = Conversation.objects.filter(shadows__isnull=False).order_by("-last_at")[0]
    model = LanguageModel.objects.filter(retired_at=None, seatings__isnull=False).order_by("pk")[0]
    other = LanguageModel.objects.filter(retired_at=None, attempts__isnull=False).order_by("-pk")[0]
    curator = User.objects.get(username="maya")
    return {
        "panel": panel.pk,
        "call": Seat.objects.filter(panel=panel).order_by("place")[0].call,
        "conversation": longest,
        "shadowed": shadowed.pk,
        "turn": shadowed.shadows.order_by("number")[0].number,
        "collection": "core",
        "key": GatewayKey.objects.filter(revoked_at=None).order_by("pk")[0].pk,
        "alias": model.alias,
        "other": other.alias,
        "endpoint": Endpoint.objects.exclude(kind="practice").order_by("pk")[0].name,
        "sign-in": _sign_in(curator, now),
        "session_id": "nothing",
        "offer": Offer.objects.order_by("-pk")[0].pk,
        "kind": "availability",
        "job": Job.objects.order_by("-pk")[4].pk,
        "slug": Task.objects.filter(versions__attempts__isnull=False).order_by("pk")[0].slug,
        "attempt": Attempt.objects.filter(outcome="answered").order_by("pk")[0].pk,
        "person": "ben",
        "team": "team-1",
        "token": _invitation(now),
        "program": _program(),
        "cursor": f"{(now - timedelta(days=40)).isoformat().replace('+', '%2B')}~x",
    }


def _sign_in(curator: User, now: Any) -> int:
    row, _ = SignInSession.objects.get_or_create(
        digest="0" * 64,
        defaults={
            "provider": "openrouter",
            "flow": "key",
            "by": curator,
            "created_at": now,
            "expires_at": now + timedelta(days=3),
        },
    )
    return row.pk


def _invitation(now: Any) -> str:
    return do_invite(actor=None, now=now)[1]


def _program() -> str:
    if not User.objects.filter(service_account__isnull=False).exists():
        do_make_program(actor=None, name="merge-watch")
    return User.objects.filter(service_account__isnull=False)[0].get_username()
