"""Fetches the document in which a program describes itself, whose address is the program's id.

By the one way out, so that no address inside this network is asked, no redirect followed and no certificate taken on
trust.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Final

from allauth.idp.oidc.internal import cimd
from allauth.idp.oidc.models import Client
from django.core.exceptions import ValidationError

from gateway.canon.fault import Fault
from gateway.engine.transport import Transport
from probes.side import side

DEADLINE_S: Final = 5.0
CAP: Final = 5_120
_NAMED: Final = re.compile(r"\.[a-z][a-z0-9-]*[a-z0-9]$")
"""A name of more than one word, whose last is no number: no address, and not this machine, which endpoints may name."""


def read_document(address: str) -> Client:
    """The program as its document has it, not saved.

    :raises ValidationError: the address is none for such a document, nothing usable stands there, or it is about
        another program.
    """
    parsed = cimd.validate_client_id(address)
    if not _NAMED.search(parsed.hostname or ""):
        raise ValidationError("It must stand at a public name, such as programs.example.org.")
    fetched = side().with_transport(lambda transport: _fetch(transport, address))
    return cimd.validate_metadata(address, parsed, fetched)


async def _fetch(transport: Transport, address: str) -> Any:
    body = bytearray()
    try:
        async with (
            asyncio.timeout(DEADLINE_S),
            transport.send("GET", address, {"Accept": "application/json"}) as answer,
        ):
            if answer.status != 200:
                raise ValidationError(f"It was answered with status {answer.status}.")
            async for chunk in answer.chunks():
                body += chunk
                if len(body) > CAP:
                    raise ValidationError(f"It is larger than {CAP:,} bytes.")
    except TimeoutError:
        raise ValidationError(f"It did not come within {DEADLINE_S:g} seconds.") from None
    except Fault as fault:
        raise ValidationError(f"It could not be fetched: {fault.message}") from None
    try:
        return json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise ValidationError("It is no JSON.") from None
