"""An Ask to a generateContent request for one member.

The operator's options come first, the caller's settings over them, the caller's own unread fields last where both
speak this API. What a member cannot be sent is left out and named in the notes, never dropped in silence.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs
from gateway.wire.base import Facts, Outgoing
from gateway.wire.gemini.ask import NAME
from gateway.wire.gemini.letters import Letters, generation
from gateway.wire.gemini.path import write_path
from gateway.wire.gemini.tools import Schemas, write_choice
from gateway.wire.text_documents import spell_out
from gateway.wire.vendor import carry

Body = dict[str, object]

_SETTINGS = "generationConfig"
_OPTION_NAMES = {
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "max_output_tokens": "maxOutputTokens",
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "seed": "seed",
    "stop": "stopSequences",
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
}
"""Options that operators write as other APIs name them."""

_MOST_STOPS = 5
_LARGEST_SEED = 2**31 - 1
_BUDGETS = {"minimal": 1_024, "low": 1_024, "medium": 8_192, "high": 24_576}
_WITHOUT_LEVELS = 2
_NOT_RELAYED = {
    f"{_SETTINGS}.candidateCount": "a member is asked for one answer",
    f"{_SETTINGS}.responseLogprobs": "log probabilities are not relayed",
    f"{_SETTINGS}.logprobs": "log probabilities are not relayed",
}


def write_ask(ask: Ask, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    same = ask.protocol == NAME
    notes: list[str] = []
    letters = Letters(facts, same_protocol=same)
    schemas = Schemas(same_protocol=same)
    turns = ask.turns if facts.documents else spell_out(ask.turns, notes, same_protocol=same)
    system, contents = letters.write(turns)
    body, settings = _options(facts)
    if system:
        body["systemInstruction"] = {"parts": system}
    body["contents"] = contents
    _write_knobs(ask.knobs, facts, settings, notes)
    _write_thinking(ask, facts, settings, notes)
    if ask.output is not None:
        settings.update(schemas.output(ask.output))
    _write_tools(ask, schemas, body, notes)
    if settings:
        body[_SETTINGS] = settings
    _write_extras(ask, body, notes)
    return Outgoing(
        write_path(facts.served, stream=facts.stream),
        msgspec.json.encode(body),
        {"content-type": "application/json", "accept": "text/event-stream" if facts.stream else "application/json"},
        tuple(dict.fromkeys([*letters.notes, *schemas.notes, *notes])),
    )


def _options(facts: Facts) -> tuple[Body, Body]:
    """(body, settings) as the operator wants them."""
    body: Body = {
        name: raw
        for name, raw in facts.options.items()
        if name not in _OPTION_NAMES and name not in (_SETTINGS, "stream", "stream_options")
    }
    settings = _open(facts.options.get(_SETTINGS))
    for name, raw in facts.options.items():
        if name in _OPTION_NAMES:
            settings[_OPTION_NAMES[name]] = raw
    return body, settings


def _write_knobs(knobs: Knobs, facts: Facts, settings: Body, notes: list[str]) -> None:
    stop = list(knobs.stop)
    if len(stop) > _MOST_STOPS:
        notes.append(f"Stop sequences after the {_MOST_STOPS}th were left out: this API takes no more.")
    seed = knobs.seed
    if seed is not None and not -_LARGEST_SEED <= seed <= _LARGEST_SEED:
        notes.append(f"`seed` was left out: this API takes none beyond {_LARGEST_SEED}.")
        seed = None
    asked: Body = {
        "maxOutputTokens": knobs.max_tokens,
        "temperature": knobs.temperature,
        "topP": knobs.top_p,
        "topK": knobs.top_k,
        "stopSequences": stop[:_MOST_STOPS] or None,
        "seed": seed,
        "presencePenalty": knobs.presence_penalty,
        "frequencyPenalty": knobs.frequency_penalty,
    }
    settings.update({name: value for name, value in asked.items() if value is not None})
    limit = settings.get("maxOutputTokens")
    number = limit if isinstance(limit, int) else _number(limit)
    if number is not None and facts.max_output is not None and number > facts.max_output:
        notes.append(f"The token limit {number} was lowered to {facts.max_output}, the most this model writes.")
        settings["maxOutputTokens"] = facts.max_output


def _write_thinking(ask: Ask, facts: Facts, settings: Body, notes: list[str]) -> None:
    thinking = _thinking(ask, facts, notes)
    if thinking:
        settings["thinkingConfig"] = thinking


def _thinking(ask: Ask, facts: Facts, notes: list[str]) -> Body:
    """How much to reason: by level, or by tokens for the generation that knows no levels. Callers of other APIs get the
    reasoning without asking for it."""
    effort, budget = ask.knobs.reasoning_effort, ask.knobs.reasoning_tokens
    if effort == "none":
        return {"thinkingBudget": 0}
    if ask.protocol == NAME:
        sent = {"thinkingLevel": effort or None, "thinkingBudget": budget}
        return {name: value for name, value in sent.items() if value is not None}
    if budget is not None:
        if effort:
            notes.append(f"The reasoning effort {effort} was left out beside a budget: this API takes one of the two.")
        return {"thinkingBudget": budget, "includeThoughts": True}
    if not effort:
        return {}
    if effort not in _BUDGETS:
        notes.append(f"The reasoning effort {effort} was sent as high.")
        effort = "high"
    if generation(facts.served) == _WITHOUT_LEVELS:
        return {"thinkingBudget": _BUDGETS[effort], "includeThoughts": True}
    return {"thinkingLevel": effort, "includeThoughts": True}


def _number(option: object) -> int | None:
    try:
        return msgspec.json.decode(option, type=int) if isinstance(option, Raw) else None
    except msgspec.DecodeError:
        return None


def _write_tools(ask: Ask, schemas: Schemas, body: Body, notes: list[str]) -> None:
    carried = carry(ask.tools, same_protocol=ask.protocol == NAME)
    for tool in ask.tools:
        if tool not in carried:
            notes.append(f"The tool {tool.name} was left out: its provider runs it, and this model is another's.")
    if not carried:
        return
    body["tools"] = schemas.tools(carried)
    choice = ask.tool_choice
    if choice.parallel is False:
        notes.append("That calls are made one at a time was left out: this API has no such setting.")
    if choice.mode == "named" and choice.name not in {tool.name for tool in carried}:
        notes.append(f"The choice of a tool was left out with the tool {choice.name} that it names.")
        return
    written = write_choice(choice)
    if written is not None:
        body["toolConfig"] = {"functionCallingConfig": written}


def _write_extras(ask: Ask, body: Body, notes: list[str]) -> None:
    for name, raw in ask.extras.items():
        if ask.protocol != NAME:
            notes.append(f"`{name}` was left out: it belongs to the caller's API.")
        elif name in _NOT_RELAYED:
            notes.append(f"`{name}` was left out: {_NOT_RELAYED[name]}.")
        else:
            _put(body, name.split("."), raw)


def _put(body: Body, path: list[str], raw: Raw) -> None:
    """Puts a field where its path says."""
    for step in path[:-1]:
        inner = _open(body.get(step))
        body[step] = inner
        body = inner
    body[path[-1]] = raw


def _open(value: object) -> Body:
    """An object that more can be put into: this one, or what an operator wrote; empty where that is no object."""
    if isinstance(value, dict):
        return value
    try:
        return dict(msgspec.json.decode(value, type=dict[str, Raw])) if isinstance(value, Raw) else {}
    except msgspec.DecodeError:
        return {}
