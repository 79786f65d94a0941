"""What somebody may have meant by an address, and which providers are known."""

from __future__ import annotations

import pytest

from collections_app.addresses import address_problem
from collections_app.key_variables import variable_problem
from gateway.canon.kinds import Api
from gateway.canon.names import SLUG
from probes.endpoint_guess import Guess, guesses
from probes.providers import PRESETS, preset_at


def first(base: str, api: str = Api.CHAT, *, hub_too: bool = False) -> tuple[str, str]:
    guess = guesses(base, api, hub_too=hub_too)[0]
    return guess.base, guess.api


@pytest.mark.parametrize(
    ("base", "api", "likeliest"),
    [
        ("http://127.0.0.1:11434", Api.CHAT, ("http://127.0.0.1:11434/v1", Api.CHAT)),
        ("https://api.anthropic.com/v1", Api.CHAT, ("https://api.anthropic.com/v1", Api.ANTHROPIC)),
        ("https://api.anthropic.com", Api.CHAT, ("https://api.anthropic.com/v1", Api.ANTHROPIC)),
        ("https://generativelanguage.googleapis.com", Api.CHAT, (PRESETS["gemini"].base, Api.GEMINI)),
        ("https://api.groq.com/v1", Api.CHAT, ("https://api.groq.com/openai/v1", Api.CHAT)),
        ("https://any.example/v1/chat/completions", Api.CHAT, ("https://any.example/v1", Api.CHAT)),
        ("https://any.example/v1/models", Api.CHAT, ("https://any.example/v1", Api.CHAT)),
        ("https://any.example", Api.CHAT, ("https://any.example/v1", Api.CHAT)),
    ],
)
def test_the_likeliest_guess_comes_first(base: str, api: str, likeliest: tuple[str, str]) -> None:
    assert first(base, api) == likeliest


def test_what_was_typed_is_no_guess_and_none_comes_twice() -> None:
    found = [(guess.base, guess.api) for guess in guesses("http://127.0.0.1:1234/v1", Api.CHAT, hub_too=True)]
    assert ("http://127.0.0.1:1234/v1", Api.CHAT) not in found
    assert len(found) == len(set(found))
    assert ("http://127.0.0.1:1234", Api.OLLAMA) in found
    assert ("http://127.0.0.1:1234/v1", Api.ANTHROPIC) in found


def test_a_hub_is_guessed_only_where_one_may_be() -> None:
    webui = Guess("http://10.0.0.5:3000/api", Api.CHAT, "hub", "openwebui")
    assert webui in guesses("http://10.0.0.5:3000", Api.CHAT, hub_too=True)
    assert not [guess for guess in guesses("http://10.0.0.5:3000", Api.CHAT, hub_too=False) if guess.hub]


def test_every_guess_stays_on_the_server_that_was_typed() -> None:
    for preset in PRESETS.values():
        for guess in guesses(preset.base, Api.RESPONSES, hub_too=True):
            assert guess.base.startswith(f"{preset.base.split('//')[0]}//{preset.base.split('/')[2]}"), guess


def test_the_facts_about_providers_are_well_formed() -> None:
    variables = [variable for preset in PRESETS.values() for variable in preset.variables]
    assert len(variables) == len(set(variables))
    assert [name for name in variables if variable_problem(name)] == []
    for preset in PRESETS.values():
        assert SLUG.fullmatch(preset.id), preset
        assert not address_problem(preset.base), preset
        assert not preset.models_url or not address_problem(preset.models_url), preset
        assert preset.base.startswith("https://") == bool(preset.key_at), preset
        assert (preset.kind == "hub") == bool(preset.hub), preset


@pytest.mark.parametrize(
    ("base", "known"),
    [
        ("https://api.mistral.ai", "mistral"),
        ("https://API.Mistral.ai/v1", "mistral"),
        ("http://127.0.0.1:11434", None),
        ("https://mistral.example", None),
        ("", None),
    ],
)
def test_a_provider_is_known_by_its_public_host(base: str, known: str | None) -> None:
    found = preset_at(base)
    assert (found.id if found else None) == known
