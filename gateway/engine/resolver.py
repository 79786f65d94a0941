"""Looks up names for the way out, and hands on only addresses that an endpoint may have.

The connector connects to exactly what is handed on here, so that a name cannot lead to one address when it is checked
and to another when it is used. Hosts that are addresses themselves are not looked up; `literal_problem` is for them.
"""

from __future__ import annotations

import socket
from functools import lru_cache

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver

from collections_app.addresses import connection_problem


class AddressRefused(Exception):
    """No connection may be made to this host; the text is the clause that says why."""


class CheckedResolver(AbstractResolver):
    """Asks `inner`, this system's own resolver unless given. `private`: for endpoints that may stand at private
    addresses."""

    def __init__(self, *, private: bool, inner: AbstractResolver | None = None) -> None:
        self._private = private
        self._inner = inner or DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a name. Raises AddressRefused when one of them may not be connected to, and OSError when the
        name has none."""
        found = await self._inner.resolve(host, port, family)
        if problem := connection_problem(host, [one["host"] for one in found], private=self._private):
            raise AddressRefused(problem)
        return found

    async def close(self) -> None:
        await self._inner.close()


@lru_cache(maxsize=2_048)
def literal_problem(host: str, private: bool) -> str:
    """What is wrong with a host before it is looked up, as a clause; empty when nothing is. There are few hosts."""
    return connection_problem(host, (), private=private)
