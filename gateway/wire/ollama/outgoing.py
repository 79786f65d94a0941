"""An Ask to an Ollama chat request for one member.

The operator's options come first, the caller's settings over them, the caller's own unread fields last where both
speak this API. Sampling settings belong into `options` here, so those that an operator gave beside it are moved there:
a server passes over them elsewhere. What a member cannot be sent is left out and named in the notes.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Tool
from gateway.wire import losses
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import given, read_number
from gateway.wire.free_text import as_function
from gateway.wire.ollama.ask import FAMILY
from gateway.wire.ollama.letters import Letters
from gateway.wire.ollama.settings import NOT_SENT, write_options, write_think
from gateway.wire.ollama.tools import write_format, write_tool
from gateway.wire.text_documents import spell_out

_LIMIT = "num_predict"
_MOVED = {
    "max_tokens": _LIMIT,
    "max_completion_tokens": _LIMIT,
    **{name: name for name in ("temperature", "top_p", "top_k", "seed", "presence_penalty", "frequency_penalty")},
}
_OPTIONS = "options"
_NOT_RELAYED = frozenset({"logprobs", "top_logprobs"})


def write_ask(ask: Ask, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    same = ask.protocol in FAMILY
    notes: list[str] = []
    letters = Letters(facts, same_protocol=same)
    body: dict[str, object] = dict(facts.options)
    body["model"] = facts.served
    body["messages"] = letters.write(spell_out(ask.turns, notes, same_protocol=same))
    options = _write_options(ask, facts, body, notes)
    if options:
        body[_OPTIONS] = options
    think = write_think(ask.knobs, notes)
    if think is not None:
        body["think"] = think
    _write_tools(ask, body, notes)
    if ask.output is not None:
        body["format"] = write_format(ask.output)
        notes.extend(losses.of_output(ask.output))
    _write_extras(ask, body, notes)
    body["stream"] = facts.stream
    return Outgoing(
        "/chat" if facts.base.rstrip("/").endswith("/api") else "/api/chat",
        msgspec.json.encode(body),
        {"content-type": "application/json", "accept": "application/x-ndjson, application/json"},
        tuple(dict.fromkeys([*letters.notes, *notes])),
    )


def _write_options(ask: Ask, facts: Facts, body: dict[str, object], notes: list[str]) -> dict[str, object]:
    options = _operators_options(body)
    if ask.protocol in FAMILY:
        options.update(_callers_options(ask, notes))
    options.update(write_options(ask.knobs))
    if ask.knobs.max_tokens is not None:
        options[_LIMIT] = ask.knobs.max_tokens
    limit = read_number(options.get(_LIMIT))
    if limit is not None and facts.max_output is not None and limit > facts.max_output:
        notes.append(f"The token limit {limit} was lowered to {facts.max_output}, the most this model writes.")
        options[_LIMIT] = facts.max_output
    return options


def _operators_options(body: dict[str, object]) -> dict[str, object]:
    moved = {_MOVED[name]: body.pop(name) for name in _MOVED if name in body}
    own = body.pop(_OPTIONS, None)
    return {**moved, **(_fields(own) if isinstance(own, Raw) else {})}


def _callers_options(ask: Ask, notes: list[str]) -> dict[str, Raw]:
    """The caller's options that canon has no word for."""
    options = _fields(ask.extras.get(_OPTIONS))
    if options.pop(NOT_SENT, None) is not None:
        notes.append(f"`options.{NOT_SENT}` was left out: the size of the context window is the member's own setting.")
    return options


def _fields(sent: Raw | None) -> dict[str, Raw]:
    """The fields of an object; none where it is something else."""
    raw = given(sent)
    try:
        return {} if raw is None else msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.DecodeError:
        return {}


def _write_tools(ask: Ask, body: dict[str, object], notes: list[str]) -> None:
    same, choice = ask.protocol in FAMILY, ask.tool_choice
    carried: list[Tool] = []
    for tool in ask.tools:
        if tool.kind == "vendor":
            notes.append(f"The tool {tool.name} was left out: its provider runs it, and this model is another's.")
            continue
        if tool.kind == "custom":
            notes.append(f"The free-text tool {tool.name} was sent as a function with one text.")
        if tool.cache is not None:
            notes.append(losses.NO_CACHE)
        if not same:
            notes.extend(losses.of_tool(tool))
        carried.append(as_function(tool) if tool.kind == "custom" else tool)
    if choice.mode == "named" and choice.name in {tool.name for tool in carried}:
        carried = [tool for tool in carried if tool.name == choice.name]
        notes.append(f"Only the tool {choice.name} was offered: this API cannot be told to use it.")
    elif choice.mode == "none" and carried:
        carried = []
        notes.append("The tools were left out: none is to be used, and this API cannot be told so.")
    elif choice.mode != "auto" and carried:
        notes.append("`tool_choice` was left out: this API cannot be told to use a tool.")
    if choice.parallel is False and carried:
        notes.append("That calls must come one at a time was left out: this API cannot be told so.")
    if carried:
        body["tools"] = [write_tool(tool, same_protocol=same) for tool in carried]


def _write_extras(ask: Ask, body: dict[str, object], notes: list[str]) -> None:
    for name, raw in ask.extras.items():
        if ask.protocol not in FAMILY:
            notes.append(f"`{name}` was left out: it belongs to the caller's API.")
        elif name in _NOT_RELAYED:
            notes.append(f"`{name}` was left out: log probabilities are not relayed.")
        elif name != _OPTIONS:
            body[name] = raw
