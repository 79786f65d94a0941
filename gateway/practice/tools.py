"""The tool calls a script makes: when tools are on offer, the choice allows it, and none has answered yet.

One call, unless the character calls every tool. A tool whose name shares a word with the prompt is preferred to the
first. Arguments fit the tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from gateway.canon.fault import BadRequest
from gateway.practice.prompt import Prompt
from gateway.practice.request import ChatRequest
from gateway.practice.sample import Sampler

_LONGEST = 200
_MOST_CALLS = 16
_PATH = re.compile(r"[\w./-]{1,100}\.[A-Za-z]{1,5}\b")


class ScriptedCall(Struct, frozen=True):
    """A tool call. `arguments` is JSON text for a function, plain text for a custom tool."""

    id: str
    name: str
    arguments: str
    custom: bool = False
    seal: str = ""


def choose_calls(request: ChatRequest, prompt: Prompt, rng: Random, *, every: bool = False) -> tuple[ScriptedCall, ...]:
    """The calls to make, none to answer in words. `every`: one for each tool, where the choice leaves it open and calls
    may be parallel. Raises BadRequest when the choice names no offered tool."""
    offered = {name: tool for tool in request.tools if (name := _name_of(tool))}
    forced = _forced(request, offered)
    if not offered or request.tool_choice == "none" or (request.result is not None and not forced):
        return ()
    if every and request.result is None and request.parallel_tool_calls is not False and not request.names_tool:
        names = list(offered)[:_MOST_CALLS]
    else:
        names = [forced or _fitting(offered, request.prompt)]
    return tuple(_call(name, offered[name], request, prompt, rng) for name in names)


def _call(name: str, tool: Mapping[str, Any], request: ChatRequest, prompt: Prompt, rng: Random) -> ScriptedCall:
    call_id = f"call_{rng.getrandbits(96):024x}"
    if tool.get("type") == "custom":
        return ScriptedCall(call_id, name, request.prompt[:_LONGEST], custom=True)
    return ScriptedCall(call_id, name, _arguments(tool, prompt, request.prompt))


def _forced(request: ChatRequest, offered: Mapping[str, object]) -> str:
    """The tool that must be called: the named one, or any when one is required; empty when a script may choose."""
    choice = request.tool_choice
    if isinstance(choice, dict):
        name = _name_of(choice)
        if name not in offered:
            raise BadRequest(f"tool_choice names {name[:40]!r}, which is not among the tools.")
        return name
    if choice == "required":
        if not offered:
            raise BadRequest("tool_choice is required, but no tools were sent.")
        return _fitting(offered, request.prompt)
    return ""


def _name_of(tool: Mapping[str, Any]) -> str:
    inner = tool.get("custom" if tool.get("type") == "custom" else "function")
    name = inner.get("name") if isinstance(inner, Mapping) else None
    return name if isinstance(name, str) else ""


def _fitting(offered: Mapping[str, object], text: str) -> str:
    words = {word.lower() for word in re.findall(r"[A-Za-z]{3,}", text[:5000])}
    for name in offered:
        if words & {word.lower() for word in re.findall(r"[A-Za-z]{3,}", name.replace("_", " "))}:
            return name
    return next(iter(offered))


def _arguments(tool: Mapping[str, Any], prompt: Prompt, text: str) -> str:
    schema = tool["function"].get("parameters")
    path = _PATH.search(text[:5000])
    words = path.group(0) if path else " ".join(text.split())[:_LONGEST]
    value = Sampler(schema if isinstance(schema, Mapping) else {"type": "object"}, words, prompt.numbers).value()
    return msgspec.json.encode(value if isinstance(value, dict) else {}).decode()
