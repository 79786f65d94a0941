"""Responses: OpenAI's newer format, which agents such as Codex speak, both as a server and as a client."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.wire.base import ClientWire, Facts, Outgoing, Reader, ServerWire, Stamp, Writer
from gateway.wire.errors import read_error
from gateway.wire.openai_responses import errors
from gateway.wire.openai_responses.ask import NAME, read_ask, read_count
from gateway.wire.openai_responses.outgoing import write_ask
from gateway.wire.openai_responses.reader import ResponsesReader
from gateway.wire.openai_responses.writer import ResponsesWriter


class ResponsesServer:
    """The half that callers see."""

    name = NAME
    id_prefix = "resp_"

    def echo_model(self, model: str) -> str:
        """What the caller sent."""
        return model

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_ask(body)

    def read_count(self, body: bytes, path: str = "", query: str = "") -> Ask:
        """The request of which only the tokens are to be counted."""
        return read_count(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return ResponsesWriter(ask, stamp)

    def error_body(self, fault: Fault) -> bytes:
        return errors.write_error(fault)


class ResponsesClient:
    """The half that members see."""

    name = NAME

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        return write_ask(ask, facts)

    def reader(self, *, content_type: str) -> Reader:
        """The declared type is not needed: what comes shows what it is."""
        return ResponsesReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        return read_error(status, body)

    def auth(self, secret: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret}"} if secret else {}


SERVER: ServerWire = ResponsesServer()
CLIENT: ClientWire = ResponsesClient()
