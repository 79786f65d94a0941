"""An Ollama chat or generate request to an Ask.

A field with a meaning for the gateway is read; every other field travels in `extras` as it was sent. The model may be
missing here: who answers for that has the list of collections at hand. What would change a prompt beneath the
gateway's eyes (`raw`, `template`, `context`) is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Tool, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import OWN_FIELDS, given, read_bench, read_body, read_fields, read_nominated
from gateway.wire.ollama.messages import Conversation
from gateway.wire.ollama.pictures import read_pictures
from gateway.wire.ollama.settings import read_knobs
from gateway.wire.ollama.shape import ChatRequest, GenerateRequest, Message, Request
from gateway.wire.ollama.tools import read_format, read_tool
from gateway.wire.text_only import instruct_fill_in

NAME = "ollama"
GENERATE = "ollama_generate"
FAMILY = frozenset({NAME, GENERATE})
"""The two ways to ask. Their extras mean the same to a member."""

_LATEST = ":latest"
_OWN = OWN_FIELDS
_READ_OF_CHAT = frozenset(field.encode_name for field in msgspec.structs.fields(ChatRequest)) | _OWN
_READ_OF_GENERATE = frozenset(field.encode_name for field in msgspec.structs.fields(GenerateRequest)) | _OWN
_READ_OF_MESSAGE = frozenset(field.encode_name for field in msgspec.structs.fields(Message))


class _Loose(msgspec.Struct):
    messages: list[dict[str, Raw]] = []


class _Shown(msgspec.Struct):
    model: str | None = None
    name: str | None = None


def read_chat(body: bytes) -> Ask:
    """The chat request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, ChatRequest)
    if not request.messages:
        raise BadRequest(
            "`messages` must be a list with at least one message, each with a role and content. "
            "Models need no loading here."
        )
    conversation = Conversation(request.messages)
    loose = read_body(body, _Loose).messages
    turns = [
        conversation.read_turn(message, f"messages[{at}]", _rest(sent, _READ_OF_MESSAGE))
        for at, (message, sent) in enumerate(zip(request.messages, loose, strict=True))
    ]
    tools = [read_tool(raw, f"tools[{at}]") for at, raw in enumerate(request.tools or ())]
    return _make_ask(NAME, request, fields, turns, tools, extras=_rest(fields, _READ_OF_CHAT))


def read_generate(body: bytes) -> Ask:
    """The generate request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, GenerateRequest)
    _refuse_what_is_lost(request)
    pictures = read_pictures(request.images, "images")
    if not request.prompt and not pictures:
        raise BadRequest("`prompt` must be text, and not empty. Models need no loading here.")
    turns = [Turn("system", (Text(request.system),))] if request.system else []
    if request.suffix:
        turns.append(instruct_fill_in(request.suffix))
    words = [Text(request.prompt)] if request.prompt else []
    turns.append(Turn("user", (*words, *pictures)))
    return _make_ask(GENERATE, request, fields, turns, (), extras=_rest(fields, _READ_OF_GENERATE))


def read_show(body: bytes) -> str:
    """The model that a request for a model's particulars names."""
    asked = read_body(body, _Shown)
    model = bare_model(asked.model or asked.name or "")
    if not model:
        raise BadRequest("The body names no model. Send it as `model`.")
    return model


def bare_model(model: str) -> str:
    """A model's name without the tag that Ollama's clients add to every name."""
    return model.strip().removesuffix(_LATEST)


def _make_ask(
    protocol: str,
    request: Request,
    fields: dict[str, Raw],
    turns: Iterable[Turn],
    tools: Iterable[Tool],
    *,
    extras: dict[str, Raw],
) -> Ask:
    knobs, other_options = read_knobs(request.options, request.think)
    if other_options:
        extras["options"] = Raw(msgspec.json.encode(other_options))
    return Ask(
        protocol=protocol,
        model=bare_model(request.model or ""),
        turns=tuple(turns),
        stream=request.stream is not False,
        include_usage=True,
        tools=tuple(tools),
        output=read_format(request.format),
        knobs=knobs,
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras=extras,
    )


def _refuse_what_is_lost(request: GenerateRequest) -> None:
    if request.context:
        raise BadRequest("`context` cannot be continued: nothing is stored. Send the conversation to /api/chat.")
    if request.raw:
        raise BadRequest("`raw` prompts cannot be sent to several models. Send the prompt without a model's template.")
    if request.template:
        raise BadRequest("`template` belongs to one model. Leave it out, and put instructions into `system`.")


def _rest(sent: dict[str, Raw], read: frozenset[str]) -> dict[str, Raw]:
    return {name: raw for name, raw in sent.items() if name not in read and given(raw) is not None}
