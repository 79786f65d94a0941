"""A talk in route mode as the page carries it: the messages so far, as an API caller would send them, and what is told
beside each answer. Pure.

The server keeps none of it. The page holds the talk in a hidden field and sends it along with the next turn, with
scripts and without; what comes back is as much a stranger's as any request's messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from benchwarmers.ask.route_tools import TOOLS, run_tool
from benchwarmers.dashboard.shadows import read_arguments
from gateway.canon.fault import BadRequest
from gateway.canon.names import PREFIX

UNREADABLE: Final = _("The conversation that the page sent cannot be read. Begin a new one.")

TOO_LONG: Final = _("This conversation has become too long for the page. Begin a new one.")
MOST_STEPS: Final = 400


class Other(Struct, frozen=True):
    """A member that did not answer, and why."""

    alias: str
    why: str


class Told(Struct, frozen=True):
    """What stands beside an answer: who gave it under which call, as which turn of the conversation, why they, who had
    failed before and who could not take it. Times are seconds; counts are tokens, None where nobody said."""

    alias: str
    call: str
    turn: int
    why: str
    conversation: str = ""
    seconds: float | None = None
    first_token_s: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    reasoning: int | None = None
    tried: tuple[Other, ...] = ()
    passed: tuple[Other, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def place(self) -> int:
        """The member's number among those that answered, from 1; 0 where the call does not say."""
        number = self.call.rpartition(".")[2]
        return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0


class Function(Struct):
    """What is called, with its arguments as they were written."""

    name: str = ""
    arguments: str = ""


class Call(Struct):
    """A tool call in a message."""

    id: str
    function: Function = msgspec.field(default_factory=Function)


class Message(Struct):
    """What the page reads of a message; the rest is kept and sent on as it is."""

    role: Literal["user", "assistant", "tool"]
    content: str | None = None
    reasoning_content: str = ""
    refusal: str = ""
    tool_calls: tuple[Call, ...] = ()
    tool_call_id: str = ""


class Step(Struct, frozen=True):
    """One message, and what is told beside it when it is an answer."""

    message: dict[str, Any]
    told: Told | None = None

    @property
    def read(self) -> Message:
        """Raises BadRequest."""
        try:
            return msgspec.convert(self.message, Message)
        except msgspec.ValidationError as error:
            raise BadRequest(str(UNREADABLE), status=422, code="talk") from error


class Card(Struct, frozen=True):
    """A tool call with its arguments laid out (`loose` when they are no object), and what it gave back."""

    name: str
    arguments: Sequence[tuple[str, str]]
    loose: str
    result: str = ""
    failed: bool = False


class Shown(Struct, frozen=True):
    """A step as the page shows it: what the person said, or an answer with its tool calls."""

    role: str
    text: str
    reasoning: str = ""
    cards: tuple[Card, ...] = ()
    told: Told | None = None


class Talk(Struct, frozen=True):
    """All that was said. `session` names the conversation to the gateway, as an agent's session does."""

    session: str
    steps: tuple[Step, ...] = ()

    @property
    def waits(self) -> bool:
        """True when the results of tools are to be told next."""
        return bool(self.steps) and self.steps[-1].message.get("role") == "tool"

    @property
    def field(self) -> str:
        """The talk as the hidden field holds it."""
        return msgspec.json.encode(self).decode()

    def body(self, collection: str, *, tools: bool) -> dict[str, Any]:
        """The chat completion request for the next turn."""
        body = {"model": f"{PREFIX}{collection}:route", "messages": [step.message for step in self.steps]}
        return body | ({"tools": TOOLS} if tools else {})

    def with_words(self, text: str) -> Talk:
        """The person has said this; nothing when it is empty."""
        return self._more(Step({"role": "user", "content": text})) if text else self

    def with_answer(self, message: dict[str, Any], told: Told) -> Talk:
        """A member has answered; the tools that it called have run."""
        step = Step(message, told)
        results = [
            Step({"role": "tool", "tool_call_id": call.id, "content": run_tool(call.function.name, _args(call)).text})
            for call in step.read.tool_calls
        ]
        return self._more(step, *results)

    def _more(self, *steps: Step) -> Talk:
        return replace(self, steps=(*self.steps, *steps))


def read_talk(text: str) -> Talk:
    """From the hidden field, with every step such as can be shown. Raises BadRequest."""
    try:
        talk = msgspec.json.decode(text, type=Talk)
    except msgspec.MsgspecError as error:
        raise BadRequest(str(UNREADABLE), status=422, code="talk") from error
    if len(talk.steps) > MOST_STEPS:
        raise BadRequest(str(TOO_LONG), status=422, code="talk")
    show_talk(talk)
    return talk


def show_talk(talk: Talk, since: int = 0) -> list[Shown]:
    """The steps from this one on as they are shown. Raises BadRequest."""
    messages = [(step, step.read) for step in talk.steps[since:]]
    results = {message.tool_call_id: message.content or "" for _, message in messages if message.role == "tool"}
    shown = []
    for step, message in messages:
        if message.role == "tool":
            continue
        cards = tuple(_card(call, results) for call in message.tool_calls)
        text = (message.content or "") + message.refusal
        shown.append(Shown(message.role, text, message.reasoning_content, cards, step.told))
    return shown


def _card(call: Call, results: dict[str, str]) -> Card:
    arguments, loose = read_arguments(_args(call))
    failed = run_tool(call.function.name, _args(call)).error
    return Card(call.function.name, arguments, loose, results.get(call.id, ""), failed)


def _args(call: Call) -> str:
    return call.function.arguments
