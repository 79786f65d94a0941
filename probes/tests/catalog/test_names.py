"""Names made comparable, and which provider a connection is."""

from __future__ import annotations

import pytest

from probes.catalog.names import normalised, platform_provider, provider_of


@pytest.mark.parametrize(
    ("served", "name"),
    [
        ("openai/GPT-5-2025-08-07", "gpt-5"),
        ("meta/llama-9-70b:free", "llama-9-70b"),
        ("us.anthropic-claude-9-20260131-v1:0", "anthropic-claude-9"),
        ("eu.anthropic-claude-9@20260131", "anthropic-claude-9"),
        ("llm7.gpt-9-latest", "gpt-9"),
        ("gpt-9-high", "gpt-9"),
        ("o9-mini-2026-01-01-low", "o9-mini"),
        ("-latest", "-latest"),
        ("mixtral-8x7b-instruct", "mixtral-8x7b-instruct"),
        ("usable.model", "usable.model"),
        ("global.nova-2-minimal", "nova-2"),
    ],
)
def test_a_name_loses_what_differs_between_providers_dates_and_efforts(served: str, name: str) -> None:
    assert normalised(served) == name


BASES = {"groq": "https://api.groq.com/openai/v1", "maker": "https://api.maker.example/v1"}
KNOWN = frozenset({"groq", "maker", "nvidia", "inception"})


@pytest.mark.parametrize(
    ("connection", "base", "provider"),
    [
        ("nvidia-api", "", "nvidia"),
        ("api.inceptionlabs.ai", "", "inception"),
        ("maker", "", "maker"),
        ("mine", "https://api.maker.example/v1/", "maker"),
        ("mine", "https://api.groq.com/other", "groq"),
        ("mine", "https://elsewhere.example/v1", ""),
        ("api.x.ai", "", "xai"),
        ("said", "https://api.groq.com/openai/v1", "nvidia"),
        ("?", "", ""),
    ],
)
def test_a_connection_is_the_provider_it_is_said_to_be_or_leads_to(connection: str, base: str, provider: str) -> None:
    found = provider_of(connection, base=base, own={"said": "nvidia"}, bases=BASES, known=KNOWN)
    assert found == provider


def test_platforms_of_free_models_are_providers_under_other_names() -> None:
    named = {name: platform_provider(name) for name in ("cloudflare", "ollama", "ovh", "radeon", "zhipu", "nvidia")}
    assert named == {
        "cloudflare": "cloudflare-workers-ai",
        "ollama": "ollama-cloud",
        "ovh": "ovhcloud",
        "radeon": "amd",
        "zhipu": "zhipuai",
        "nvidia": "nvidia",
    }
