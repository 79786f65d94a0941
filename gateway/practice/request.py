"""Reads the body of a chat completion, as far as a script needs it, and refuses what no chat endpoint would take.

Tolerant of unknown fields. Raises a CallerFault whose `code` is OpenAI's own word where there is one.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from gateway.canon.fault import BadRequest
from gateway.canon.tokens import estimate

MOST_STOPS = 4


class Message(Struct):
    """One message. `content` is text, a list of parts, or nothing beside tool calls."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None
    name: str | None = None
    tool_call_id: str | None = None
    tool_calls: list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """Its words. Raises BadRequest for a part that is not text."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(_text_of(part) for part in self.content or ())


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
    def prompt(self) -> str:
        """The last words of the user; of anybody when the user said nothing."""
        said = [message.text for message in self.messages if message.role == "user"]
        return said[-1] if said else self.messages[-1].text

    @property
    def prompt_tokens(self) -> int:
        """An estimate of all that was sent, tools included."""
        texts = "".join(message.text for message in self.messages)
        calls = sum(len(message.tool_calls or ()) for message in self.messages)
        tools = msgspec.json.encode(self.tools).decode() if self.tools else ""
        return estimate(texts + tools) + 4 * len(self.messages) + 8 * calls


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
        message.text  # noqa: B018 raises when a part is not text
    return request


def _text_of(part: dict[str, Any]) -> str:
    kind, text = part.get("type"), part.get("text", part.get("refusal"))
    if kind not in ("text", "refusal") or not isinstance(text, str):
        raise BadRequest(f"A content part of type {str(kind)[:40]!r} cannot be read; this script reads text only.")
    return text
