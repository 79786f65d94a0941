"""The formats in which the squad can be asked: chat completions as it plays it itself, and every other format through
the server half of its wire.

A request of another format becomes a chat completion, so that there is one reader and one set of scripts; the script
becomes events, so that there is no writer of this folder's own. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.fault import Fault
from gateway.canon.reply import fold
from gateway.practice import listings, wire
from gateway.practice.events import events_of, is_piece
from gateway.practice.native_seals import PLACES, Place, held_in
from gateway.practice.request import ChatRequest, read_request
from gateway.practice.seals import Held, held_in_chat
from gateway.practice.squad import Failure, Script
from gateway.wire.base import Facts, ServerWire, Stamp, Writer
from gateway.wire.embedding import EmbedServer
from gateway.wire.gemini import embeddings as gemini_embeddings
from gateway.wire.gemini import read_path
from gateway.wire.gemini.path import EMBEDS
from gateway.wire.ollama import embeddings as ollama_embeddings
from gateway.wire.openai_chat import embeddings as openai_embeddings
from gateway.wire.registry import CLIENTS, SERVERS

ROOT = "/practice"
JSON = "application/json"
Paced = Iterator[tuple[float, bytes]]
"""(pause before it in seconds, bytes)."""


class Asked(Protocol):
    """A request that has been read, and how its answer is written."""

    request: ChatRequest
    content_type: str
    """Of a stream."""

    @property
    def held(self) -> Held:
        """What it brings back of the model's last turn."""

    def write_whole(self, script: Script, id: str, created: int) -> bytes:
        """The answer as one document. `created` is epoch seconds."""

    def write_stream(self, script: Script, id: str, created: int) -> Paced:
        """The answer as it is played. A broken stream ends in the middle of a frame."""


class Interface(Protocol):
    """One format. Paths are relative to `prefix`."""

    prefix: str
    id_prefix: str
    listing: listings.Listing
    routes: str
    """What can be asked for, in words."""

    def answers(self, path: str) -> bool:
        """Is this the path of a request to a character?"""

    def read(self, body: bytes, path: str, query: str) -> Asked:
        """Raises a CallerFault."""

    def embedding(self, path: str) -> EmbedServer | None:
        """How embeddings are asked for at this path; None where they are not."""

    def write_failure(self, failure: Failure) -> bytes:
        """The error document of a call that failed on purpose."""

    def write_fault(self, fault: Fault) -> bytes:
        """The error document of a request that cannot be played."""


# --- chat completions -------------------------------------------------------------------------------------------------


class _ChatAsked(Struct):
    request: ChatRequest
    content_type: str = "text/event-stream; charset=utf-8"

    @property
    def held(self) -> Held:
        return held_in_chat(self.request)

    def write_whole(self, script: Script, id: str, created: int) -> bytes:
        return wire.write_whole(script, wire.Stamp(id, created))

    def write_stream(self, script: Script, id: str, created: int) -> Paced:
        wanted = bool(self.request.stream_options and self.request.stream_options.include_usage)
        return wire.write_chunks(script, wire.Stamp(id, created), include_usage=wanted)


class ChatInterface:
    """Chat completions, in the words of a provider rather than of the gateway."""

    prefix = f"{ROOT}/v1"
    id_prefix = "chatcmpl-"
    listing: listings.Listing = listings.OpenAiListing()
    routes = f"POST {prefix}/chat/completions, {prefix}/embeddings, {listing.routes(prefix)}"

    def answers(self, path: str) -> bool:
        return path == "/chat/completions"

    def read(self, body: bytes, path: str, query: str) -> Asked:
        return _ChatAsked(read_request(body))

    def embedding(self, path: str) -> EmbedServer | None:
        return openai_embeddings.SERVER if path == "/embeddings" else None

    def write_failure(self, failure: Failure) -> bytes:
        return wire.write_failure(failure)

    def write_fault(self, fault: Fault) -> bytes:
        return wire.write_fault(fault)


# --- every other format -----------------------------------------------------------------------------------------------


