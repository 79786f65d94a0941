"""generateContent: the format of Gemini, both as a server and as a client."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.wire.base import ClientWire, Facts, Outgoing, Reader, ServerWire, Stamp, Writer
from gateway.wire.gemini import errors
from gateway.wire.gemini.ask import NAME, read_ask, read_count
from gateway.wire.gemini.headers import bench_headers
from gateway.wire.gemini.outgoing import write_ask
from gateway.wire.gemini.path import read_path
from gateway.wire.gemini.reader import GeminiReader
from gateway.wire.gemini.writer import GeminiWriter

__all__ = ["CLIENT", "SERVER", "bench_headers", "read_count", "read_path"]


class GeminiServer:
    """The half that callers see."""

    name = NAME
    id_prefix = ""

    def echo_model(self, model: str) -> str:
        """What the caller sent."""
        return model

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        """The path names the model and the method, the query how a stream is to come."""
        return read_ask(body, path, query)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return GeminiWriter(ask, stamp)

    def error_body(self, fault: Fault) -> bytes:
        return errors.write_error(fault)


class GeminiClient:
    """The half that members see."""

    name = NAME

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        return write_ask(ask, facts)

    def reader(self, *, content_type: str) -> Reader:
        """The declared type is not needed: what comes shows what it is."""
        return GeminiReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        return errors.read_error(status, body)

    def auth(self, secret: str) -> dict[str, str]:
        return {"x-goog-api-key": secret} if secret else {}


SERVER: ServerWire = GeminiServer()
CLIENT: ClientWire = GeminiClient()
