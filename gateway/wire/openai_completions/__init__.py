"""Legacy completions: a prompt and the text that follows it. For callers only: no member is asked in it."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.wire.base import ServerWire, Stamp, Writer
from gateway.wire.openai_chat.errors import write_error
from gateway.wire.openai_completions.ask import NAME, read_ask
from gateway.wire.openai_completions.writer import CompletionWriter


class CompletionServer:
    """The half that callers see."""

    name = NAME
    id_prefix = "cmpl-"

    def echo_model(self, model: str) -> str:
        """The name as it was asked for."""
        return model

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_ask(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return CompletionWriter(ask, stamp)

    def error_body(self, fault: Fault) -> bytes:
        return write_error(fault)


SERVER: ServerWire = CompletionServer()
