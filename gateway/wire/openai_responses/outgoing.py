"""An Ask to a Responses request for one member.

The operator's options come first, the caller's settings over them, the caller's own unread fields last where both
speak this API. Nothing is stored at the provider unless the operator says so. What a member cannot be sent is left out
and named in the notes, never dropped in silence.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs, Text, Thought, Tool, ToolChoice, Turn
from gateway.wire import losses
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import read_number
from gateway.wire.closed_schemas import for_openai_strict
from gateway.wire.openai_responses import seal
from gateway.wire.openai_responses.ask import NAME
from gateway.wire.openai_responses.letters import Letters
from gateway.wire.openai_responses.names import ADDED, FOUND, OURS, home_of
from gateway.wire.openai_responses.tools import write_choice, write_format, write_tools
from gateway.wire.strict import hold_output, hold_tool
from gateway.wire.text_documents import spell_out
from gateway.wire.vendor import carry

_LIMIT = "max_output_tokens"
_SEALED = "reasoning.encrypted_content"
_NOT_RELAYED = frozenset({"top_logprobs"})


def write_ask(ask: Ask, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    notes: list[str] = []
    same = ask.protocol == NAME
    native = same and not facts.plain_tools
    letters = Letters(facts, ask.tools, same_protocol=same, native=native)
    body: dict[str, object] = dict(facts.options)
    body["model"] = facts.served
    turns = ask.turns if facts.documents else spell_out(ask.turns, notes, same_protocol=same)
    instructions = _instructions(turns, facts)
    if instructions:
        body["instructions"] = instructions
    opening = 1 if instructions else 0
    body["input"] = letters.write(turns[opening:], first=opening)
    _write_knobs(ask.knobs, facts, body, notes)
    _write_tools(ask, facts, body, notes, native=native)
    _write_text(ask, body, notes)
    _write_reasoning(ask, body)
    _write_extras(ask, body, notes, native=native)
    body.setdefault("store", False)
    if facts.stream:
        body["stream"] = True
    else:
        body.pop("stream", None)
    return Outgoing(
        "/responses",
        msgspec.json.encode(body),
        {"Content-Type": "application/json", "Accept": "text/event-stream" if facts.stream else "application/json"},
        tuple(dict.fromkeys([*letters.notes, *notes])),
    )


def _instructions(turns: tuple[Turn, ...], facts: Facts) -> str:
    """The words of an opening system turn that is nothing but words."""
    match turns[:1]:
        case (Turn(role="system", parts=(Text(text=text, cache=None),), name="", extras=extras),) if not extras:
            return text if facts.system_role else ""
    return ""


def _write_knobs(knobs: Knobs, facts: Facts, body: dict[str, object], notes: list[str]) -> None:
    limit: object = knobs.max_tokens if knobs.max_tokens is not None else body.get(_LIMIT)
    number = read_number(limit)
    if facts.max_output is not None and number is not None and number > facts.max_output:
        notes.append(f"The token limit {number} was lowered to {facts.max_output}, the most this model writes.")
        limit = facts.max_output
    settings = {_LIMIT: limit, "temperature": knobs.temperature, "top_p": knobs.top_p}
    body.update({name: value for name, value in settings.items() if value is not None})
    unknown = {
        "stop": knobs.stop or None,
        "top_k": knobs.top_k,
        "seed": knobs.seed,
        "presence_penalty": knobs.presence_penalty,
        "frequency_penalty": knobs.frequency_penalty,
    }
    notes.extend(
        f"`{name}` was left out: the Responses API has no such setting."
        for name, value in unknown.items()
        if value is not None
    )
    if knobs.reasoning_tokens is not None:
        notes.append("The reasoning budget was left out: this API knows an effort, not a number of tokens.")


def _write_tools(ask: Ask, facts: Facts, body: dict[str, object], notes: list[str], *, native: bool) -> None:
    carried = carry(ask.tools, same_protocol=ask.protocol == NAME, plain=bool(facts.plain_tools))
    for tool in ask.tools:
        if tool not in carried:
            notes.append(f"The tool {tool.name} was left out: its provider runs it, and this model is another's.")
        elif not native:
            notes.extend(_changes(tool, facts))
    if not carried:
        return
    if ask.protocol != NAME:
        carried = [hold_tool(tool, for_openai_strict, notes) for tool in carried]
    listed = [tool for tool in carried if not (native and {ADDED, FOUND} & tool.extras.keys())]
    if listed:
        body["tools"] = write_tools(listed, native=native, plain=bool(facts.plain_tools))
    choice = ask.tool_choice
    if choice.mode == "named" and choice.name not in {tool.name for tool in carried}:
        notes.append(f"`tool_choice` was left out with the tool {choice.name} that it names.")
    elif choice.mode != ToolChoice().mode:
        body["tool_choice"] = write_choice(choice, carried, native=native, plain=bool(facts.plain_tools))
    if choice.parallel is not None:
        body["parallel_tool_calls"] = choice.parallel


def _changes(tool: Tool, facts: Facts) -> list[str]:
    """What is different about a tool that goes out without its caller's own fields."""
    changes = [losses.NO_CACHE_ON_TOOLS] if tool.cache is not None else []
    changes += [f"`{name}` of the tool {tool.name} was left out." for name in tool.extras if name not in OURS]
    home = home_of(tool)
    if home is not None and home.name != tool.name:
        changes.append(f"The tool {home.name} of the namespace {home.namespace} was sent as {tool.name}.")
    if tool.kind == "custom" and facts.plain_tools:
        changes.append(f"The free-text tool {tool.name} was sent as a function with one text.")
    return changes


