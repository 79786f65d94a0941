"""Chat completions: the format of OpenAI and of most others, both as a server and as a client."""

from __future__ import annotations

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.canon.names import PREFIX, read_collection
from gateway.wire.base import ClientWire, Facts, Outgoing, Reader, ServerWire, Stamp, Writer
from gateway.wire.errors import read_error
from gateway.wire.openai_chat import errors
from gateway.wire.openai_chat.ask import NAME, read_ask
from gateway.wire.openai_chat.outgoing import write_ask
from gateway.wire.openai_chat.reader import ChatReader
from gateway.wire.openai_chat.writer import ChatWriter


class ChatServer:
    """The half that callers see."""

    name = NAME
    id_prefix = "chatcmpl-"

    def echo_model(self, model: str) -> str:
        """The collection's full name, without the reply mode."""
        bare, _ = read_collection(model)
        return PREFIX + bare if bare else ""

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        return read_ask(body)

    def writer(self, ask: Ask, stamp: Stamp) -> Writer:
        return ChatWriter(ask, stamp)

    def error_body(self, fault: Fault) -> bytes:
        return errors.write_error(fault)


class ChatClient:
    """The half that members see."""

    name = NAME

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing:
        return write_ask(ask, facts)

    def reader(self, *, content_type: str) -> Reader:
        """The declared type is not needed: what comes shows what it is."""
        return ChatReader()

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        return read_error(status, body)

    def auth(self, secret: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret}"} if secret else {}


SERVER: ServerWire = ChatServer()
CLIENT: ClientWire = ChatClient()
