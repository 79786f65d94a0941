"""Small feeds, in the forms that the real ones have."""

from __future__ import annotations

from typing import Any

import msgspec

MODELS_DEV: dict[str, Any] = {
    "groq": {
        "id": "groq",
        "npm": "@ai-sdk/groq",
        "models": {
            "llama-9-70b": {
                "id": "llama-9-70b",
                "name": "Llama 9 70B",
                "limit": {"context": 131_072, "output": 8_192},
                "modalities": {"input": ["text", "image"], "output": ["text"]},
                "cost": {"input": 0, "output": 0},
                "tool_call": True,
                "reasoning": False,
                "knowledge": "2026-01",
                "release_date": "2026-04-01",
                "open_weights": True,
            },
            "whisper-9": {"id": "whisper-9", "modalities": {"input": ["audio"], "output": ["audio"]}},
        },
    },
    "openrouter": {
        "id": "openrouter",
        "api": "https://openrouter.ai/api/v1",
        "models": {
            "meta/llama-9-70b": {
                "id": "meta/llama-9-70b",
                "limit": {"context": 100_000, "output": 4_096},
                "modalities": {"input": ["text"], "output": ["text"]},
                "cost": {"input": 0.5, "output": 1.5},
            },
            "meta/llama-9-70b:free": {
                "id": "meta/llama-9-70b:free",
                "limit": {"context": 90_000, "output": 4_096},
                "modalities": {"input": ["text"], "output": ["text"]},
            },
            "old/gone-1": {"id": "old/gone-1", "status": "deprecated"},
        },
    },
    "maker": {
        "id": "maker",
        "npm": "@ai-sdk/openai-compatible",
        "api": "https://api.maker.example/v1",
        "models": {"Coder-7B-2026-01-31": {"id": "Coder-7B-2026-01-31", "cost": {"input": 2, "output": 4}}},
    },
    "opencode": {
        "id": "opencode",
        "api": "https://opencode.example/v1",
        "models": {
            "grok-free": {"id": "grok-free", "cost": {"input": 0, "output": 0}},
            "grok-paid": {"id": "grok-paid", "cost": {"input": 1, "output": 1}},
        },
    },
    "closed": {"id": "closed", "npm": "closed-sdk", "models": {"shut-1": {"id": "shut-1"}}},
}
OPENROUTER: dict[str, Any] = {
    "data": [
        {
            "id": "meta/llama-9-70b",
            "description": "A large model. " * 40,
            "context_length": 96_000,
            "architecture": {"input_modalities": ["text", "file"], "output_modalities": ["text"]},
            "supported_parameters": ["tools", "structured_outputs"],
            "top_provider": {"max_completion_tokens": 7_000},
            "pricing": {"prompt": "0.0000005", "completion": "0.0000015", "input_cache_read": "0.0000001"},
        },
        {"id": "meta/llama-9-70b:free", "context_length": 80_000, "pricing": {"prompt": "0", "completion": "0"}},
        {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
    ]
}
FREELLMAPI: dict[str, Any] = {
    "version": "2026.11.30",
    "models": [
        {
            "platform": "groq",
            "modelId": "llama-9-70b",
            "displayName": "Llama 9",
            "limits": {"rpm": 30, "rpd": 1_000, "tpm": None, "tpd": None},
            "contextWindow": 8_000,
            "supportsTools": True,
            "supportsVision": False,
            "enabled": True,
        },
        {
            "platform": "cloudflare",
            "modelId": "@cf/meta/llama-9-70b",
            "limits": {"rpm": 5},
            "contextWindow": 24_000,
            "supportsTools": False,
            "supportsVision": True,
        },
        {"platform": "groq", "modelId": "dead-1", "limits": {}, "enabled": False},
        {"platform": "pix", "modelId": "draw-1", "limits": {}, "modality": "image"},
    ],
    "quirks": [
        {"slug": "a", "title": "No system prompts", "targets": [{"platform": "groq", "modelGlob": "llama-*"}]},
        {"slug": "b", "title": "Of another", "targets": [{"platform": "pix", "modelGlob": None}]},
    ],
}


def encoded(document: Any) -> bytes:
    """The feed's body."""
    return msgspec.json.encode(document)
