"""Feeds at hand, endpoints that list, and jobs of the catalogue at work, without a network."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from collections_app.models import Endpoint, Fact, LanguageModel
from gateway.canon.fault import Unreachable, UpstreamFault
from gateway.engine.fetch import Fetched
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.refresh import Overviews, refresh
from probes.catalog.store_feeds import keep_feed
from probes.hubs.base import Overview
from probes.jobs import run
from probes.jobs.work import Ending, JobAtWork
from probes.listing_forms import Listed
from probes.models import Job
from probes.tests.catalog import feeds
from probes.tests.jobs.given import NOW, Clock, asked, known

BODIES = {
    MODELS_DEV: feeds.encoded(feeds.MODELS_DEV),
    OPENROUTER: feeds.encoded(feeds.OPENROUTER),
    FREELLMAPI: feeds.encoded(feeds.FREELLMAPI),
}
PLACES = {name: f"https://{name}.example" for name in BODIES}


def at_hand(now: datetime = NOW, **documents: Any) -> None:
    """Keep copies of the three small feeds; `models_dev=`, `openrouter=` and `freellmapi=` bring others."""
    others = {"models_dev": MODELS_DEV, "openrouter": OPENROUTER, "freellmapi": FREELLMAPI}
    bodies = BODIES | {others[name]: feeds.encoded(document) for name, document in documents.items()}
    for name, body in bodies.items():
        keep_feed(name, body, now)


class Net:
    """What feeds answer, by name; a fault is raised. `asked` are the names that were asked for."""

    def __init__(self, answers: Mapping[str, Fetched | UpstreamFault | bytes] = BODIES) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []

    def __call__(self, url: str) -> Fetched:
        name = next(name for name, place in PLACES.items() if place == url)
        self.asked.append(name)
        answer = self.answers[name]
        if isinstance(answer, UpstreamFault):
            raise answer
        return Fetched(200, {}, answer) if isinstance(answer, bytes) else answer


class Lists:
    """What endpoints list, by name; one that is not named cannot be reached. `asked` are those that were asked."""

    def __init__(self, **listings: list[Listed]) -> None:
        self.listings = listings
        self.asked: list[str] = []

    def __call__(self, endpoint: Endpoint) -> list[Listed]:
        self.asked.append(endpoint.name)
        if endpoint.name not in self.listings:
            raise Unreachable("no connection")
        return self.listings[endpoint.name]


def no_hub(endpoint: Endpoint) -> Overview:
    raise Unreachable("no hub")


def refreshed(
    clock: Clock, lists: Lists | None = None, net: Net | None = None, overview: Overviews = no_hub, **payload: Any
) -> Job:
    """One claim of the open job of the catalogue, or of a new one; its row as it stands afterwards."""

    def work(at_work: JobAtWork) -> Ending:
        return refresh(at_work, addresses=PLACES, ask=net or Net(), list_=lists or Lists(), overview=overview)

    with known(work=work):
        job = Job.objects.filter(kind="work", ended_at=None).first() or asked(
            "work", now=clock.now, payload={"fetch": "none"} | payload
        )
        run.run_job(job.pk, clock)
    job.refresh_from_db()
    return job


def told(job: Job) -> list[str]:
    """Its output."""
    return list(job.lines.order_by("id").values_list("text", flat=True))


def fact_of(alias: str, field: str) -> tuple[Any, str] | None:
    """(value, evidence) of what feeds say."""
    row = Fact.objects.filter(language_model__alias=alias, field=field, source="feed").first()
    return (row.value, row.evidence) if row else None


def model(alias: str) -> LanguageModel:
    return LanguageModel.objects.select_related("endpoint").get(alias=alias)
