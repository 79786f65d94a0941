"""Which connection a model is reached through, and which provider of models.dev that is.

Reads the database in a handful of queries, however many models there are.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.catalog.names import BASES, provider_of
from probes.catalog.sources import ModelsDev
from probes.models import ConnectionFact

UNKNOWN = "?"


class Connections(Struct, frozen=True):
    """What this installation says of connections (`own`, `paid`), and where providers are (`bases`, `known`)."""

    own: Mapping[str, str]
    paid: frozenset[str]
    bases: Mapping[str, str]
    known: frozenset[str]

    @classmethod
    def load(cls, feed: ModelsDev) -> Connections:
        """As the rows and the feed have them."""
        rows = list(ConnectionFact.objects.all())
        return cls(
            own={row.connection: row.models_dev for row in rows if row.models_dev},
            paid=frozenset(row.connection for row in rows if row.paid),
            bases={**BASES, **feed.bases()},
            known=feed.known,
        )

    def provider(self, endpoint: Endpoint, connection: str) -> str:
        """The provider of models.dev that serves a connection of this endpoint; empty when that is not known."""
        base = endpoint.base if connection == endpoint.name and endpoint.kind != EndpointKind.LOCAL else ""
        return provider_of(connection, base=base, own=self.own, bases=self.bases, known=self.known)


def connection_of(model: LanguageModel) -> str:
    """What shares a rate limit with the model: the upstream behind a hub, else the endpoint. `?` when a hub does not
    say."""
    if model.tag:
        return model.tag.split("/", 1)[0]
    return UNKNOWN if model.endpoint.kind == EndpointKind.HUB else model.endpoint.name
