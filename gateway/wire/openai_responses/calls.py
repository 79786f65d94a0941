"""A tool call in a response, as its caller knows the tool: a function, a free-text tool, or the search for tools."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct, field

from gateway.wire.openai_responses.names import Known

_ENCODE = msgspec.json.Encoder().encode
_NO_ARGUMENTS = "{}"


class Call(Struct):
    """One call while it is written; `place` is its index in the output."""

    place: int
    id: str
    call_id: str
    known: Known
    custom: bool
    pieces: list[str] = field(default_factory=list)

    @property
    def prefix(self) -> str:
        """How the item's id begins."""
        return "tsc_" if self.known.search else "ctc_" if self.custom else "fc_"

    def take(self, text: str, emit: Callable[[str, bytes], bytes]) -> bytes:
        """A piece of the arguments. Those of a search are an object and come whole."""
        self.pieces.append(text)
        if self.known.search:
            return b""
        name = "response.custom_tool_call_input.delta" if self.custom else "response.function_call_arguments.delta"
        return emit(name, self._at + b',"delta":' + _ENCODE(text))

    def finish(self, emit: Callable[[str, bytes], bytes]) -> bytes:
        """The events that say the arguments are whole. A function called with nothing gets `{}`."""
        if self.known.search:
            return b""
        if self.custom:
            return emit("response.custom_tool_call_input.done", self._at + b',"input":' + _ENCODE(self._text))
        written = b"" if self._text.strip() else self.take(_NO_ARGUMENTS, emit)
        said = b',"arguments":' + _ENCODE(self._text) + b',"name":' + _ENCODE(self.known.name)
        return written + emit("response.function_call_arguments.done", self._at + said)

    def body(self, status: str) -> dict[str, object]:
        """The item as it stands."""
        if self.known.search:
            whole = {"type": "tool_search_call", "execution": "client", "arguments": self._object}
            return {"id": self.id, **whole, "call_id": self.call_id, "status": status}
        kind = "custom_tool_call" if self.custom else "function_call"
        text = {"input" if self.custom else "arguments": self._text}
        space = {"namespace": self.known.namespace} if self.known.namespace else {}
        return {
            "id": self.id,
            "type": kind,
            "status": status,
            "call_id": self.call_id,
            "name": self.known.name,
            **space,
            **text,
        }

    @property
    def _text(self) -> str:
        return "".join(self.pieces)

    @property
    def _object(self) -> Raw | dict[str, object]:
        text = self._text.strip()
        try:
            msgspec.json.decode(text or _NO_ARGUMENTS, type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError):
            return {"query": text}
        return Raw((text or _NO_ARGUMENTS).encode())

    @property
    def _at(self) -> bytes:
        return b',"item_id":%b,"output_index":%d' % (_ENCODE(self.id), self.place)
