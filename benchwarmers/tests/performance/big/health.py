"""What is known of models and connections: samples of probes, listings, alerts, offers, and the work behind them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.ledger import PROBER
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import names, sentence
from benchwarmers.tests.performance.big.work import Asked
from collections_app.models import Alert
from gateway.canon.kinds import AlertKind
from gateway.models import Cooldown, Quota
from probes.models import (
    Dismissal,
    Fingerprint,
    HubConnection,
    Job,
    JobLine,
    Offer,
    OnboardingIssue,
    ProbeSample,
    Served,
)

KINDS = ("availability", "speed", "capabilities", "served", "onboard", "retry", "catalog", "fingerprints")


def pour_samples(house: House) -> list[Asked]:
    """Probes of every model, and their calls."""
    rng, amounts = house.rng, house.amounts
    gap = timedelta(days=1) / amounts.probes_a_day
    calls: list[Asked] = []
    rows: list[tuple[Any, ...]] = []
    for turn in range(amounts.probed_days * amounts.probes_a_day, 0, -1):
        for number, model in enumerate(house.models):
            at = house.now - turn * gap + timedelta(seconds=3 * number)
            if at > house.now:
                at = house.now
            answered = rng.random() < 0.97
            prompt = "tiny" if turn % 6 else "large"
            seconds = round(rng.uniform(0.3, 9), 3)
            failure = "" if answered else rng.choice(("capacity", "timeout", "empty"))
            told = (seconds, seconds / 4 if answered else None, 20, 12 if answered else None)
            rows.append((model.pk, "availability", prompt, at, answered, answered or None, failure, *told))
            calls.append(Asked(at, model, PROBER, "", "probe", "", "ok" if answered else "error", False))
    columns = (
        *("language_model", "kind", "prompt", "at", "answered", "passed", "failure", "seconds", "first_token_s"),
        *("tokens_in", "tokens_out"),
    )
    pour(ProbeSample, columns, rows)
    looks = (
        (model.pk, house.now - timedelta(days=7 * week), {"q": "a"}, 0.1)
        for model in house.models
        for week in (1, 2, 3)
    )
    pour(Fingerprint, ("language_model", "at", "answers", "distance"), looks)
    return calls


def pour_listings(house: House) -> None:
    """What endpoints list, and what became of the models that were taken on."""
    now, amounts = house.now, house.amounts
    seen = now - timedelta(days=40)
    listed = [(model.endpoint_id, model.served, seen, now, None) for model in house.models if not model.retired_at]
    for number, name in enumerate(names(amounts.listed)):
        listed.append((house.endpoints[number % len(house.endpoints)].pk, f"shop/{name}", seen, now, None))
    pour(Served, ("endpoint", "served", "first_seen", "last_seen", "first_missing"), listed)
    pour(Dismissal, ("endpoint", "served", "at", "by"), ((row[0], row[1], now, "maya") for row in listed[-60:]))
    hubs = [one for one in house.endpoints if one.kind == "hub"]
    pour(
        HubConnection,
        ("endpoint", "connection", "seen_at"),
        ((hub.pk, f"behind-{number}", now) for hub in hubs for number in range(6)),
    )
    live = [model for model in house.models if model.retired_at is None]
    pour(
        OnboardingIssue,
        ("language_model", "at", "step", "failure", "detail"),
        ((model.pk, now, "probed", "capacity", sentence(house.rng, 8)) for model in live[:30]),
    )
    later = now + timedelta(hours=3)
    rests = ((model.pk, later, True, "429", now) for model in live[30:45])
    pour(Cooldown, ("language_model", "until", "stated", "why", "at"), rests)
    left = (
        (model.connection, model.alias, "requests", "day", 1_000, 12, later, "x-ratelimit-remaining", now)
        for model in live[:60]
    )
    columns = ("connection", "alias", "metric", "window", "limit", "remaining", "reset_at", "source", "observed_at")
    pour(Quota, columns, left)


def pour_alerts(house: House) -> None:
    """Alerts of every kind, about models that are there."""
    live = [model for model in house.models if model.retired_at is None]
    kinds, now = list(AlertKind), house.now
    rows = (
        (
            *("served-check", f"seeded-{number}", kinds[number % len(kinds)].value, sentence(house.rng, 10)),
            *(live[number % len(live)].pk, now - timedelta(days=number % 9), now),
        )
        for number in range(house.amounts.alerts)
    )
    pour(Alert, ("raiser", "key", "kind", "message", "language_model", "first_seen", "last_seen"), rows)


def pour_offers(house: House) -> None:
    """What feeds say is offered, a sixth of it for nothing."""
    now = house.now
    rows = (
        (
            *(f"provider-{number % 90}", f"{name}", f"maker/{name}", f"Maker {name}", number % 6 == 0),
            *(
                0.0 if number % 6 == 0 else number % 40 / 8,
                number % 40 / 2,
                128_000,
                now - timedelta(days=number % 200),
            ),
            *(now, "2026-05-01", ["text"], ["text"]),
        )
        for number, name in enumerate(names(house.amounts.offers))
    )
    columns = (
        *("provider", "name", "served", "label", "free", "price_in", "price_out", "context_window", "first_seen"),
        *("seen_at", "released", "inputs", "outputs"),
    )
    pour(Offer, columns, rows)


def pour_jobs(house: House) -> None:
    """Finished jobs with their lines; two wait and one runs."""
    rng, ids = house.rng, count(1)
    times = sorted(house.back() for _ in range(house.amounts.jobs))
    jobs: list[tuple[Any, ...]] = []
    for number, (place, at) in enumerate(zip(ids, times, strict=False)):
        kind = KINDS[number % len(KINDS)]
        state = "done" if rng.random() < 0.9 else rng.choice(("failed", "no answer", "skipped"))
        if number >= len(times) - 3:
            state = "running" if number == len(times) - 1 else "queued"
        key = house.models[number % len(house.models)].alias if kind in ("onboard", "retry") else ""
        begun = at if state not in ("queued",) else None
        ended = at + timedelta(minutes=4) if state not in ("queued", "running") else None
        total = len(house.models)
        jobs.append((place, kind, key, state, total // (1 if ended else 3), total, at, "maya", at, begun, ended))
    columns = (
        *("id", "kind", "key", "state", "done", "total", "due_at", "by", "created_at", "started_at", "ended_at"),
    )
    pour(Job, columns, jobs)

    def lines() -> Iterator[tuple[Any, ...]]:
        for job in jobs:
            for line in range(house.amounts.lines_a_job):
                yield job[0], job[8] + timedelta(seconds=line), 1, sentence(rng, 9)

    pour(JobLine, ("job", "at", "step", "text"), lines())