class _WireAsked(Struct):
    ask: Ask
    request: ChatRequest
    wire: ServerWire
    place: Place
    content_type: str = ""

    @property
    def held(self) -> Held:
        return held_in(self.ask, self.place)

    def write_whole(self, script: Script, id: str, created: int) -> bytes:
        return self._writer(script, id, created).whole(fold(event for _, event in events_of(script, id, self.place)))

    def write_stream(self, script: Script, id: str, created: int) -> Paced:
        writer = self._writer(script, id, created)
        breaks_at = script.failure.after if script.failure is not None else None
        waited, spoken = 0.0, 0
        for pause, event in events_of(script, id, self.place):
            waited += pause
            data = writer.feed(event)
            if is_piece(event):
                if spoken == breaks_at:
                    yield waited, data[: len(data) // 2]
                    return
                spoken += 1
            if data:
                yield waited, data
                waited = 0.0

    def _writer(self, script: Script, id: str, created: int) -> Writer:
        return self.wire.writer(self.ask, Stamp(id, created, script.served))


class WireInterface:
    """A format of which the gateway has the server half."""

    def __init__(self, name: str, protocol: str, version: str, ask_path: str, listing: listings.Listing) -> None:
        self.prefix = f"{ROOT}/{name}{version}"
        self.listing = listing
        self.routes = f"POST {self.prefix}{ask_path}, {listing.routes(self.prefix)}"
        self._wire = SERVERS[protocol]
        self._place = PLACES[protocol]
        self._ask_path = ask_path
        self.id_prefix = self._wire.id_prefix

    def answers(self, path: str) -> bool:
        return path == self._ask_path

    def read(self, body: bytes, path: str, query: str) -> Asked:
        ask = self._wire.read_ask(body, path, query)
        facts = Facts(served=ask.model, stream=ask.stream)
        request = read_request(CLIENTS["openai_chat"].write_ask(ask, facts).body)
        content_type = self._wire.writer(ask, Stamp("", 0, "")).content_type
        return _WireAsked(ask, request, self._wire, self._place, content_type)

    def embedding(self, path: str) -> EmbedServer | None:
        return None

    def write_failure(self, failure: Failure) -> bytes:
        return self.write_fault(Fault(failure.message, status=failure.status, wait=failure.wait, code=failure.code))

    def write_fault(self, fault: Fault) -> bytes:
        return self._wire.error_body(fault)


class GeminiInterface(WireInterface):
    """The one format whose path names the model and the method."""

    def answers(self, path: str) -> bool:
        return _method(path) in ("generateContent", "streamGenerateContent")

    def embedding(self, path: str) -> EmbedServer | None:
        return gemini_embeddings.SERVER if _method(path) in EMBEDS else None


class OllamaInterface(WireInterface):
    """The one format that has two ways to ask for embeddings."""

    def embedding(self, path: str) -> EmbedServer | None:
        return {"/embed": ollama_embeddings.SERVER, "/embeddings": ollama_embeddings.PROMPT_SERVER}.get(path)


def _method(path: str) -> str | None:
    found = read_path(path)
    return found[1] if found is not None else None


CHAT: Interface = ChatInterface()
INTERFACES: tuple[Interface, ...] = (
    CHAT,
    WireInterface("anthropic", "anthropic", "/v1", "/messages", listings.AnthropicListing()),
    WireInterface("responses", "openai_responses", "/v1", "/responses", listings.OpenAiListing()),
    GeminiInterface(
        "gemini",
        "gemini",
        "/v1beta",
        "/models/<name>:generateContent, :streamGenerateContent, :embedContent or :batchEmbedContents",
        listings.GeminiListing(),
    ),
    OllamaInterface("ollama", "ollama", "/api", "/chat", listings.OllamaListing()),
)


def find_interface(path: str) -> tuple[Interface, str]:
    """(format, path below its prefix); the path as it is with chat completions where no prefix fits."""
    for interface in INTERFACES:
        if path == interface.prefix or path.startswith(f"{interface.prefix}/"):
            return interface, path.removeprefix(interface.prefix).rstrip("/")
    return CHAT, path
