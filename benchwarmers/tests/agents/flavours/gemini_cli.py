"""Gemini CLI: the Gemini API."""

from __future__ import annotations

import json

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("gemini-cli", "@google/gemini-cli", "0.61.0", "gemini")
_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
}
FLAVOURS = (
    Flavour(
        PROGRAM,
        "gemini",
        ("$program", "--skip-trust", "--yolo", "--model", "$model", "--output-format", "json", "--prompt", "$prompt"),
        env={
            "GEMINI_API_KEY": "$key",
            "GOOGLE_GEMINI_BASE_URL": "$base",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "1",
        },
        files={".gemini/settings.json": json.dumps(_SETTINGS, indent=2)},
    ),
)
