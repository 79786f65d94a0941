"""opencode: a provider of one's own, in each of the four formats that its adapters speak."""

from __future__ import annotations

import json

from benchwarmers.tests.agents.flavour import Flavour, Program

PROGRAM = Program("opencode", "opencode-ai", "1.18.33", "opencode")


def _config(adapter: str, base: str) -> str:
    model = {"name": "$model", "tool_call": True, "limit": {"context": 200_000, "output": 8_192}}
    provider = {
        "npm": f"@ai-sdk/{adapter}",
        "name": "bench",
        "options": {"baseURL": base, "apiKey": "$key"},
        "models": {"$model": model},
    }
    return json.dumps(
        {
            "model": "bench/$model",
            "small_model": "bench/$model",
            "share": "disabled",
            "autoupdate": False,
            "permission": {"edit": "allow", "bash": "allow", "external_directory": "allow"},
            "provider": {"bench": provider},
        },
        indent=2,
    )


FLAVOURS = tuple(
    Flavour(
        PROGRAM,
        adapter,
        ("$program", "run", "--model", "bench/$model", "$prompt"),
        env={"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"},
        files={".config/opencode/opencode.json": _config(adapter, base)},
    )
    for adapter, base in (
        ("openai-compatible", "$base/v1"),
        ("openai", "$base/v1"),
        ("anthropic", "$base/v1"),
        ("google", "$base/v1beta"),
    )
)
