"""How a program learns where people sign it in: the header of a refusal, by RFC 9728 and RFC 6750. Pure."""

from __future__ import annotations

from typing import Final

from gateway.api.errors import REALM, fault_headers
from gateway.canon.fault import Fault, Unauthenticated

SCOPE: Final = "bench"
"""What a program asks to be let do: list, ask and judge, which is all there is."""


def refusal_headers(fault: Fault, described_at: str, *, sent: bool) -> dict[str, str]:
    """The headers of a refusal. `described_at` is the address of the description of this resource, empty where
    programs are not signed in; `sent`: a credential came, and opens nothing."""
    headers = fault_headers(fault)
    if described_at and isinstance(fault, Unauthenticated):
        error = ', error="invalid_token"' if sent else ""
        headers["WWW-Authenticate"] = f'{REALM}{error}, scope="{SCOPE}", resource_metadata="{described_at}"'
    return headers
