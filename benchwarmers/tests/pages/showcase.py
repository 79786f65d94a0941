"""Makes of a seeded installation one that a team has used for a month: line-ups, models in every state, a history of
probes, an evening of the suite. For the pictures of the tour, and for whoever wants to look at pages.

Run as a program with the variables of that installation, after `seed`; a second run changes nothing.
"""

from __future__ import annotations

import os
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple


class Player(NamedTuple):
    """A model: how often it is right in the suite, how often up, its pace in seconds, and what is stated of it."""

    skill: float
    up: float
    pace: float
    context: int
    price_in: float
    price_out: float
    sees: bool
    status: str


PLAYERS = {
    "granite-l": Player(0.86, 0.995, 6.5, 400_000, 2.5, 10.0, True, "healthy"),
    "heron-70b": Player(0.74, 0.97, 2.4, 128_000, 0.25, 1.5, False, "healthy"),
    "osprey": Player(0.66, 0.88, 3.1, 200_000, 0.6, 2.4, True, "throttled"),
    "quill-2": Player(0.79, 0.985, 4.2, 256_000, 1.0, 4.0, True, "healthy"),
    "tern-mini": Player(0.48, 0.99, 0.9, 64_000, 0.05, 0.2, False, "healthy"),
    "wren": Player(0.58, 0.96, 1.3, 128_000, 0.0, 0.0, False, "slow"),
}
LINE_UPS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "core": (
        ("granite-l", "quill-2", "heron-70b"),
        {"description": "The questions of the day: designs, plans, prose.", "tags": ["second-opinion", "tools"]},
    ),
    "quick": (("tern-mini", "wren"), {"description": "Short answers at once.", "shape": "quick", "tags": ["fast"]}),
    "reviewers": (
        ("granite-l", "heron-70b", "osprey"),
        {
            "description": "Real defects in a diff, with the line. One answer that says who saw what.",
            "shape": "review",
            "reply": "merged",
            "tags": ["review", "security"],
        },
    ),
}


def fill(seed: int = 11) -> None:
    """Everything."""
    from django.utils import timezone

    from collections_app.models import Collection, LanguageModel
    from collections_app.standings_store import rebuild_standings
    from probes.models import ProbeSample

    if ProbeSample.objects.exists():
        return
    rng, now = Random(seed), timezone.now()
    for alias, player in PLAYERS.items():
        model = LanguageModel.objects.get(alias=alias)
        _state(model, player, now)
        _probe(model, player, rng, now)
    LanguageModel.objects.filter(endpoint__kind="practice").update(status="healthy", status_at=now)
    for name, (members, fields) in LINE_UPS.items():
        collection = Collection.objects.get(name=name)
        Collection.objects.filter(pk=collection.pk).update(**fields)
        for place, alias in enumerate(members, 1):
            collection.seatings.create(language_model=LanguageModel.objects.get(alias=alias), place=place)
    _asked(rng)
    _suite(rng)
    rebuild_standings()


def _state(model: Any, player: Player, now: Any) -> None:
    from collections_app.models import Fact

    model.status, model.status_at = player.status, now
    model.save(update_fields=["status", "status_at"])
    type(model).objects.filter(pk=model.pk).update(created_at=now - timedelta(days=40))
    facts: dict[str, Any] = {
        "context_window": player.context,
        "tools": True,
        "structured_output": player.skill > 0.5,
        "reasoning": player.skill > 0.7,
        "vision": player.sees,
        "prices": {"input": player.price_in, "output": player.price_out},
    }
    for field, value in facts.items():
        Fact.objects.update_or_create(
            language_model=model, field=field, source="feed", defaults={"value": value, "evidence": "models.dev"}
        )


def _probe(model: Any, player: Player, rng: Random, now: Any) -> None:
    from probes.models import ProbeSample

    samples = []
    for quarter in range(30 * 4):
        for prompt, times in (("tiny", 1.0), ("large", 4.0)):
            if prompt == "large" and quarter % 8:
                continue
            answered = rng.random() < player.up
            sample = ProbeSample(language_model=model, kind="availability", prompt=prompt, answered=answered)
            sample.at = now - timedelta(hours=6 * quarter + 1)
            sample.failure = "" if answered else rng.choice(("capacity", "capacity", "timeout"))
            sample.seconds = player.pace / 4 * times * rng.lognormvariate(0, 0.25)
            samples.append(sample)
    ProbeSample.objects.bulk_create(samples)


