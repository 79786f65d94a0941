"""Did another model answer than the one that was asked for?"""

from __future__ import annotations

import pytest

from gateway.engine.swap import swapped


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("gpt-5", "gpt-5"),
        ("gpt-5", "GPT-5"),
        ("openai/gpt-5", "gpt-5-2026-08-07"),
        ("gpt-4o", "gpt-4o-20240806"),
        ("mistral-large-latest", "mistral-large-2411"),
        ("claude-sonnet-5", "us.claude-sonnet-5"),
        ("models/gemini-3.1-pro-preview", "gemini-3.1-pro"),
        ("z-ai/glm-4.6:free", "glm-4.6"),
        ("gpt-5.1-high", "gpt-5.1"),
        ("qwen3_coder", "qwen3-coder"),
        ("llama-v3", "llama"),
        ("", "gpt-5"),
        ("gpt-5", ""),
        ("gemini-2.5-pro-preview", "gemini-2.5-pro-preview-05-06"),
    ],
)
def test_the_same_model_under_another_spelling_is_no_swap(asked: str, served: str) -> None:
    assert not swapped(asked, served)


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("gpt-5", "gpt-5-mini"),
        ("glm-4.6", "glm-4.5"),
        ("claude-opus-5", "claude-sonnet-5"),
        ("lab/qwen3-32b", "lab/qwen3-8b"),
    ],
)
def test_another_model_is_a_swap(asked: str, served: str) -> None:
    assert swapped(asked, served)
