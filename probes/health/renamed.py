"""Finds models that a hub lists under another name since a connection got a prefix. Pure.

Open WebUI puts the prefix and a dot before every name of a connection. The alias of a model does not change with that;
what it serves is pointed to the new name, never retired.
"""

from __future__ import annotations

from collections.abc import Collection

OPENWEBUI = "openwebui"


def renamed_to(served: str, listed: Collection[str], hub: str) -> str:
    """The one name that is listed in place of `served`; empty when there is none, or more than one could be meant."""
    if hub != OPENWEBUI or served in listed:
        return ""
    found = [name for name in listed if name.endswith(f".{served}") and len(name) > len(served) + 1]
    return found[0] if len(found) == 1 else ""
