"""A year of usage, keys with budgets, and what providers say of limits, for a running installation.

Run as a program with the variables of that installation; a second run changes nothing. Needs the people and models of
`seed`.
"""

from __future__ import annotations

import os
from datetime import timedelta
from random import Random


def fill(days: int = 365, seed: int = 7) -> None:
    """A sum for each key and model of every working day, larger from month to month."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from collections_app.models import ConnectionLimit, Fact, GatewayKey, KeyBudget, LanguageModel, Team
    from gateway.models import Cooldown, KeySpend, Quota, UsageDay

    if GatewayKey.objects.filter(name="review-bot").exists():
        return
    rng, today, now = Random(seed), timezone.localdate(), timezone.now()
    team = Team.objects.get_or_create(name="reviewers")[0]
    keys = []
    for number, (owner, name) in enumerate((("maya", "review-bot"), ("ben", "laptop"), ("ben", "nightly"))):
        key = GatewayKey.objects.create(
            owner=User.objects.get(username=owner), name=name, digest=f"{number:064}", hint="9f3a", team=team
        )
        GatewayKey.objects.filter(pk=key.pk).update(created_at=now - timedelta(days=days))
        keys.append(key)
    models = list(LanguageModel.objects.filter(endpoint__name="harbour").order_by("alias"))
    rows = []
    for back in range(days):
        day = today - timedelta(days=back)
        for key in keys:
            for model in models if day.weekday() < 5 else models[:2]:
                calls = rng.randint(3, 20) * (days - back // 2) // 100 + 1
                read, written = calls * rng.randint(900, 4_000), calls * rng.randint(100, 700)
                rows.append(
                    UsageDay(
                        day=day,
                        owner_id=key.owner_id,
                        key_id=key.pk,
                        team_id=team.pk,
                        caller=key.name,
                        collection_name="core",
                        alias=model.alias,
                        connection="harbour",
                        purpose="route",
                        requests=calls,
                        calls=calls,
                        attempts=calls,
                        failed=rng.random() < 0.3,
                        unpriced=calls if model.alias == "wren" else 0,
                        tokens_in=read,
                        tokens_out=written,
                        cached=read // 2,
                        reasoning=written // 3,
                        cost=0 if model.alias == "wren" else read * 500 + written * 2_000,
                    )
                )
    UsageDay.objects.bulk_create(rows, batch_size=500)
    month = today.replace(day=1)
    for key, dollars, spent in zip(keys, (1, 20, 300), (990_000_000, 14_000_000_000, 4_000_000), strict=True):
        KeyBudget.objects.create(key=key, unit="money", period="month", amount=dollars * 10**9)
        KeySpend.objects.create(key=key, unit="money", period="month", start=month, spent=spent)
    KeyBudget.objects.create(key=keys[0], unit="requests", period="day", amount=500)
    told = {"connection": "harbour", "source": "x-ratelimit-remaining", "observed_at": now, "limit": 1_000}
    later = now + timedelta(hours=3)
    Quota.objects.create(metric="requests", window="day", remaining=0, reset_at=later, **told)
    Quota.objects.create(alias="osprey", metric="tokens", window="minute", remaining=412, reset_at=later, **told)
    Cooldown.objects.create(language_model=models[0], until=later, stated=True, why="429")
    ConnectionLimit.objects.create(connection="harbour", rpm=60, tpd=2_000_000, parallel=8)
    Fact.objects.create(language_model=models[1], field="limits", source="learned", value={"rpm": 20})


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    fill()
