"""Which protocols there are, by name: as callers may speak them, and as members do."""

from __future__ import annotations

from gateway.wire import anthropic, gemini, ollama, openai_chat, openai_completions, openai_responses
from gateway.wire.base import ClientWire, ServerWire
from gateway.wire.embedding import EmbedClient
from gateway.wire.gemini import embeddings as gemini_embeddings
from gateway.wire.ollama import embeddings as ollama_embeddings
from gateway.wire.openai_chat import embeddings as openai_embeddings

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
EMBEDDERS: dict[str, EmbedClient] = {
    openai_chat.CLIENT.name: openai_embeddings.CLIENT,
    openai_responses.CLIENT.name: openai_embeddings.CLIENT,
    gemini.CLIENT.name: gemini_embeddings.CLIENT,
    ollama.CLIENT.name: ollama_embeddings.CLIENT,
}
"""How members are asked for embeddings, by the protocol they speak; those of the others have none."""
