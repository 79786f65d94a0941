"""Messages: the format of Anthropic and of those that speak it, both as a server and as a client."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.wire.anthropic import errors
from gateway.wire.anthropic.ask import NAME, read_ask, read_count
from gateway.wire.anthropic.outgoing import BETA, write_ask
from gateway.wire.anthropic.reader import MessageReader
from gateway.wire.anthropic.writer import MessageWriter
from gateway.wire.base import ClientWire, Facts, Outgoing, Reader, ServerWire, Stamp, Writer
from gateway.wire.errors import read_error

__all__ = ["BETA", "CLIENT", "SERVER", "read_count"]


class MessagesServer:
    """The half that callers see."""

    name = NAME
    id_prefix = "msg_"

    def echo_model(self, model: str) -> str:
        """What the caller sent."""
        return model

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_ask(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return MessageWriter(ask, stamp)

    def error_body(self, fault: Fault) -> bytes:
        return errors.write_error(fault)


class MessagesClient:
    """The half that members see."""

    name = NAME

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        return write_ask(ask, facts)

    def reader(self, *, content_type: str) -> Reader:
        """The declared type is not needed: what comes shows what it is."""
        return MessageReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        return read_error(status, body)

    def auth(self, secret: str) -> dict[str, str]:
        return {"x-api-key": secret} if secret else {}


SERVER: ServerWire = MessagesServer()
CLIENT: ClientWire = MessagesClient()
