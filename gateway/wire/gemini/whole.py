"""A whole answer as callers see it, and the parts that streamed and whole answers are made of."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import Closed, Usage
from gateway.canon.reply import Reply
from gateway.wire.arguments import write_input
from gateway.wire.base import Stamp
from gateway.wire.gemini import seal
from gateway.wire.gemini.ending import finish_message, finish_reason
from gateway.wire.gemini.errors import write_error
from gateway.wire.gemini.usage import UsageBody, write_usage

PartBody = dict[str, object] | Raw


class ContentBody(Struct):
    role: str
    parts: list[PartBody]


class CandidateBody(Struct, rename="camel", omit_defaults=True):
    content: ContentBody
    finish_reason: str | UnsetType = UNSET
    finish_message: str | UnsetType = UNSET
    index: int | UnsetType = UNSET


class AnswerBody(Struct, rename="camel", omit_defaults=True):
    candidates: list[CandidateBody]
    usage_metadata: UsageBody | UnsetType = UNSET
    model_version: str | UnsetType = UNSET
    response_id: str | UnsetType = UNSET


def write_answer(candidates: list[CandidateBody], stamp: Stamp, usage: Usage | None = None) -> bytes:
    """A chunk of a stream, or a whole answer."""
    counts = write_usage(usage) if usage is not None else UNSET
    return msgspec.json.encode(AnswerBody(candidates, counts, stamp.model, stamp.id))


def write_candidate(parts: list[PartBody], index: int = 0, closed: Closed | None = None) -> CandidateBody:
    """One answer, or a piece of it; with `closed`, its last piece."""
    return CandidateBody(
        ContentBody("model", parts),
        finish_reason(closed) if closed is not None else UNSET,
        (finish_message(closed) or UNSET) if closed is not None else UNSET,
        index,
    )


def write_whole(reply: Reply, stamp: Stamp, *, usage: Usage, thoughts: bool) -> bytes:
    """A reply as one answer; the error document when it failed. `usage` is the reply's or an estimate; with `thoughts`
    the reasoning is shown."""
    if reply.fault is not None:
        return write_error(reply.fault)
    parts: list[PartBody] = []
    for part in reply.parts:
        match part:
            case Text(text=text) | Refusal(text=text):
                parts.append({"text": text})
            case ToolCall():
                parts.append(write_call(part))
            case Thought():
                write_thought(part, parts, thoughts=thoughts)
    closed = Closed(reply.finish or Closed().finish, reply.native, reply.sequence)
    candidates = [write_candidate(parts or [{"text": ""}], 0, closed)]
    for index, text in enumerate(reply.choices, start=1):
        candidates.append(write_candidate([{"text": text}], index, Closed()))
    return write_answer(candidates, stamp, usage)


def write_call(call: ToolCall) -> PartBody:
    """A tool call. Its arguments are an object, whatever the model wrote."""
    part: dict[str, object] = {"functionCall": {"id": call.id, "name": call.name, "args": write_input(call)}}
    if signature := seal.show_call_seal(call.seal):
        part["thoughtSignature"] = signature
    return part


def write_thought(thought: Thought, parts: list[PartBody], *, thoughts: bool) -> None:
    """Adds a thought to the parts before it. Its words are shown on request, its seal always, for it must come back."""
    words = thought.text if thoughts else ""
    own = seal.open_seal(thought.seal)
    if own is not None and bytes(own.part):
        parts.append(own.part)
    elif own is not None and own.on_text:
        last = parts[-1] if parts else None
        if isinstance(last, dict) and last.keys() == {"text"}:
            last["thoughtSignature"] = own.signature
        else:
            parts.append({"text": "", "thoughtSignature": own.signature})
    elif thought.seal is not None:
        signature = seal.show_signature(thought.seal, thought.text)
        parts.append({"text": words, "thought": True, "thoughtSignature": signature})
    elif words:
        parts.append({"text": words, "thought": True})
