"""What connections are called."""

from __future__ import annotations

import pytest

from probes.hubs.connections import connection_of, plain_name, same_base, tag_of


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("https://ollama.com/v1", "ollama-cloud"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("https://api.groq.com/openai/v1", "groq"),
        ("https://api.cerebras.ai/v1", "cerebras"),
        ("https://integrate.api.nvidia.com/v1", "nvidia-api"),
        ("https://api.mistral.ai/v1", "mistral"),
        ("https://api.llm7.io/v1", "llm7-api"),
        ("https://api.openai.com/v1", "openai"),
        ("https://API.Anthropic.com/v1", "anthropic"),
        ("http://192.168.1.5:8000/v1", "lan-proxy"),
        ("http://[fd00::5]:8000/v1", "lan-proxy"),
        ("http://models.lan:8000/v1", "models.lan"),
        ("no address", ""),
    ],
)
def test_a_connection_is_called_after_where_it_leads(base: str, name: str) -> None:
    assert connection_of(base) == name


@pytest.mark.parametrize(
    ("connection", "owner", "tag"),
    [
        ("groq", "", "groq"),
        ("groq", "openai", "groq"),
        ("groq", "OpenAI", "groq"),
        ("groq", "Groq", "groq"),
        ("openrouter", "maker", "openrouter/maker"),
        ("openrouter", "a\nb", "openrouter"),
        ("openrouter", "x" * 200, "openrouter"),
        ("", "maker", ""),
    ],
)
def test_a_tag_names_the_owner_where_that_says_more(connection: str, owner: str, tag: str) -> None:
    assert tag_of(connection, owner) == tag


def test_a_name_that_somebody_gave_becomes_plain() -> None:
    assert plain_name(" My Lab / 2 ") == "My-Lab-2"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example/v1", "https://A.example/v1/", True),
        ("https://a.example/v1", "https://a.example/v2", False),
        ("", "", False),
    ],
)
def test_two_addresses_are_one_api_whatever_the_slash(one: str, other: str, same: bool) -> None:
    assert same_base(one, other) is same
