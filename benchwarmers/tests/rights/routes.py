"""Walks the URL configuration: every route with its name, and an address for it that names the cast's things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, get_resolver

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
VERBS = ("GET", "POST")


@dataclass(frozen=True)
class Found:
    """A route. `pattern` is written as in the URL configuration, from the root; `regular` when it is an expression."""

    name: str
    pattern: str
    regular: bool

    @property
    def parameters(self) -> list[str]:
        """What the address names."""
        return PARAMETER.findall(self.pattern)

    @property
    def of_admin(self) -> bool:
        return self.name.startswith("admin:")

    @property
    def of_api(self) -> bool:
        """For programs: with a gateway key, or with a person's own token."""
        return self.name.startswith(("gateway-", "api:"))

    def address(self, values: dict[str, Any]) -> str:
        """The address with these values. Raises KeyError when one is missing."""
        return "/" + PARAMETER.sub(lambda found: str(values[found[1]]), self.pattern)


def walk(resolver: Any = None, prefix: str = "", spaces: tuple[str, ...] = ()) -> Iterator[Found]:
    """All routes that there are, in the order in which they are tried."""
    for one in (resolver or get_resolver()).url_patterns:
        written = prefix + str(one.pattern)
        if isinstance(one, URLPattern):
            name = one.name or one.lookup_str
            yield Found(":".join((*spaces, name)), written, one.pattern.regex.pattern == str(one.pattern))
        else:
            yield from walk(one, written, (*spaces, one.namespace) if one.namespace else spaces)
