"""What a rule of the table of rights means. Pure: a person and a rule in, yes or no out.

A rule is one word of those below, or the name of a permission such as `gateway.judge`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser, User

ANYONE: Final = "anyone"
"""No credential at all. What lies behind it tells nothing of this installation, or makes one known."""
SIGNED_IN: Final = "signed in"
"""Whoever is signed in; what they see there is a matter of sight."""
STAFF: Final = "staff"
"""Whoever may enter the admin; there Django's own permission of each model holds."""
KEY: Final = "key"
"""A gateway key, and never a session. Where the server asks for no keys: everybody, as the local caller."""
TOKEN: Final = "own token"  # noqa: S105 it is none
"""A token that the settings name for this alone. Without one: everybody where no keys are asked for, else nobody."""

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing. `Row.read` is for them, `Row.write` for all others."""


@dataclass(frozen=True, slots=True)
class Row:
    """The rules of one route. None: the route has no such methods."""

    read: str | None = None
    write: str | None = None

    def rule_for(self, method: str) -> str | None:
        """The rule that a request with this method falls under."""
        if method == "OPTIONS":
            return self.read or self.write
        return self.read if method in READING else self.write


def admits(rule: str, person: User | AnonymousUser) -> bool:
    """Whether the rule lets this person through. KEY and TOKEN let nobody in for who they are."""
    match rule:
        case "anyone":
            return True
        case "signed in":
            return person.is_authenticated
        case "staff":
            return person.is_authenticated and person.is_staff
        case "key" | "own token":
            return False
        case permission:
            return person.is_authenticated and person.has_perm(permission)
