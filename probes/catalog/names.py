"""How feeds, providers and connections name the same things. Pure: tables of facts, and names made comparable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

MODELS_DEV: Final = "models.dev"
OPENROUTER: Final = "openrouter"
FREELLMAPI: Final = "freellmapi"
FREE: Final = ":free"

OF_CONNECTION: Final[Mapping[str, str]] = {
    "nvidia-api": "nvidia",
    "ollama-cloud": "ollama-cloud",
    "mistral": "mistral",
    "groq": "groq",
    "openrouter": "openrouter",
    "cerebras": "cerebras",
    "api.inceptionlabs.ai": "inception",
    "api.reflection.ai": "reflection",
}
"""The provider of models.dev that a connection is, by the connection's usual name."""

OF_PLATFORM: Final[Mapping[str, str]] = {
    "cloudflare": "cloudflare-workers-ai",
    "ollama": "ollama-cloud",
    "ovh": "ovhcloud",
    "radeon": "amd",
    "zhipu": "zhipuai",
}
"""The provider of models.dev that a platform of FreeLLMAPI is, where the two names differ."""

BASES: Final[Mapping[str, str]] = {
    "anthropic": "https://api.anthropic.com/v1",
    "cerebras": "https://api.cerebras.ai/v1",
    "cohere": "https://api.cohere.ai/compatibility/v1",
    "deepinfra": "https://api.deepinfra.com/v1/openai",
    "google": "https://generativelanguage.googleapis.com/v1beta",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "ollama-cloud": "https://ollama.com/v1",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "perplexity": "https://api.perplexity.ai",
    "togetherai": "https://api.together.xyz/v1",
    "xai": "https://api.x.ai/v1",
}
"""Where providers are reached whose address the feed leaves to their own client library."""

OWN_APP_ONLY: Final = frozenset({"opencode", "opencode-go"})
"""Providers whose free models answer only in their own application."""

_PREFIX: Final = re.compile(r"^(?:llm7|us|eu|apac|global)\.")
_TAIL: Final = re.compile(
    r"(?:@[^@]*|-v\d+:\d+|-\d{4}-\d{2}-\d{2}|-\d{8}|-latest|-(?:high|medium|low|minimal))$",
)


def normalised(served: str) -> str:
    """A model's name without what differs between providers, dates and efforts: `openai/GPT-5-2025-08-07` → `gpt-5`."""
    bare = served.strip().lower().rsplit("/", 1)[-1].removesuffix(FREE)
    bare = _PREFIX.sub("", bare)
    while (shorter := _TAIL.sub("", bare)) and shorter != bare:
        bare = shorter
    return bare


def host_of(base: str) -> str:
    """The host of an address; empty when there is none."""
    try:
        return (urlsplit(base).hostname or "").lower()
    except ValueError:
        return ""


HOSTS: Final[Mapping[str, str]] = {host_of(base): provider for provider, base in BASES.items()} | {
    "integrate.api.nvidia.com": "nvidia",
    "api.together.ai": "togetherai",
}
"""The provider of models.dev at a host."""


def provider_of(
    connection: str, *, base: str = "", own: Mapping[str, str], bases: Mapping[str, str], known: frozenset[str]
) -> str:
    """The provider of models.dev that a connection is; empty when that cannot be told.

    `base` is the endpoint's address where it is called directly, empty behind a hub and for what runs at home. `own` is
    what this installation says, by connection; `bases` the providers' addresses by provider, `known` all of them.
    """
    if connection in own:
        return own[connection]
    if base:
        same = base.rstrip("/").lower()
        for provider, address in bases.items():
            if address.rstrip("/").lower() == same:
                return provider
        if host_of(base) in HOSTS:
            return HOSTS[host_of(base)]
    if connection in OF_CONNECTION or connection in HOSTS:
        return OF_CONNECTION.get(connection) or HOSTS[connection]
    return connection if connection in known else ""


def platform_provider(platform: str) -> str:
    """The provider of models.dev that a platform of FreeLLMAPI is."""
    return OF_PLATFORM.get(platform, platform)
