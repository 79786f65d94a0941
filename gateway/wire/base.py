"""What every protocol gives: four pure things, the two halves of a server and the two halves of a client.

              request                         answer
  server      read_ask(body) -> Ask           Writer.feed(event) -> bytes, .beat(), .whole(reply)
  client      write_ask(ask, facts)           Reader.feed(bytes) -> events, .end()

A new upstream dialect is usually not a new protocol but an endpoint with other `Facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Raw, Struct, field

from gateway.canon.ask import Ask
from gateway.canon.event import Event
from gateway.canon.fault import Fault
from gateway.canon.reply import Reply


class Facts(Struct, frozen=True):
    """What the writer of a request must know of the model it goes to.

    `served` is the name the upstream knows; `options` are the operator's own body fields for it, as raw JSON (for
    instance `{"max_tokens": 1024}`). The flags are quirks of the endpoint or model, found by rule or learned from a
    refusal: `content_lists` says that a message's content may be a list of parts where text alone would do,
    `cache_marks` that cache marks may stand in them, `reasoning_field` names the field in which the model wants its
    earlier reasoning back, empty for none, `plain_tools` says that it knows functions and no other kind of tool, False
    that it knows the others too, None leaves it to what is usual for its protocol. `documents` says that it takes
    documents; where it does not, those that are text are sent as words. `base` is the endpoint's address, for a
    protocol whose paths depend on how it ends; empty when nobody said.
    """

    served: str
    options: dict[str, Raw] = field(default_factory=dict)
    max_output: int | None = None
    stream: bool = True
    stream_options: bool = True
    completion_tokens_field: bool = False
    system_role: bool = True
    developer_role: bool = False
    content_lists: bool = True
    cache_marks: bool = True
    reasoning_field: str = ""
    plain_tools: bool | None = None
    documents: bool = True
    base: str = ""


class Outgoing(Struct, frozen=True):
    """A request ready to be sent: `path` below the endpoint's base, JSON `body`, headers beside the credentials, and
    `notes` that name what could not be carried and why."""

    path: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Stamp(Struct, frozen=True):
    """What a reply needs and an Ask does not bring: its id, its time (epoch seconds) and the model name to echo.
    `elapsed` tells the seconds since the request came; None where nobody measures."""

    id: str
    created: int
    model: str
    elapsed: Callable[[], float] | None = None


class Writer(Protocol):
    """Turns events into the caller's bytes. One writer serves one reply."""

    content_type: str

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to a stream; empty when the format has nothing to say yet."""

    def beat(self) -> bytes:
        """A data frame that says nothing, sent while nothing happens."""

    def whole(self, reply: Reply) -> bytes:
        """The reply as one body."""


class Reader(Protocol):
    """Turns an upstream's bytes into events, whatever the cuts between them."""

    def feed(self, data: bytes) -> Iterable[Event]:
        """Events that are complete with these bytes."""

    def end(self) -> Iterable[Event]:
        """The upstream closed: the last events, ending in `Closed` or `Failed`."""


class ServerWire(Protocol):
    """The half that callers see."""

    name: str
    id_prefix: str
    """What ids of replies begin with."""

    def echo_model(self, model: str) -> str:
        """The model name in the reply, for the one that was asked."""

    def read_ask(self, body: bytes, path: str = "", query: str = "") -> Ask:
        """Raises a CallerFault whose message says what to change. `path` and `query` are the request's own: some
        formats name the model there, or how the answer is to come. Others ignore them."""

    def writer(self, ask: Ask, stamp: Stamp) -> Writer: ...

    def error_body(self, fault: Fault) -> bytes:
        """The format's own error document."""


class ClientWire(Protocol):
    """The half that members see."""

    name: str

    def write_ask(self, ask: Ask, facts: Facts) -> Outgoing: ...

    def reader(self, *, content_type: str) -> Reader:
        """A reader fit for the reply's declared content type; a wrong declaration is noticed and forgiven."""

    def read_error(self, status: int, body: bytes) -> tuple[str, str]:
        """(message, provider's code) of an HTTP error body; falls back on the body's own text."""

    def auth(self, secret: str) -> dict[str, str]:
        """The headers that carry the credentials."""
