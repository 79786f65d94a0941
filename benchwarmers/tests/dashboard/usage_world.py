"""Sums of usage as a few weeks of work leave them, for the tests of the pages that read them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import User

from collections_app.models import GatewayKey, Team
from gateway.models import UsageDay

DAY = date(2026, 11, 29)


def person(name: str) -> User:
    return User.objects.get(username=name)


def add_key(owner: str, name: str, team: str = "") -> GatewayKey:
    held = Team.objects.get_or_create(name=team)[0] if team else None
    return GatewayKey.objects.create(owner=person(owner), name=name, digest=name.rjust(64, "0"), hint="abcd", team=held)


def add_usage(owner: str = "", key: GatewayKey | None = None, **facts: Any) -> UsageDay:
    """A sum of three calls of a day, one of them failed, a dollar in all."""
    given: dict[str, Any] = {
        "day": DAY,
        "owner_id": person(owner).pk if owner else 0,
        "key_id": key.pk if key else 0,
        "team_id": (key.team_id or 0) if key else 0,
        "caller": key.name if key else owner or "local",
        "collection_name": "core",
        "alias": "osprey",
        "connection": "harbour",
        "requests": 2,
        "calls": 3,
        "attempts": 4,
        "failed": 1,
        "tokens_in": 1_000,
        "tokens_out": 100,
        "cached": 600,
        "reasoning": 40,
        "cost": 1_000_000_000,
    }
    return UsageDay.objects.create(**(given | facts))


def add_weeks(owner: str = "ben") -> None:
    """Four weeks of three models."""
    for back in range(28):
        for place, alias in enumerate(("osprey", "granite-l", "wren"), 1):
            add_usage(owner, day=DAY - timedelta(days=back), alias=alias, cost=place * 10**8, calls=place, failed=0)