def _asked(rng: Random, days: int = 30) -> None:
    """Panels of the last month, in the sums that the pages read."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from gateway.models import UsageDay

    today, rows = timezone.localdate(), []
    for person in User.objects.filter(username__in=("maya", "ben")):
        for back in range(days):
            for name, (members, _fields) in LINE_UPS.items():
                asked = rng.randint(4, 26) // (1 + 3 * ((today - timedelta(days=back)).weekday() > 4))
                common = {"day": today - timedelta(days=back), "owner_id": person.pk, "collection_name": name}
                rows.append(UsageDay(**common, caller=person.username, requests=asked))
                for alias in members:
                    player = PLAYERS[alias]
                    read, written = asked * rng.randint(600, 2_400), asked * rng.randint(200, 900)
                    cost = int((read * player.price_in + written * player.price_out) * 1_000)
                    used = {"calls": asked, "attempts": asked, "tokens_in": read, "tokens_out": written, "cost": cost}
                    rows.append(
                        UsageDay(
                            **common, caller=person.username, alias=alias, connection="harbour", purpose="seat", **used
                        )
                    )
    UsageDay.objects.bulk_create(rows)


def _suite(rng: Random) -> None:
    """Two weekly passes over claims, pairs and findings, answered as well as each model is good."""
    from benchwarmers.tests.operations.benchmarks.given import NOW, add_claim, add_pair, answer
    from gateway.canon.kinds import TaskShape
    from suite.drafts import Draft
    from suite.store import keep_task

    right, wrong, none = "FAULT: line 4\nIt subtracts.", "FAULT: line 2\nIt begins at zero.", "NO FAULT"
    pairs = [
        add_pair(name) for name in ("ledger-sum", "retry-wait", "queue-order", "cache-key", "date-range", "lock-free")
    ]
    claims = [
        add_claim(f"claim-{name}", true=bool(at % 2)) for at, name in enumerate(("cache", "json", "tls", "utf8", "wal"))
    ]
    clauses = ["no timeout", "no retry limit", "lost update", "unbounded queue", "clock goes back"]
    key = {"must_find": clauses, "must_not_claim": ["deadlock"], "min_answer_chars": 5}
    finds = [
        keep_task(
            Draft(
                slug=f"find-{name[4:]}",
                title=f"What is wrong with {name}",
                shape=TaskShape.FINDING,
                prompt="List it.",
                key=key,
            ),
            by="maya",
            now=NOW,
            reviewed=True,
        )[0]
        for name in ("the queue", "the cache", "the scheduler", "the lease")
    ]
    for day in (0, 7):
        for task in finds:
            says = {
                alias: "\n".join(
                    [f"- {one}" for one in clauses if rng.random() < player.skill]
                    + (["- There is a deadlock."] if rng.random() > player.skill + 0.1 else [])
                    or ["- Nothing at all."]
                )
                for alias, player in PLAYERS.items()
            }
            answer(says, task, days=day)
        for bug, control in pairs:
            good = {alias: rng.random() < player.skill for alias, player in PLAYERS.items()}
            answer({a: right if ok else rng.choice((wrong, none)) for a, ok in good.items()}, bug, days=day)
            calm = {alias: rng.random() < 0.5 + player.skill / 2 for alias, player in PLAYERS.items()}
            answer({a: none if ok else wrong for a, ok in calm.items()}, control, days=day)
        for at, claim in enumerate(claims):
            truth = ("FALSE", "TRUE")[at % 2]
            other = ("TRUE", "FALSE")[at % 2]
            says = {a: truth if rng.random() < p.skill else other for a, p in PLAYERS.items()}
            answer({a: f"VERDICT: {word}\nThe code says so." for a, word in says.items()}, claim, days=day)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchwarmers.settings")
    import django

    django.setup()
    fill()
