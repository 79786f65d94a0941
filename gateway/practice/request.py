"""Reads the body of a chat completion, as far as a script needs it, and refuses what no chat endpoint would take.

Tolerant of unknown fields. Raises a CallerFault whose `code` is OpenAI's own word where there is one.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from gateway.canon.fault import BadRequest
from gateway.canon.tokens import estimate
from gateway.practice.attached import Attached, read_part

MOST_STOPS = 4
_JSON_ONLY = re.compile(r"\bone JSON object and nothing else\b", re.I)


class Message(Struct):
    """One message. `content` is text, a list of parts, or nothing beside tool calls."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None
    name: str | None = None
    tool_call_id: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    reasoning_details: list[dict[str, Any]] | None = None

    @property
    def parts(self) -> list[str | Attached]:
        """Its words and what came with them, in order. Raises BadRequest for a part that is neither."""
        if isinstance(self.content, str):
            return [self.content]
        return [read_part(part) for part in self.content or ()]

    @property
    def text(self) -> str:
        """Its words."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def attached(self) -> tuple[Attached, ...]:
        """Its images and documents."""
        return tuple(part for part in self.parts if isinstance(part, Attached))


class StreamOptions(Struct):
    """Whether a chunk with the usage is wanted."""

    include_usage: bool | None = None


class ChatRequest(Struct):
    """A chat completion's body."""

    model: str
    messages: list[Message]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    stop: str | list[str] | None = None
    tools: list[dict[str, Any]] = field(default_factory=list)
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = None
    seed: int | None = None
    n: int | None = None

    @property
    def budget(self) -> int | None:
        """The most tokens to generate, or None."""
        return self.max_tokens if self.max_completion_tokens is None else self.max_completion_tokens

    @property
    def stops(self) -> list[str]:
        """Texts that end the answer."""
        listed = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return [text for text in listed if text]

    @property
    def last(self) -> Message:
        """The last message of the user; of anybody when the user said nothing."""
        return next((message for message in reversed(self.messages) if message.role == "user"), self.messages[-1])

    @property
    def prompt(self) -> str:
        """The words of that message."""
        return self.last.text

    @property
    def results(self) -> list[Message]:
        """What tools gave since the model spoke, in order; what they show may follow in a message of the user."""
        found: list[Message] = []
        for message in reversed(self.messages):
            if message.role in ("tool", "function"):
                found.append(message)
            if message.role == "assistant":
                break
        return found[::-1]

    @property
    def result(self) -> Message | None:
        """The last of them."""
        return next(reversed(self.results), None)

    @property
    def names_tool(self) -> bool:
        """Does the choice name the one tool to call?"""
        return isinstance(self.tool_choice, dict)

    @property
    def wanted(self) -> dict[str, Any] | None:
        """The output format: as set, or as a member's instructions ask for it where its API has no such setting."""
        if self.response_format is None and any(
            message.role == "system" and _JSON_ONLY.search(message.text) for message in self.messages
        ):
            return {"type": "json_object"}
        return self.response_format

    @property
    def prompt_tokens(self) -> int:
        """An estimate of all that was sent, tools included."""
        texts = "".join(message.text for message in self.messages)
        calls = sum(len(message.tool_calls or ()) for message in self.messages)
        tools = msgspec.json.encode(self.tools).decode() if self.tools else ""
        attached = sum(one.tokens for message in self.messages for one in message.attached)
        return estimate(texts + tools) + 4 * len(self.messages) + 8 * calls + attached


def read_request(body: bytes) -> ChatRequest:
    """The request in `body`. Raises BadRequest."""
    try:
        request = msgspec.json.decode(body, type=ChatRequest)
    except msgspec.ValidationError as error:
        raise BadRequest(f"The body is no chat completion: {error}.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRequest(f"The body is not JSON: {error}.") from None
    if not request.messages:
        raise BadRequest("messages is empty; send at least one message.")
    if request.budget is not None and request.budget < 1:
        raise BadRequest("max_tokens must be 1 or more.")
    if request.n not in (None, 1):
        raise BadRequest("n must be 1; a script gives one answer.")
    if len(request.stops) > MOST_STOPS:
        raise BadRequest(f"stop takes at most {MOST_STOPS} texts.")
    for message in request.messages:
        message.parts  # noqa: B018 raises when a part cannot be read
    return request
