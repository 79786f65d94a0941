"""Ollama's own API: chat on both sides, and its older sibling generate for callers."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.wire.base import ClientWire, Facts, Outgoing, Reader, ServerWire, Stamp, Writer
from gateway.wire.errors import read_error
from gateway.wire.ollama.ask import GENERATE, NAME, bare_model, read_chat, read_generate, read_show
from gateway.wire.ollama.errors import write_error
from gateway.wire.ollama.outgoing import write_ask
from gateway.wire.ollama.reader import OllamaReader
from gateway.wire.ollama.writer import OllamaWriter

__all__ = ["CLIENT", "GENERATE_SERVER", "SERVER", "read_show"]


class OllamaServer:
    """The half that callers of chat see."""

    name = NAME
    id_prefix = "ollama-"

    def echo_model(self, model: str) -> str:
        """The name as it was asked for, without the tag that clients add."""
        return bare_model(model)

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_chat(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return OllamaWriter(ask, stamp, generate=False)

    def error_body(self, fault: Fault) -> bytes:
        return write_error(fault)


class GenerateServer(OllamaServer):
    """The half that callers of generate see."""

    name = GENERATE

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_generate(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return OllamaWriter(ask, stamp, generate=True)


class OllamaClient:
    """The half that members see."""

    name = NAME

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        return write_ask(ask, facts)

    def reader(self, *, content_type: str) -> Reader:
        """The declared type is not needed: what comes shows what it is."""
        return OllamaReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        return read_error(status, body)

    def auth(self, secret: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret}"} if secret else {}


SERVER: ServerWire = OllamaServer()
GENERATE_SERVER: ServerWire = GenerateServer()
CLIENT: ClientWire = OllamaClient()
