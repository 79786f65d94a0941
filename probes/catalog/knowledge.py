"""All that can be said of models at one time: the feeds at hand and what this installation knows of its connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from collections_app.models import LanguageModel
from probes.catalog.connections import Connections, connection_of
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.precedence import LISTING, Decided, decide
from probes.catalog.said import Said
from probes.catalog.shipped import load_shipped
from probes.catalog.sources import FreeLlmApi, ModelsDev, OpenRouter, of_listing, slug_of
from probes.catalog.store_feeds import document_of
from probes.listing_forms import Listed
from probes.models import Feed


class Knowledge(Struct, frozen=True):
    """`live` names the feeds that were fetched here, not shipped; `at_hand` all of which there is a copy."""

    models_dev: ModelsDev
    openrouter: OpenRouter
    free: FreeLlmApi
    connections: Connections
    live: frozenset[str]
    at_hand: frozenset[str]

    def of(self, model: LanguageModel, listing: Mapping[str, Listed] | None) -> dict[str, Decided]:
        """What is said of a model. `listing` is its own endpoint's, by served name; None when it could not be had."""
        provider = self.connections.provider(model.endpoint, connection_of(model))
        listed = (listing or {}).get(model.served)
        name = (listed.upstream_id if listed else "") or model.served
        return decide(
            openrouter=self.openrouter.of(name, slug_of(listed), own=provider == OPENROUTER),
            models_dev=self.models_dev.of(provider, name),
            free=self.free.of(provider, name),
            listing=Said(of_listing(listed), f"{LISTING}{model.endpoint.name}", exact=True) if listed else None,
        )


def gather() -> Knowledge:
    """What is known now. Keeps the shipped copies first where there are no others. Calls nobody."""
    load_shipped()
    feeds: dict[str, Feed] = {feed.name: feed for feed in Feed.objects.all()}
    models_dev = ModelsDev(document_of(feeds.get(MODELS_DEV)) or {})
    return Knowledge(
        models_dev=models_dev,
        openrouter=OpenRouter(document_of(feeds.get(OPENROUTER)) or []),
        free=FreeLlmApi(document_of(feeds.get(FREELLMAPI)) or []),
        connections=Connections.load(models_dev),
        live=frozenset(name for name, feed in feeds.items() if feed.body and not feed.shipped),
        at_hand=frozenset(name for name, feed in feeds.items() if feed.body),
    )


def by_served(models: Iterable[Listed]) -> dict[str, Listed]:
    """A listing, by the names that it serves."""
    return {model.served: model for model in models}
