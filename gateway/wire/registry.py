"""Which protocols there are, by name: as callers may speak them, and as members do."""

from __future__ import annotations

from gateway.wire import anthropic, gemini, ollama, openai_chat, openai_completions, openai_responses
from gateway.wire.base import ClientWire, ServerWire

SERVERS: dict[str, ServerWire] = {
    wire.name: wire
    for wire in (
        openai_chat.SERVER,
        openai_completions.SERVER,
        openai_responses.SERVER,
        anthropic.SERVER,
        gemini.SERVER,
        ollama.SERVER,
        ollama.GENERATE_SERVER,
    )
}
CLIENTS: dict[str, ClientWire] = {
    wire.name: wire
    for wire in (openai_chat.CLIENT, openai_responses.CLIENT, anthropic.CLIENT, gemini.CLIENT, ollama.CLIENT)
}
