"""How each provider can be reached from this installation: directly, or through a connection behind a hub.

Reads the rows in a handful of queries; the feeds stay unread, so that a page can ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.catalog.connections import Connections, connection_of
from probes.catalog.names import BASES
from probes.models import ConnectionFact, HubConnection, Offer

DIRECT, HUB = "direct", "hub"


class Reach(StrEnum):
    """How near an offer is. The value stands in addresses."""

    CONNECTED = "connected"
    EASY = "easy"
    ON_BENCH = "bench"
    OTHER = "other"


class Route(Struct, frozen=True):
    """A way to a provider's models: an endpoint, and behind a hub the connection. `on_bench_as` is the alias of the
    model that was asked about where it is registered this way."""

    kind: str
    endpoint: str
    connection: str
    on_bench_as: str = ""


class Ways(Struct, frozen=True):
    """`by_provider` has the routes to each provider, `registered` the aliases by (provider, served id, endpoint)."""

    by_provider: dict[str, list[Route]]
    registered: dict[tuple[str, str, str], str]

    def routes(self, provider: str, served: str) -> list[Route]:
        """The ways to a model, by its exact id."""
        return [
            Route(way.kind, way.endpoint, way.connection, self.registered.get((provider, served, way.endpoint), ""))
            for way in self.by_provider.get(provider, [])
        ]

    def on_bench(self) -> set[tuple[str, str]]:
        """(provider, served id) of every registered model whose provider is known."""
        return {(provider, served) for provider, served, _ in self.registered}

    def reach(self, offer: Offer) -> Reach:
        """How near an offer is."""
        ways = self.by_provider.get(offer.provider, [])
        if any((offer.provider, offer.served, way.endpoint) in self.registered for way in ways):
            return Reach.ON_BENCH
        if ways:
            return Reach.CONNECTED
        return Reach.EASY if offer.base else Reach.OTHER


def load_ways() -> Ways:
    """As the rows are now."""
    endpoints = {endpoint.pk: endpoint for endpoint in Endpoint.objects.exclude(kind=EndpointKind.PRACTICE)}
    models = list(LanguageModel.objects.filter(retired_at__isnull=True, endpoint__in=endpoints))
    behind = list(HubConnection.objects.all())
    for model in models:
        model.endpoint = endpoints[model.endpoint_id]
    for row in behind:
        row.endpoint = endpoints[row.endpoint_id]
    connections = _connections(endpoints.values(), models, behind)
    by_provider: dict[str, list[Route]] = {}
    for provider, route in _routes(endpoints.values(), models, behind, connections):
        ways = by_provider.setdefault(provider, [])
        if route not in ways:
            ways.append(route)
    by_provider.pop("", None)
    registered = {
        (provider, model.served, model.endpoint.name): model.alias
        for model in models
        if (provider := connections.provider(model.endpoint, connection_of(model)))
    }
    return Ways(by_provider, registered)


def _connections(
    endpoints: Iterable[Endpoint], models: Iterable[LanguageModel], behind: Iterable[HubConnection]
) -> Connections:
    """What is known of the connections there are: of the offers, those alone that may be reached by one of them."""
    rows = list(ConnectionFact.objects.all())
    names = {endpoint.name for endpoint in endpoints} | {row.connection for row in behind}
    names |= {connection_of(model) for model in models}
    bases = {one.base.rstrip("/") for one in endpoints} | {row.base.rstrip("/") for row in behind if row.base}
    told = Offer.objects.filter(base__in=bases).order_by().values_list("provider", "base").distinct()
    known = Offer.objects.filter(provider__in=names).order_by().values_list("provider", flat=True).distinct()
    return Connections(
        own={row.connection: row.models_dev for row in rows if row.models_dev},
        paid=frozenset(row.connection for row in rows if row.paid),
        bases={**BASES, **dict(told)},
        known=frozenset(known),
    )


def _routes(
    endpoints: Iterable[Endpoint],
    models: Iterable[LanguageModel],
    behind: Iterable[HubConnection],
    connections: Connections,
) -> Iterator[tuple[str, Route]]:
    """(provider, route); the provider is empty where it is not known."""
    for endpoint in endpoints:
        if endpoint.kind != EndpointKind.HUB:
            provider = connections.provider(endpoint, endpoint.name)
            yield provider, Route(DIRECT, endpoint.name, endpoint.name)
    for row in behind:
        yield _behind(row, connections), Route(HUB, row.endpoint.name, row.connection)
    for model in models:
        if model.endpoint.kind == EndpointKind.HUB:
            connection = connection_of(model)
            yield connections.provider(model.endpoint, connection), Route(HUB, model.endpoint.name, connection)


def _behind(row: HubConnection, connections: Connections) -> str:
    """The provider that a hub's connection leads to: by its address, else by its name."""
    same = row.base.rstrip("/").lower()
    by_base = next((name for name, base in connections.bases.items() if same and base.rstrip("/").lower() == same), "")
    return by_base or connections.provider(row.endpoint, row.connection)
