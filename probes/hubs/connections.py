"""What connections behind a hub are called, and the tags of their models. Pure.

A connection's name is what everything else is grouped by: pacing, jobs, prices. So it comes from where the connection
leads, not from what somebody wrote there.
"""

from __future__ import annotations

import re
from typing import Final

from collections_app.addresses import host_of, literal_ip

NAMES: Final = {
    "ollama.com": "ollama-cloud",
    "openrouter.ai": "openrouter",
    "api.groq.com": "groq",
    "api.cerebras.ai": "cerebras",
    "integrate.api.nvidia.com": "nvidia-api",
    "api.mistral.ai": "mistral",
    "api.llm7.io": "llm7-api",
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
}
"""By host. Any other host names itself."""
LOCAL: Final = "local"
LAN: Final = "lan-proxy"
_LONGEST: Final = 80
_TAG: Final = 100
_OTHER = re.compile(r"[^\w.-]+")


def connection_of(base: str) -> str:
    """The name of the connection at this address; empty for what is no address."""
    host = host_of(base)
    if not host:
        return ""
    if literal_ip(host) is not None:
        return LAN
    return NAMES.get(host, host)[:_LONGEST]


def plain_name(text: str) -> str:
    """A name that somebody gave, as letters, digits, dots, hyphens and underscores."""
    return _OTHER.sub("-", text.strip()).strip("-")[:_LONGEST]


def tag_of(connection: str, owner: str = "") -> str:
    """The tag of a model: its connection, with the owner where the hub names one that says more."""
    said = owner.strip()
    if not connection or not said or not said.isprintable() or said.casefold() in ("openai", connection.casefold()):
        return connection
    tag = f"{connection}/{said}"
    return tag if len(tag) <= _TAG else connection


def same_base(one: str, other: str) -> bool:
    """True when two addresses are one API's."""
    return bool(one) and one.rstrip("/").casefold() == other.rstrip("/").casefold()
