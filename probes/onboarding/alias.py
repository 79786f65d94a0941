"""The alias of a model that is taken on. Pure; the rules themselves are `collections_app.aliases`."""

from __future__ import annotations

from collections.abc import Collection as Names

from collections_app.aliases import derive_alias


def alias_for(served: str, upstream_id: str = "", *, taken: Names[str], connection: str = "") -> str:
    """An alias that nobody has or had, whatever the case: the connection is appended where the plain one is taken, and
    then numbers. `upstream_id` is what the upstream behind a hub calls the model, where that is known. Empty when the
    served name has no usable character."""
    return derive_alias(without_prefix(served, upstream_id), taken=taken, connection=connection)


def without_prefix(served: str, upstream_id: str) -> str:
    """The served name without the prefix that a hub puts before its connection's ids. Known only by the upstream's own
    id: a dot may as well be part of a name."""
    behind = bool(upstream_id) and served != upstream_id and served.endswith(upstream_id)
    return upstream_id if behind else served


def near_matches(served: str, listed: Names[str], most: int = 5) -> list[str]:
    """What the endpoint lists that sounds like it: ids with the first part of the name in them, in their order."""
    stem = derive_alias(served).lower().split("-", 1)[0]
    return [one for one in listed if stem and stem in one.lower()][:most]
