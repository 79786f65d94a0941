"""The job of the catalogue: fetch the feeds that are old, describe every registered model, gather what is on offer.

Its payload may say `fetch`: `old` (as scheduled), `all` (a person's press) or `none`; and `describe` false to gather
offers alone. Each feed and each endpoint is a step of its own, degrades by itself, and is not asked again by another
claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.fault import UpstreamFault
from gateway.canon.kinds import EndpointKind, JobState, ModelRole
from probes.catalog.alerts import forget_gone
from probes.catalog.describe import List, describe_endpoint
from probes.catalog.feeds import ADDRESSES, Get, fetch, get, is_old
from probes.catalog.knowledge import gather
from probes.catalog.store import with_facts
from probes.catalog.store_hubs import keep_connections
from probes.catalog.store_offers import gather_offers
from probes.hubs.base import Overview
from probes.hubs.known import overview as hub_overview
from probes.jobs.work import Ending, JobAtWork
from probes.listing import list_models
from probes.models import Feed

KEY: Final = "all"
OLD, ALL, NONE = "old", "all", "none"

Overviews = Callable[[Endpoint], Overview]
"""What a hub has. Raises an UpstreamFault."""


def run(at_work: JobAtWork) -> Ending:
    """The handler of jobs of the kind `catalog`."""
    return refresh(at_work)


def refresh(
    at_work: JobAtWork,
    *,
    addresses: Mapping[str, str] = ADDRESSES,
    ask: Get = get,
    list_: List = list_models,
    overview: Overviews = hub_overview,
) -> Ending:
    """The same with other addresses and ways to ask."""
    _fetch(at_work, addresses, ask)
    if at_work.payload.get("describe", True):
        _describe(at_work, list_)
        _ask_hubs(at_work, overview)
    if not at_work.finished("offers"):
        at_work.check()
        knowledge = gather()
        tally = gather_offers(knowledge.models_dev, knowledge.free, knowledge.live, at_work.clock())
        at_work.say(tally)
        at_work.keep("offers", tally)
    troubles = Feed.objects.exclude(trouble="").count()
    feeds = f"; {troubles} of {len(addresses)} feeds in trouble" if troubles else ""
    return Ending(JobState.DONE, f"{at_work.found('offers')}{feeds}")


def _fetch(at_work: JobAtWork, addresses: Mapping[str, str], ask: Get) -> None:
    which = at_work.payload.get("fetch", OLD)
    if which == NONE:
        return
    if not settings.BENCH.feeds:
        at_work.say("feeds are not fetched: BENCH_FEEDS is off")
        return
    for name, address in addresses.items():
        step = f"feed {name}"
        if at_work.finished(step):
            continue
        at_work.check()
        if which == ALL or is_old(Feed.objects.filter(name=name).first(), at_work.clock()):
            told = fetch(name, address, at_work.clock, ask)
        else:
            told = f"{name}: the copy at hand is of the last 20 hours"
        at_work.say(told)
        at_work.keep(step, told)


def _describe(at_work: JobAtWork, list_: List) -> None:
    live = LanguageModel.objects.filter(retired_at__isnull=True).exclude(role=ModelRole.DECISION)
    live = live.exclude(endpoint__kind=EndpointKind.PRACTICE)
    knowledge = gather()
    endpoints = list(Endpoint.objects.filter(pk__in=live.values("endpoint")))
    for done, endpoint in enumerate(endpoints):
        step = f"endpoint {endpoint.name}"
        if at_work.finished(step):
            continue
        at_work.check()
        at_work.progress(done, len(endpoints))
        # Read only now: a listing takes its time, and models are retired and taken on meanwhile.
        models = with_facts(live.filter(endpoint=endpoint))
        described = describe_endpoint(endpoint, models, knowledge, at_work.clock, list_)
        for line in described.lines:
            at_work.say(line)
        at_work.keep(step, described.lines[-1])
    forget_gone(live.select_related("endpoint"))
    at_work.progress(len(endpoints), len(endpoints))


def _ask_hubs(at_work: JobAtWork, overview: Overviews) -> None:
    for endpoint in Endpoint.objects.filter(kind=EndpointKind.HUB).exclude(hub=""):
        step = f"hub {endpoint.name}"
        if at_work.finished(step):
            continue
        at_work.check()
        try:
            found = [one for one in overview(endpoint).connections if not one.why_not]
        except UpstreamFault as fault:
            told = f"{endpoint.name}: its connections are not known ({fault.message}); those it had last stay"
        else:
            keep_connections(endpoint, {one.id: one.base for one in found}, at_work.clock())
            told = f"{endpoint.name}: {len(found)} connections that models can be added to"
        at_work.say(told)
        at_work.keep(step, told)
