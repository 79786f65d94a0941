"""Request bodies to begin from, by format: small ones written here that use most of a format's fields, and those of
real clients where the folder `../shared/clients` lies beside the checkout."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

SHARED = Path(__file__).resolve().parents[4] / "shared" / "clients"
LARGEST = 60_000
PNG = "iVBORw0KGgo="
PDF = "JVBERi0="
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
GEMINI = "/v1beta/models/bench/core"


class Sent(NamedTuple):
    """One request: its path with the query, and its body."""

    path: str
    query: str
    body: Any


_ENDS = {
    "openai_chat": ("/chat/completions",),
    "openai_completions": ("/completions",),
    "openai_responses": ("/responses",),
    "anthropic": ("/messages",),
    "gemini": (":generateContent", ":streamGenerateContent"),
    "ollama": ("/api/chat",),
    "ollama_generate": ("/api/generate",),
}

_CHAT = [
    {"role": "system", "content": "Be brief.", "name": "boss"},
    {"role": "developer", "content": [{"type": "text", "text": "Plain.", "cache_control": {"type": "ephemeral"}}]},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "See é 🌍"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "https://h.example/a.png"}},
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "reasoning_content": "hm",
        "reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "c2ln"}],
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
            {"id": "c2", "type": "custom", "custom": {"name": "g", "input": "free"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "21 C", "name": "f"},
    {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "done"}]},
    {"role": "assistant", "content": "It is.", "refusal": "no"},
    {"role": "user", "content": "Thanks"},
]
_ITEMS = [
    {"type": "additional_tools", "role": "developer", "tools": [{"type": "function", "name": "later"}]},
    {
        "role": "user",
        "content": [{"type": "input_text", "text": "hi"}, {"type": "input_image", "image_url": "https://h/a"}],
    },
    {"type": "message", "role": "user", "content": [{"type": "input_file", "file_data": PDF, "filename": "a.pdf"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "x"},
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "namespace": "n"},
    {"type": "custom_tool_call", "call_id": "c2", "name": "patch", "input": "free"},
    {"type": "function_call_output", "call_id": "c1", "output": "21 C"},
    {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "ok"}]},
    {
        "type": "message",
        "role": "assistant",
        "id": "m",
        "content": [{"type": "output_text", "text": "a", "annotations": []}],
    },
    {"type": "web_search_call", "id": "ws_1", "status": "completed"},
]
_BLOCKS = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            {"type": "image", "source": {"type": "url", "url": "https://h.example/a.png"}},
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}, "title": "t"},
            {"type": "search_result", "title": "t", "source": "s", "content": [{"type": "text", "text": "found"}]},
        ],
    },
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "b64"},
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "is_error": True,
                "content": [{"type": "text", "text": "21 C"}, {"type": "tool_reference", "tool_name": "f"}],
            }
        ],
    },
    {"role": "system", "content": "From now on in French."},
]
_CONTENTS = [
    {
        "role": "user",
        "parts": [
            {"text": "hi"},
            {"inlineData": {"mimeType": "image/png", "data": PNG}},
            {"file_data": {"file_uri": "https://h.example/a.pdf", "mime_type": "application/pdf"}},
        ],
    },
    {
        "role": "model",
        "parts": [
            {"text": "hm", "thought": True, "thoughtSignature": "c2ln"},
            {"functionCall": {"id": "c1", "name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"},
            {"executableCode": {"language": "PYTHON", "code": "1"}},
        ],
    },
    {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"output": "21 C"}}}]},
]
_OLLAMA = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "hi", "images": [PNG]},
    {
        "role": "assistant",
        "content": "",
        "thinking": "hm",
        "tool_calls": [{"id": "c1", "function": {"index": 0, "name": "f", "arguments": {"a": 1}}}],
    },
    {"role": "tool", "tool_name": "f", "content": "21 C"},
]
_OWN: dict[str, list[dict[str, Any]]] = {
    "openai_chat": [
        {"model": "bench/core", "messages": [{"role": "user", "content": "hi"}]},
        {
            "model": "bench/core:merged",
            "messages": _CHAT,
            "stream": True,
            "stream_options": {"include_usage": True},
            "tools": [
                {"type": "function", "function": {"name": "f", "parameters": SCHEMA, "strict": True}},
                {
                    "type": "custom",
                    "custom": {"name": "g", "format": {"type": "grammar", "grammar": {"syntax": "lark"}}},
                },
                {"type": "web_search"},
            ],
            "tool_choice": {"type": "function", "function": {"name": "f"}},
            "parallel_tool_calls": False,
            "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA, "strict": True}},
            "max_completion_tokens": 99,
            "temperature": 0.5,
            "top_p": 0.9,
            "top_k": 5,
            "stop": ["END"],
            "seed": 7,
            "presence_penalty": 0.1,
            "frequency_penalty": 0.1,
            "reasoning_effort": "high",
            "n": 2,
            "logprobs": True,
            "metadata": {"a": "b"},
            "with": ["alias"],
            "bench": {"reply": "all", "strict": False},
        },
    ],
    "openai_completions": [
        {
            "model": "bench/core",
            "prompt": "Once",
            "suffix": "end",
            "max_tokens": 9,
            "stop": ["\n"],
            "n": 1,
            "echo": False,
        },
        {
            "model": "bench/core",
            "prompt": ["Once"],
            "stream": True,
            "stream_options": {"include_usage": True},
            "seed": 1,
        },
    ],
    "openai_responses": [
        {"model": "bench/core", "input": "hi"},
        {
            "model": "bench/core",
            "instructions": "Be brief.",
            "input": _ITEMS,
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "tools": [
                {"type": "function", "name": "f", "parameters": SCHEMA, "strict": True},
                {"type": "custom", "name": "patch", "format": {"type": "grammar", "syntax": "lark", "definition": "x"}},
                {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]},
                {"type": "web_search"},
                {"type": "tool_search", "execution": "client", "description": "d", "parameters": SCHEMA},
            ],
            "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
            "parallel_tool_calls": True,
            "text": {
                "format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True},
                "verbosity": "low",
            },
            "reasoning": {"effort": "high", "summary": "auto"},
            "max_output_tokens": 99,
            "temperature": 1,
            "prompt_cache_key": "k",
        },
    ],
    "anthropic": [
        {"model": "bench/core", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
        {
            "model": "bench/core",
            "max_tokens": 9_000,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": _BLOCKS,
            "stream": True,
            "tools": [
                {"name": "f", "description": "d", "input_schema": SCHEMA, "defer_loading": True, "strict": True},
                {"type": "web_search_20250305", "name": "web_search", "max_uses": 2},
            ],
            "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": True},
            "thinking": {"type": "enabled", "budget_tokens": 2_000},
            "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": SCHEMA}},
            "temperature": 1,
            "top_k": 5,
            "stop_sequences": ["END"],
            "metadata": {"user_id": "u"},
        },
    ],
    "gemini": [
        {"contents": [{"parts": [{"text": "hi"}]}]},
        {
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": _CONTENTS,
            "tools": [
                {"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": SCHEMA}]},
                {"function_declarations": [{"name": "g", "parameters": {"type": "OBJECT"}}], "googleSearch": {}},
            ],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
            "generationConfig": {
                "maxOutputTokens": 99,
                "temperature": 0.5,
                "topK": 5,
                "stopSequences": ["END"],
                "seed": 7,
                "candidateCount": 1,
                "responseMimeType": "application/json",
                "responseJsonSchema": SCHEMA,
                "thinkingConfig": {"thinkingBudget": 2_000, "includeThoughts": True},
            },
            "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
        },
    ],
    "ollama": [
        {"model": "bench/core:latest", "messages": [{"role": "user", "content": "hi"}]},
        {
            "model": "bench/core",
            "messages": _OLLAMA,
            "stream": False,
            "think": "high",
            "format": SCHEMA,
            "tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}],
            "options": {"num_predict": 99, "temperature": 0.5, "num_ctx": 4_096, "stop": ["END"], "mirostat": 1},
            "keep_alive": "5m",
        },
    ],
    "ollama_generate": [
        {"model": "bench/core", "prompt": "Once", "system": "s", "suffix": "end", "images": [PNG], "think": True},
        {
            "model": "bench/core",
            "prompt": "Once",
            "format": "json",
            "options": {"num_predict": 9},
            "raw": False,
            "context": [],
        },
    ],
}


def format_of(path: str) -> str | None:
    """The format a request's path belongs to; None for other requests. The longer ends come first."""
    bare = path.partition("?")[0]
    return next((name for name, ends in _ENDS.items() if bare.endswith(ends)), None)


@lru_cache
def load_bodies() -> dict[str, list[Sent]]:
    """Every body by format, those written here first."""
    found = {name: [_own(name, body) for body in bodies] for name, bodies in _OWN.items()}
    for file in sorted(SHARED.rglob("*.json")):
        for exchange in json.loads(file.read_text()).get("exchanges") or ():
            path, _, query = str(exchange.get("path") or "").partition("?")
            name, body = format_of(path), exchange.get("body")
            if name is not None and isinstance(body, dict) and len(json.dumps(body)) <= LARGEST:
                found[name].append(Sent(path, query, body))
    return found


def _own(name: str, body: Any) -> Sent:
    if name == "gemini":
        return Sent(f"{GEMINI}:streamGenerateContent", "alt=sse", body)
    return Sent(_ENDS[name][0], "", body)
