"""Which protocols there are, by name: as callers may speak them, and as members do."""

from __future__ import annotations

from gateway.wire import anthropic, openai_chat
from gateway.wire.base import ClientWire, ServerWire

SERVERS: dict[str, ServerWire] = {wire.name: wire for wire in (openai_chat.SERVER, anthropic.SERVER)}
CLIENTS: dict[str, ClientWire] = {wire.name: wire for wire in (openai_chat.CLIENT, anthropic.CLIENT)}
