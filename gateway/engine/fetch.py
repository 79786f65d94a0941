"""One document from outside, whole: lists of models, sign-ins, hubs, feeds. Not for calls of models, which are paced
and in the ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from gateway.canon.fault import Broken, Silent
from gateway.engine.hiding import to_hide
from gateway.engine.transport import Transport

WAIT_S: Final = 30.0
HEADERS: Final = {"accept": "application/json", "accept-encoding": "identity", "user-agent": "benchwarmers"}


class Fetched(Struct, frozen=True):
    """A reply: its `status`, lower-case `headers`, and all of its `body`, in which no secret that was sent appears."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        """The document. Raises Broken when it is no JSON, or too deep to be read."""
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Broken("the reply is not JSON", upstream_status=self.status) from error


async def fetch_document(
    transport: Transport,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    private: bool = False,
    secrets: Iterable[str] = (),
    wait_s: float = WAIT_S,
) -> Fetched:
    """The reply, whatever its status. Redirects are not followed: a 3xx comes back as it is.

    Raises NotSent, Unreachable, Broken, or Silent when not all of it came within `wait_s` seconds.
    """
    sent = {**HEADERS, **{name.lower(): value for name, value in (headers or {}).items()}}
    try:
        async with (
            asyncio.timeout(wait_s),
            transport.send(method, url, sent, body, private=private, secrets=to_hide(secrets)) as answer,
        ):
            known = {name.lower(): value for name, value in answer.headers.items()}
            return Fetched(answer.status, known, b"".join([chunk async for chunk in answer.chunks()]))
    except TimeoutError:
        raise Silent(f"no answer in {wait_s:g} s") from None
