"""Qwen Code: three formats, chosen by the kind of sign-in."""

from __future__ import annotations

import json

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("qwen-code", "@qwen-code/qwen-code", "0.24.4", "qwen", least_node=22)
_SETTINGS = {
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
}
_VARIABLES = {
    "openai": {"OPENAI_API_KEY": "$key", "OPENAI_BASE_URL": "$base/v1", "OPENAI_MODEL": "$model"},
    "anthropic": {"ANTHROPIC_API_KEY": "$key", "ANTHROPIC_BASE_URL": "$base", "ANTHROPIC_MODEL": "$model"},
    "gemini": {"GEMINI_API_KEY": "$key", "GOOGLE_GEMINI_BASE_URL": "$base", "GEMINI_MODEL": "$model"},
}
FLAVOURS = tuple(
    Flavour(
        PROGRAM,
        sign_in,
        ("$program", "--auth-type", sign_in, "--model", "$model", "--yolo", "--output-format", "json", "$prompt"),
        env=env,
        files={".qwen/settings.json": json.dumps(_SETTINGS, indent=2)},
    )
    for sign_in, env in _VARIABLES.items()
)
