"""An Ask to a Messages request for one member.

The operator's options come first, the caller's settings over them, the caller's own unread fields last where both
speak this API. What a member cannot be sent is left out and named in the notes, never dropped in silence.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, OutputFormat, Text, Turn
from gateway.wire import losses
from gateway.wire.anthropic.ask import NAME
from gateway.wire.anthropic.letters import Letters
from gateway.wire.anthropic.tools import write_choice, write_format, write_tool
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import read_number
from gateway.wire.closed_schemas import for_anthropic
from gateway.wire.strict import close_output, hold_tool
from gateway.wire.vendor import carry

VERSION = "2023-06-01"
BETA = "anthropic-beta"
"""A header of this API. Put among an Ask's extras under this name, as JSON text, it goes out as a header again."""

DEFAULT_MAX_TOKENS = 8_192
_SOUGHT = ("max_tokens", "max_completion_tokens")
_LEAST_BUDGET = 1_024
_INLINE_SYSTEM = "mid-conversation-system"
_EFFORTS = {"minimal": "low"}
_PLACED = frozenset({BETA, "output_config", "thinking"})
_JSON_ONLY = "Answer with one JSON object and nothing else."


def write_ask(ask: Ask, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    same = ask.protocol == NAME
    notes: list[str] = []
    beta = _header(ask) if same else ""
    letters = Letters(facts, same_protocol=same, inline_system=_INLINE_SYSTEM in beta)
    output, in_words = _output(ask, notes)
    system, messages = letters.write([*in_words, *ask.turns])
    body: dict[str, object] = dict(facts.options)
    body["model"] = facts.served
    if system:
        body["system"] = system
    body["messages"] = messages
    limit = _write_max_tokens(ask.knobs.max_tokens, facts, body, notes)
    _write_knobs(ask, limit, body, notes)
    _write_config(ask, output, body, notes)
    _write_tools(ask, body, notes)
    _write_extras(ask, body, notes)
    body.pop("stream", None)
    if facts.stream:
        body["stream"] = True
    headers = {
        "content-type": "application/json",
        "accept": "text/event-stream" if facts.stream else "application/json",
        "anthropic-version": VERSION,
    }
    if beta:
        headers[BETA] = beta
    return Outgoing("/messages", msgspec.json.encode(body), headers, tuple(dict.fromkeys([*letters.notes, *notes])))


def _output(ask: Ask, notes: list[str]) -> tuple[OutputFormat | None, tuple[Turn, ...]]:
    """(the format of the answer, an instruction that tells of it where this API cannot be told otherwise)."""
    output = ask.output
    if output is None or ask.protocol == NAME:
        return output, ()
    if output.kind == "json_object":
        notes.append("JSON output without a schema was asked for in words: this API has no such setting.")
        return None, (Turn("system", (Text(_JSON_ONLY),)),)
    notes.extend(losses.of_output(output, strict=False))
    closed = close_output(output, for_anthropic, notes)
    if closed is not None:
        return closed, ()
    notes.append("The schema of the answer was told in words: this API takes only schemas that name every field.")
    schema = bytes(output.schema or b"{}").decode("utf-8", "replace")
    return None, (Turn("system", (Text(f"{_JSON_ONLY} It must fit this JSON schema: {schema}"),)),)


def _write_max_tokens(asked: int | None, facts: Facts, body: dict[str, object], notes: list[str]) -> int | None:
    """The limit this API insists on: the caller's, else the operator's, else a default. None when it is no number."""
    preset = [body.pop(name) for name in _SOUGHT if name in body]
    limit: object = asked if asked is not None else (preset[0] if preset else DEFAULT_MAX_TOKENS)
    number = read_number(limit)
    if number is not None and facts.max_output is not None and number > facts.max_output:
        if asked is not None or preset:
            notes.append(f"The token limit {number} was lowered to {facts.max_output}, the most this model writes.")
        limit = number = facts.max_output
    body["max_tokens"] = limit
    return number


def _write_knobs(ask: Ask, limit: int | None, body: dict[str, object], notes: list[str]) -> None:
    knobs, same = ask.knobs, ask.protocol == NAME
    temperature, top_p = knobs.temperature, knobs.top_p
    if temperature is not None and temperature > 1 and not same:
        notes.append(f"The temperature {temperature:g} was lowered to 1, the most this API takes.")
        temperature = 1.0
    if temperature is not None and top_p is not None and not same:
        notes.append("`top_p` was left out: models of this API take either a temperature or `top_p`.")
        top_p = None
    stop = [sequence for sequence in knobs.stop if sequence.strip()]
    if len(stop) != len(knobs.stop):
        notes.append("Stop sequences of white space alone were left out: this API refuses them.")
    settings: dict[str, object] = {
        "temperature": temperature,
        "top_p": top_p,
        "top_k": knobs.top_k,
        "stop_sequences": stop or None,
        "thinking": _thinking(ask, limit, notes),
    }
    body.update({name: value for name, value in settings.items() if value is not None})
    for name in ("seed", "presence_penalty", "frequency_penalty"):
        if getattr(knobs, name) is not None:
            notes.append(f"`{name}` was left out: this API has no such setting.")


def _thinking(ask: Ask, limit: int | None, notes: list[str]) -> dict[str, object] | None:
    sent = ask.extras.get("thinking") if ask.protocol == NAME else None
    thinking: dict[str, object] = {"type": "enabled"}
    if sent is not None:
        thinking.update(msgspec.json.decode(sent, type=dict[str, Raw]))
    budget = ask.knobs.reasoning_tokens
    if budget is None:
        return thinking if sent is not None else None
    if limit is not None and budget >= limit:
        budget = limit - 1
        if budget < _LEAST_BUDGET:
            notes.append(f"Reasoning was left out: its budget does not fit below the token limit {limit}.")
            return None
        notes.append(f"The reasoning budget was lowered to {budget}, to fit below the token limit {limit}.")
    thinking["budget_tokens"] = budget
    return thinking


def _write_config(ask: Ask, output: OutputFormat | None, body: dict[str, object], notes: list[str]) -> None:
    config: dict[str, object] = {}
    effort = ask.knobs.reasoning_effort
    if effort == "none":
        notes.append("The reasoning effort none was left out: models of this API do not reason unless they are told.")
    elif effort:
        config["effort"] = _EFFORTS.get(effort, effort)
        if effort in _EFFORTS:
            notes.append(f"The reasoning effort {effort} was sent as {_EFFORTS[effort]}.")
    if output is not None:
        config["format"] = write_format(output)
    if ask.protocol == NAME and "output_config" in ask.extras:
        config.update(msgspec.json.decode(ask.extras["output_config"], type=dict[str, Raw]))
    if config:
        body["output_config"] = config


def _write_tools(ask: Ask, body: dict[str, object], notes: list[str]) -> None:
    same = ask.protocol == NAME
    offered = carry(ask.tools, same_protocol=same)
    for tool in ask.tools:
        if tool not in offered:
            notes.append(f"The tool {tool.name} was left out: its provider runs it, and this model is another's.")
            continue
        if tool.kind == "custom":
            notes.append(f"The free-text tool {tool.name} was sent as a function with one text.")
        if not same:
            notes.extend(losses.of_tool(tool))
    if not offered:
        return
    if not same:
        offered = [hold_tool(tool, for_anthropic, notes) for tool in offered]
    body["tools"] = [write_tool(tool, same_protocol=same) for tool in offered]
    choice = ask.tool_choice
    if choice.mode == "named" and choice.name not in {tool.name for tool in offered}:
        notes.append(f"`tool_choice` was left out with the tool {choice.name} that it names.")
        return
    written = write_choice(choice)
    if written is not None:
        body["tool_choice"] = written


def _write_extras(ask: Ask, body: dict[str, object], notes: list[str]) -> None:
    for name, raw in ask.extras.items():
        if ask.protocol != NAME:
            notes.append(f"`{name}` was left out: it belongs to the caller's API.")
        elif name not in _PLACED:
            body[name] = raw


def _header(ask: Ask) -> str:
    try:
        return msgspec.json.decode(ask.extras.get(BETA, Raw(b'""')), type=str)
    except msgspec.DecodeError:
        return ""