def _write_text(ask: Ask, body: dict[str, object], notes: list[str]) -> None:
    text = _object(body.get("text"))
    if ask.output is not None:
        same = ask.protocol == NAME
        text["format"] = write_format(ask.output if same else hold_output(ask.output, for_openai_strict, notes))
    text.update(_inside("text", ask))
    if text:
        body["text"] = text


def _write_reasoning(ask: Ask, body: dict[str, object]) -> None:
    reasoning = _object(body.get("reasoning"))
    effort = ask.knobs.reasoning_effort
    if effort:
        reasoning["effort"] = effort
    reasoning.update(_inside("reasoning", ask))
    if reasoning:
        body["reasoning"] = reasoning
    if ask.protocol == NAME:
        return
    sealed = any(
        isinstance(part, Thought) and seal.open_seal(part.seal) is not None for turn in ask.turns for part in turn.parts
    )
    if sealed or effort not in ("", "none"):
        # Models that do not reason refuse to be asked for this.
        body.setdefault("include", [_SEALED])


def _inside(name: str, ask: Ask) -> dict[str, Raw]:
    if ask.protocol != NAME:
        return {}
    start = f"{name}."
    return {field.removeprefix(start): raw for field, raw in ask.extras.items() if field.startswith(start)}


def _object(option: object) -> dict[str, object]:
    """The fields of an operator's option; none when it is no object."""
    try:
        return {**msgspec.json.decode(option, type=dict[str, Raw])} if isinstance(option, Raw) else {}
    except msgspec.DecodeError:
        return {}


def _write_extras(ask: Ask, body: dict[str, object], notes: list[str], *, native: bool) -> None:
    for name, raw in ask.extras.items():
        if ask.protocol != NAME:
            notes.append(f"`{name}` was left out: it belongs to the caller's API.")
        elif name == "store":
            notes.append("`store` was not passed on: responses are kept nowhere.")
        elif name in _NOT_RELAYED or (name == "include" and b"logprobs" in bytes(raw)):
            notes.append("Log probabilities are not relayed.")
            if name == "include":
                body[name] = raw
        elif name == "tool_choice" and not native:
            notes.append("`tool_choice` was sent by its mode alone: this model knows no other kind of choice.")
        elif not name.startswith(("text.", "reasoning.")):
            body[name] = raw
