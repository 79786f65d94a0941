"""Sampling options and thinking of Ollama's API as knobs, and back.

`think: true` and the level medium are the same knob, because true is a model's own middle. The size of the context
window (`num_ctx`) is the member's own affair and never goes out.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Knobs
from gateway.canon.fault import BadRequest
from gateway.wire.body import given, read_body
from gateway.wire.ollama.shape import Options

NOT_SENT = "num_ctx"
_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Options))
_MIDDLE = "medium"
_LEVELS = ("low", _MIDDLE, "high", "max")
_NEAREST = {"minimal": "low", "xhigh": "max"}


def read_knobs(options: Raw, think: bool | str | None) -> tuple[Knobs, dict[str, Raw]]:
    """(knobs, the options that canon has no word for)."""
    effort = _read_think(think)
    sent = given(options)
    if sent is None:
        return Knobs(reasoning_effort=effort), {}
    read, rest = read_body(sent, Options, "options"), read_body(sent, dict[str, Raw], "options")
    limit = read.num_predict
    return Knobs(
        max_tokens=limit if limit is not None and limit > 0 else None,
        temperature=read.temperature,
        top_p=read.top_p,
        top_k=read.top_k,
        stop=(read.stop,) if isinstance(read.stop, str) else tuple(read.stop or ()),
        seed=read.seed,
        presence_penalty=read.presence_penalty,
        frequency_penalty=read.frequency_penalty,
        reasoning_effort=effort,
    ), {name: raw for name, raw in rest.items() if name not in _READ and given(raw) is not None}


def write_options(knobs: Knobs) -> dict[str, object]:
    """The options that a caller's knobs stand for, but for the token limit."""
    options: dict[str, object] = {
        "temperature": knobs.temperature,
        "top_p": knobs.top_p,
        "top_k": knobs.top_k,
        "stop": list(knobs.stop) or None,
        "seed": knobs.seed,
        "presence_penalty": knobs.presence_penalty,
        "frequency_penalty": knobs.frequency_penalty,
    }
    return {name: value for name, value in options.items() if value is not None}


def write_think(knobs: Knobs, notes: list[str]) -> bool | str | None:
    """`think`; None where the caller did not say."""
    effort = knobs.reasoning_effort
    if knobs.reasoning_tokens is not None:
        notes.append("The reasoning budget was left out: this API knows levels, not a number of tokens.")
        effort = effort or _MIDDLE
    if not effort:
        return None
    if effort == "none":
        return False
    level = _NEAREST.get(effort, effort)
    if level not in _LEVELS:
        level = _MIDDLE
    if level != effort:
        notes.append(f"The reasoning effort {effort} was sent as {level}.")
    return True if level == _MIDDLE else level


def _read_think(think: bool | str | None) -> str:
    if think is None:
        return ""
    if isinstance(think, bool):
        return _MIDDLE if think else "none"
    if think not in _LEVELS:
        raise BadRequest(f"`think` {think!r} is unknown. Send true, false or one of {', '.join(_LEVELS)}.")
    return think
