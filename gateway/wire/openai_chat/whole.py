"""A whole completion, and the tool calls in it, as callers and members see them. No field is ever null for want of a
value, but `content`."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import Closed
from gateway.canon.reply import Reply
from gateway.wire.base import Stamp
from gateway.wire.body import join_lists
from gateway.wire.openai_chat import ending, seal
from gateway.wire.openai_chat.errors import write_error
from gateway.wire.openai_chat.usage import UsageBody, write_usage


class FunctionBody(Struct):
    name: str
    arguments: str


class CustomBody(Struct):
    name: str
    input: str


class CallBody(Struct, omit_defaults=True):
    index: int | UnsetType = UNSET
    id: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    function: FunctionBody | UnsetType = UNSET
    custom: CustomBody | UnsetType = UNSET
    extra_content: Raw | UnsetType = UNSET


class MessageBody(Struct, omit_defaults=True):
    role: str | UnsetType = UNSET
    content: str | UnsetType | None = UNSET
    refusal: str | UnsetType = UNSET
    reasoning_content: str | UnsetType = UNSET
    reasoning_details: Raw | UnsetType = UNSET
    extra_content: Raw | UnsetType = UNSET
    tool_calls: list[CallBody] | UnsetType = UNSET


class ChoiceBody(Struct, omit_defaults=True):
    index: int
    message: MessageBody
    finish_reason: str
    native_finish_reason: str | UnsetType = UNSET
    stop_reason: str | UnsetType = UNSET


class CompletionBody(Struct, omit_defaults=True):
    id: str
    object: str
    created: int
    model: str
    choices: list[ChoiceBody]
    usage: UsageBody | UnsetType = UNSET
    bench: Raw | UnsetType = UNSET


def write_whole(reply: Reply, stamp: Stamp) -> bytes:
    """A reply as one completion; the error document when it failed."""
    if reply.fault is not None:
        return write_error(reply.fault)
    closed = Closed(reply.finish or Closed().finish, reply.native, reply.sequence)
    choices = [
        ChoiceBody(
            0,
            _message(reply),
            ending.finish_word(closed.finish),
            ending.finer_word(closed) or UNSET,
            closed.sequence or UNSET,
        )
    ]
    for index, text in enumerate(reply.choices, start=1):
        finish = reply.finishes[index - 1] if reply.finishes else Closed().finish
        choices.append(ChoiceBody(index, MessageBody("assistant", text), ending.finish_word(finish)))
    return msgspec.json.encode(
        CompletionBody(
            stamp.id,
            "chat.completion",
            stamp.created,
            stamp.model,
            choices,
            write_usage(reply.usage) if reply.usage is not None else UNSET,
            reply.bench if reply.bench is not None else UNSET,
        )
    )


def write_call(call: ToolCall, *, index: int | None = None, extra: Raw | None = None) -> CallBody:
    """A tool call; with `index`, the first piece of one in a stream. `extra` is its `extra_content`, where there is
    one."""
    return CallBody(
        index=UNSET if index is None else index,
        id=call.id,
        type="custom" if call.custom else "function",
        function=UNSET if call.custom else FunctionBody(call.name, call.arguments),
        custom=CustomBody(call.name, call.arguments) if call.custom else UNSET,
        extra_content=UNSET if extra is None else extra,
    )


def _message(reply: Reply) -> MessageBody:
    if len(reply.parts) == 1 and type(reply.parts[0]) is Text:
        return MessageBody("assistant", reply.parts[0].text)
    text = "".join([part.text for part in reply.parts if type(part) is Text])
    calls = [
        write_whole_call(call, seal.show_call_seal(call.seal) if call.seal is not None else None)
        for call in reply.calls
    ]
    shown = [seal.show_thought(part) for part in reply.parts if isinstance(part, Thought)]
    details = [own.reasoning_details for own in shown if seal.present(own.reasoning_details)]
    extra = next((own.extra_content for own in shown if seal.present(own.extra_content)), None)
    return MessageBody(
        role="assistant",
        content=text or (None if calls or reply.refusal else ""),
        refusal=reply.refusal or UNSET,
        reasoning_content=reply.reasoning or UNSET,
        reasoning_details=join_lists(details) if details else UNSET,
        extra_content=UNSET if extra is None else extra,
        tool_calls=calls or UNSET,
    )


def write_whole_call(call: ToolCall, extra: Raw | None) -> CallBody:
    """A tool call in a whole message, where a function called with nothing has `{}`."""
    if not call.custom and not call.arguments.strip():
        call = msgspec.structs.replace(call, arguments="{}")
    return write_call(call, extra=extra)
