"""An Ask to a chat completion request for one member.

The operator's options come first, the caller's settings over them, the caller's own unread fields last where both
speak this API. What a member cannot be sent is left out and named in the notes, never dropped in silence.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from gateway.canon.ask import Ask, Knobs, ToolChoice
from gateway.wire import losses
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import read_number
from gateway.wire.closed_schemas import for_openai_strict
from gateway.wire.free_text import as_function
from gateway.wire.openai_chat.ask import NAME
from gateway.wire.openai_chat.letters import Letters
from gateway.wire.openai_chat.tools import write_choice, write_format, write_tool
from gateway.wire.strict import hold_output, hold_tool
from gateway.wire.text_documents import spell_out
from gateway.wire.vendor import carry

_SOUGHT = ("max_completion_tokens", "max_tokens")
_ONE_ANSWER = frozenset({"n"})
_NO_KNOBS = Knobs()
_NOT_RELAYED = frozenset({"logprobs", "top_logprobs"})


def write_ask(ask: Ask, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    notes: list[str] = []
    same = ask.protocol == NAME
    letters = Letters(facts, same_protocol=same)
    body: dict[str, object] = dict(facts.options)
    body["model"] = facts.served
    turns = ask.turns if facts.documents else spell_out(ask.turns, notes, same_protocol=same)
    body["messages"] = letters.write(turns)
    _write_knobs(ask.knobs, facts, body, notes, same_protocol=same)
    as_sent = not ask.tools or _write_tools(ask, facts, body, notes)
    if ask.output is not None:
        body["response_format"] = write_format(
            ask.output if same else hold_output(ask.output, for_openai_strict, notes)
        )
    _write_extras(ask, body, notes, as_sent=as_sent)
    if facts.stream:
        body["stream"] = True
        if facts.stream_options:
            body["stream_options"] = {"include_usage": True}
    else:
        body.pop("stream", None)
        body.pop("stream_options", None)
    return Outgoing(
        "/chat/completions",
        msgspec.json.encode(body),
        {"Content-Type": "application/json", "Accept": "text/event-stream" if facts.stream else "application/json"},
        tuple(dict.fromkeys([*letters.notes, *notes])),
    )


def _write_knobs(knobs: Knobs, facts: Facts, body: dict[str, object], notes: list[str], *, same_protocol: bool) -> None:
    _write_max_tokens(knobs.max_tokens, facts, body, notes)
    if knobs == _NO_KNOBS:
        return
    settings: dict[str, object] = {
        "temperature": knobs.temperature,
        "top_p": knobs.top_p,
        "stop": list(knobs.stop) or None,
        "seed": knobs.seed,
        "presence_penalty": knobs.presence_penalty,
        "frequency_penalty": knobs.frequency_penalty,
        "reasoning_effort": knobs.reasoning_effort or None,
    }
    if same_protocol:
        settings["top_k"] = knobs.top_k
    elif knobs.top_k is not None:
        notes.append("`top_k` was left out: chat completions has no such setting.")
    if knobs.reasoning_tokens is not None:
        notes.append("The reasoning budget was left out: chat completions knows an effort, not a number of tokens.")
    body.update({name: value for name, value in settings.items() if value is not None})


def _write_max_tokens(asked: int | None, facts: Facts, body: dict[str, object], notes: list[str]) -> None:
    preset = [body.pop(name) for name in _SOUGHT if name in body]
    limit: object = asked if asked is not None else (preset[0] if preset else None)
    if limit is None:
        return
    if facts.max_output is not None:
        number = read_number(limit)
        if number is not None and number > facts.max_output:
            notes.append(f"The token limit {number} was lowered to {facts.max_output}, the most this model writes.")
            limit = facts.max_output
    body["max_completion_tokens" if facts.completion_tokens_field else "max_tokens"] = limit


def _write_tools(ask: Ask, facts: Facts, body: dict[str, object], notes: list[str]) -> bool:
    """Did all tools go out as the caller sent them? Most servers of this API know functions only, so free-text tools
    become functions unless somebody said that they are known."""
    plain = facts.plain_tools is not False and any(tool.kind == "custom" for tool in ask.tools)
    carried = carry(ask.tools, same_protocol=ask.protocol == NAME, plain=bool(facts.plain_tools))
    for tool in ask.tools:
        if tool not in carried:
            notes.append(f"The tool {tool.name} was left out: its provider runs it, and this model is another's.")
        elif tool.kind == "custom" and plain:
            notes.append(f"The free-text tool {tool.name} was sent as a function with one text.")
    as_sent = not plain and len(carried) == len(ask.tools)
    if not carried:
        return as_sent
    if plain:
        carried = [as_function(tool) if tool.kind == "custom" else tool for tool in carried]
    if ask.protocol != NAME:
        carried = [hold_tool(tool, for_openai_strict, notes) for tool in carried]
    same = ask.protocol == NAME
    if not facts.cache_marks and any(tool.cache is not None for tool in carried):
        notes.append("Cache marks were left out: this model does not take them.")
        carried = [replace(tool, cache=None) for tool in carried]
    if not same:
        notes.extend(note for tool in carried for note in losses.of_tool(tool))
    body["tools"] = [write_tool(tool, same_protocol=same) for tool in carried]
    choice = ask.tool_choice
    if choice.mode == "named" and choice.name not in {tool.name for tool in carried}:
        notes.append(f"`tool_choice` was left out with the tool {choice.name} that it names.")
    elif choice.mode != ToolChoice().mode:
        body["tool_choice"] = write_choice(choice, carried)
    if choice.parallel is not None:
        body["parallel_tool_calls"] = choice.parallel
    return as_sent


def _write_extras(ask: Ask, body: dict[str, object], notes: list[str], *, as_sent: bool) -> None:
    for name, raw in ask.extras.items():
        if ask.protocol != NAME:
            notes.append(f"`{name}` was left out: it belongs to the caller's API.")
        elif name in _ONE_ANSWER:
            notes.append(f"`{name}` was left out: a member is asked for one answer.")
        elif name == "tool_choice" and not as_sent:
            notes.append("`tool_choice` was sent by its mode alone: not all tools went out as it names them.")
        elif name in _NOT_RELAYED:
            notes.append(f"`{name}` was left out: log probabilities are not relayed.")
        else:
            body[name] = raw
