"""How programs name a candidate: by its served name if it is on the default endpoint, else with `@endpoint`. Pure."""

from __future__ import annotations

from collections.abc import Collection

from collections_app.refusal import Refused
from probes.onboarding.candidates import Name

NO_DEFAULT = "There is no endpoint yet; add one first."


def key_of(endpoint: str, served: str, default: str) -> str:
    """The name that programs have for it."""
    return served if endpoint == default else f"{served}@{endpoint}"


def read_name(said: str, endpoint: str, endpoints: Collection[str], default: str) -> Name:
    """(endpoint, served name) of what was said. Without an endpoint it is told by the name: an `@` before what is none
    belongs to the name.

    :raises Refused: none is named, and there is no default.
    """
    if endpoint:
        return endpoint, said
    served, at, tail = said.rpartition("@")
    if at and served and tail in endpoints:
        return tail, served
    if not default:
        raise Refused([("endpoint", NO_DEFAULT)])
    return default, said
