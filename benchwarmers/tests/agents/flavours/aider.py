"""aider: no tools, but edits written as text; the format follows from the prefix of the model's name."""

from __future__ import annotations

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("aider", "aider-chat", "0.86.2", "aider", python=True)
_VARIABLES = {
    "openai": {"OPENAI_API_KEY": "$key", "OPENAI_API_BASE": "$base/v1"},
    "anthropic": {"ANTHROPIC_API_KEY": "$key", "ANTHROPIC_API_BASE": "$base", "ANTHROPIC_BASE_URL": "$base"},
    "ollama_chat": {"OLLAMA_API_BASE": "$base", "OLLAMA_API_KEY": "$key"},
    "gemini": {"GEMINI_API_KEY": "$key", "GEMINI_API_BASE": "$base/v1beta"},
}
_QUIET = (
    "--no-git",
    "--yes-always",
    "--no-show-model-warnings",
    "--no-check-update",
    "--analytics-disable",
    "--no-pretty",
    "--no-fancy-input",
    "--no-detect-urls",
)
FLAVOURS = tuple(
    Flavour(
        PROGRAM,
        prefix,
        (
            "$program",
            "--model",
            f"{prefix}/$model",
            *_QUIET,
            "--edit-format",
            "diff",
            "--message",
            "$prompt",
            "notes.txt",
        ),
        env={**env, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    )
    for prefix, env in _VARIABLES.items()
)
