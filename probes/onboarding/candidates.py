"""Which models could be taken on: what the endpoints list, without what is here already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from msgspec import Struct

from collections_app.models import DecisionModel, Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.health.store_served import WHOLE_KINDS
from probes.listing_forms import Listed
from probes.models import Dismissal, Served
from probes.onboarding.listings import Lister, Listing, load_listings, real_endpoints

UNKNOWN_GROUP: Final = "unknown connection"
NO_ENDPOINT: Final = (
    "There is no endpoint yet. Add one: a provider, an aggregator, a hub or a server on your own machine."
)
Name = tuple[str, str]
"""(endpoint, served name)"""


class NothingListed(Exception):
    """There is no endpoint, or none of them could be asked. The message says what to do; `errors` are by endpoint."""

    def __init__(self, message: str, errors: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.errors = dict(errors or {})


class Candidate(Struct, frozen=True):
    """A model that an endpoint lists and nobody has taken on. `group` is its connection in words; `new` one that the
    last served check had not seen; `free` whether it costs nothing, None where nobody says. Prices are USD per million
    tokens."""

    endpoint: str
    served: str
    group: str
    new: bool = False
    free: bool | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    context_window: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    decides: bool = False


class Gone(Struct, frozen=True):
    """A retired model that its endpoint still lists: it is restored, never taken on again."""

    endpoint: str
    served: str
    alias: str
    at: datetime
    why: str


class Known(Struct, frozen=True):
    """What is on record: live models and decision models, retired ones, what was put aside, and the served names that
    were seen on the endpoint whose whole listing is recorded, once it was checked."""

    here: frozenset[Name] = frozenset()
    retired: Mapping[Name, Gone] = {}
    dismissed: frozenset[Name] = frozenset()
    seen: Mapping[str, frozenset[str]] = {}


class Found(Struct, frozen=True):
    """Everything that is listed, in the order listed. `errors` says why an endpoint could not be asked."""

    candidates: tuple[Candidate, ...]
    dismissed: tuple[Candidate, ...] = ()
    retired: tuple[Gone, ...] = ()
    errors: Mapping[str, str] = {}
    asked_at: datetime | None = None


def load_candidates(now: datetime, *, fresh: bool = False, lister: Lister | None = None) -> Found:
    """Over all endpoints. Raises NothingListed."""
    endpoints = real_endpoints()
    if not endpoints:
        raise NothingListed(NO_ENDPOINT)
    return choose(endpoints, load_listings(endpoints, now, fresh=fresh, lister=lister), load_known())


def choose(endpoints: Iterable[Endpoint], listings: Mapping[str, Listing], known: Known) -> Found:
    """The candidates of these listings. Raises NothingListed where none of them is any good."""
    errors = {name: listing.error for name, listing in listings.items() if listing.error}
    if errors and len(errors) == len(listings):
        raise NothingListed("None of the endpoints could be asked what it serves.", errors)
    fresh: list[Candidate] = []
    aside: list[Candidate] = []
    retired: list[Gone] = []
    for endpoint in endpoints:
        seen = known.seen.get(endpoint.name)
        for model in listings[endpoint.name].models:
            name = (endpoint.name, model.served)
            if name in known.here:
                continue
            if name in known.retired:
                retired.append(known.retired[name])
                continue
            candidate = _candidate(endpoint, model, new=seen is not None and model.served not in seen)
            (aside if name in known.dismissed else fresh).append(candidate)
    asked = min((listing.at for listing in listings.values()), default=None)
    return Found(tuple(fresh), tuple(aside), tuple(retired), errors, asked)


def load_known() -> Known:
    """What is on record, in a handful of queries."""
    here: set[Name] = set(DecisionModel.objects.values_list("via__name", "served"))
    retired: dict[Name, Gone] = {}
    rows = LanguageModel.objects.values_list("endpoint__name", "served", "alias", "retired_at", "retired_why")
    for endpoint, served, alias, at, why in rows.order_by("retired_at"):
        if at is None:
            here.add((endpoint, served))
        else:
            retired[endpoint, served] = Gone(endpoint, served, alias, at, why)
    seen: dict[str, set[str]] = {}
    whole = Served.objects.filter(endpoint__default=True, endpoint__kind__in=WHOLE_KINDS)
    for endpoint, served in whole.values_list("endpoint__name", "served"):
        seen.setdefault(endpoint, set()).add(served)
    return Known(
        frozenset(here),
        retired,
        frozenset(Dismissal.objects.values_list("endpoint__name", "served")),
        {name: frozenset(names) for name, names in seen.items()},
    )


def group_of(endpoint: Endpoint, model: Listed) -> str:
    """Whose limits it shares, in words."""
    if endpoint.kind != EndpointKind.HUB:
        return f"{endpoint.name} (direct)"
    return model.connection.split("/", 1)[0] or UNKNOWN_GROUP


def is_free(model: Listed) -> bool | None:
    """By its name or its prices; None where neither says."""
    if model.served.endswith(":free"):
        return True
    prices = [price for price in (model.price_in, model.price_out) if price is not None]
    return not any(prices) if prices else None


def _candidate(endpoint: Endpoint, model: Listed, *, new: bool) -> Candidate:
    return Candidate(
        endpoint=endpoint.name,
        served=model.served,
        group=group_of(endpoint, model),
        new=new,
        free=is_free(model),
        inputs=model.inputs,
        outputs=model.outputs,
        context_window=model.context_window,
        price_in=model.price_in,
        price_out=model.price_out,
        decides=model.decisions is True,
    )
