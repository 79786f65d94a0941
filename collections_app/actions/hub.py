"""Notes what was done at a hub. The hubs themselves are asked by `probes.hubs`."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from collections_app.journal import note_alone, require
from collections_app.models import Endpoint


def require_hub(actor: User | None) -> None:
    """Let those pass who may take models on: adding to a hub is the beginning of it."""
    require(actor, "probes.add_job", "add models to hubs")
    require(actor, "collections_app.add_languagemodel", "add models to hubs")


def note_hub_add(
    actor: User | None,
    endpoint: Endpoint,
    served: str,
    *,
    connection: str,
    model: str,
    steps: Sequence[str],
    trouble: str = "",
) -> None:
    """One row for what a hub was changed by, finished or not (`trouble`)."""
    said = {"connection": connection, "model": model, "endpoint": endpoint.name, "steps": list(steps)}
    note_alone(actor, f"{endpoint.hub}-add", served, new=said | ({"trouble": trouble[:1000]} if trouble else {}))
