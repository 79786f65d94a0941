"""The alias of a model that is taken on."""

from __future__ import annotations

import pytest

from probes.onboarding.alias import alias_for, near_matches, without_prefix


@pytest.mark.parametrize(
    ("served", "upstream", "bare"),
    [
        ("groq.openai/gpt-oss-120b", "openai/gpt-oss-120b", "openai/gpt-oss-120b"),
        ("qwen2.5-coder", "", "qwen2.5-coder"),
        ("qwen2.5-coder", "qwen2.5-coder", "qwen2.5-coder"),
        ("groq.fast", "quite/another", "groq.fast"),
    ],
)
def test_a_prefix_is_known_by_the_upstream_s_own_id_and_never_guessed(served: str, upstream: str, bare: str) -> None:
    assert without_prefix(served, upstream) == bare


@pytest.mark.parametrize(
    ("taken", "connection", "alias"),
    [
        (set(), "groq", "laguna-s-2.1-free"),
        ({"laguna-s-2.1-free"}, "groq", "laguna-s-2.1-free-groq"),
        ({"LAGUNA-S-2.1-FREE"}, "", "laguna-s-2.1-free-alt"),
        ({"laguna-s-2.1-free", "laguna-s-2.1-free-groq"}, "groq", "laguna-s-2.1-free-groq-2"),
        (
            {"laguna-s-2.1-free", "laguna-s-2.1-free-Groq", "laguna-s-2.1-free-groq-2"},
            "groq",
            "laguna-s-2.1-free-groq-3",
        ),
    ],
)
def test_suffixes_are_added_until_the_alias_is_nobody_s(taken: set[str], connection: str, alias: str) -> None:
    assert alias_for("poolside/laguna-s-2.1:free", taken=taken, connection=connection) == alias


def test_at_most_five_names_that_sound_alike_are_told_in_their_order() -> None:
    listed = [f"maker/glm-{number}" for number in range(7)] + ["other"]
    assert near_matches("z-ai/glm-5.2:free", listed) == listed[:5]
    assert near_matches("kimi-k2", listed) == []
