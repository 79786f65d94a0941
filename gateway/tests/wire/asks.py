"""Requests of every kind for every format, with words that can be found again: each occurs once.

A request is made in canon, written by its format's own client where it has one and read by its server, so that it is
one that a caller of the format can send.
"""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    Knobs,
    Media,
    OutputFormat,
    Part,
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS

PNG = "iVBORw0KGgo="
PDF = "JVBERi0="
OWN = Facts("served-m", developer_role=True, reasoning_field="reasoning_content", plain_tools=False)
"""A member that takes all that its format can say."""

MARKS = {"openai_responses": Raw(b'{"mode":"explicit"}')}
SEALS = {
    "openai_chat": Raw(b'{"openai_chat":{"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}}'),
    "openai_responses": Raw(
        b'{"openai_responses":{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}}'
    ),
    "anthropic": Raw(b'{"anthropic":{"type":"redacted_thinking","data":"x"}}'),
    "gemini": Raw(b'{"gemini":{"part":{"executableCode":{"code":"x"}}}}'),
}
CALL_SEALS = {
    "openai_chat": Raw(b'{"openai_chat":{"extra_content":{"google":1}}}'),
    "anthropic": Raw(b'{"anthropic":{"caller":{"type":"x"}}}'),
    "gemini": Raw(b'{"gemini":{"signature":"c2ln"}}'),
}
EXTRAS = {
    "openai_chat": ("user", "service_tier"),
    "openai_responses": ("user", "text.verbosity"),
    "anthropic": ("metadata", "service_tier"),
    "gemini": ("safetySettings", "generationConfig.speechConfig"),
    "ollama": ("keep_alive", "truncate"),
}
TOOL_EXTRAS = {
    "openai_chat": "function.examples",
    "openai_responses": "defer_loading",
    "anthropic": "defer_loading",
    "gemini": "behavior",
    "ollama": "function.examples",
}
VENDOR = {
    "openai_chat": Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search"}')),
    "openai_responses": Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search"}')),
    "anthropic": Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search_1","name":"web_search"}')),
    "gemini": Tool("googleSearch", kind="vendor", definition=Raw(b'{"googleSearch":{}}')),
}
EFFORTS = {"gemini": ("", "minimal", "low", "high"), "ollama": ("", "none", "low", "high", "max")}
SCHEMAS = (
    Raw(b'{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}'),
    Raw(b'{"type":"object","properties":{"type":{"type":"integer","exclusiveMinimum":0}}}'),
)
BODIES = ("openai_completions", "ollama_generate")
"""The formats that have no client: their requests are written by hand."""


@st.composite
def asks(draw: st.DrawFn, name: str) -> Ask:
    """A request that a caller of the format `name` can send."""
    if name in BODIES:
        return SERVERS[name].read_ask(json.dumps(draw(_prompts(name))).encode())
    outgoing = CLIENTS[name].write_ask(draw(_canons(name)), OWN)
    path, _, query = outgoing.path.partition("?")
    return SERVERS[name].read_ask(outgoing.body, path, query)


@st.composite
def _prompts(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A body with one prompt."""
    body = {"model": "m", "prompt": "word1", "extra1": 1, "suffix": draw(st.sampled_from(["", "word2"]))}
    knobs = {"temperature": draw(st.sampled_from([0.5, 1.5])), "seed": 7, "top_k": 5, "stop": ["END"]}
    if name == "openai_completions":
        return {**body, **knobs, "presence_penalty": 0.5, "max_tokens": 99}
    pictures = draw(st.lists(st.just(PNG), max_size=1))
    options = {**knobs, "num_predict": 99, "mirostat": 1}
    return {**body, "system": "word3", "options": options, "images": pictures, "think": draw(st.booleans())}


@st.composite
def _canons(draw: st.DrawFn, name: str) -> Ask:
    numbers = count()
    tools = draw(_tools(name))
    named = [tool.name for tool in tools if tool.kind != "vendor"]
    modes: list[Any] = ["auto", "none", *(["required"] if tools else []), *(["named"] if named else [])]
    mode = draw(st.sampled_from(modes if tools else ["auto"]))
    chosen = draw(st.sampled_from(named)) if mode == "named" else ""
    return Ask(
        name,
        "served-m",
        draw(_turns(name, numbers)),
        stream=True,
        tools=tools,
        tool_choice=ToolChoice(mode, chosen, draw(st.sampled_from([None, False]))),
        output=draw(_outputs(words=name != "anthropic")),
        knobs=draw(_knobs(name)),
        extras={field: Raw(b'{"x":1}') for field in draw(st.lists(st.sampled_from(EXTRAS[name]), unique=True))},
    )


@st.composite
def _turns(draw: st.DrawFn, name: str, numbers: Any) -> tuple[Turn, ...]:
    """Instructions, then the user and the assistant by turns; each call has its result."""
    mark = st.sampled_from([None, None, MARKS.get(name, Raw(b'{"type":"ephemeral"}'))])
    texts = st.builds(lambda cache: Text(f"word{next(numbers)}", cache), mark)
    roles: list[Any] = ["system", "developer"]
    turns = [Turn(draw(st.sampled_from(roles)), tuple(draw(st.lists(texts, min_size=1, max_size=2))))]
    for _ in range(draw(st.integers(1, 3))):
        turns.append(_user(draw, name, numbers, draw(st.lists(texts | _media(numbers, mark), min_size=1, max_size=3))))
        said: list[Part] = []
        if draw(st.booleans()):
            said.append(Thought(f"thought{next(numbers)}"))
        if name in SEALS and draw(st.booleans()):
            said.append(Thought("", SEALS[name]))
        said += draw(st.lists(texts, min_size=1, max_size=1))
        if draw(st.integers(0, 3)) == 0:
            said.append(Refusal(f"refusal{next(numbers)}"))
        calls = [_call(draw, name, numbers, mark) for _ in range(draw(st.integers(0, 2)))]
        turns.append(Turn("assistant", (*said, *calls)))
        turns += [_result(draw, call, texts, _media(numbers, mark), mark) for call in calls]
    turns.append(_user(draw, name, numbers, draw(st.lists(texts, min_size=1, max_size=1))))
    return tuple(turns)


def _user(draw: st.DrawFn, name: str, numbers: Any, parts: list[Any]) -> Turn:
    own = {"openai_chat": "annotations", "openai_responses": "phase", "ollama": "mood"}
    extras = {own[name]: Raw(b'"x"')} if name in own and draw(st.booleans()) else {}
    return Turn("user", tuple(parts), f"name{next(numbers)}" if draw(st.booleans()) else "", extras)


def _call(draw: st.DrawFn, name: str, numbers: Any, mark: Any) -> ToolCall:
    number, custom = next(numbers), draw(st.booleans())
    arguments = f"free{number}" if custom else f'{{"a":"argument{number}"}}'
    sealed = draw(st.booleans())
    return ToolCall(
        f"id{number}", f"tool{number}", arguments, custom, CALL_SEALS.get(name) if sealed else None, draw(mark)
    )


def _result(draw: st.DrawFn, call: ToolCall, texts: Any, media: Any, mark: Any) -> Turn:
    parts = (draw(texts), *draw(st.lists(media, max_size=1)))
    return Turn("tool", (ToolResult(call.id, parts, draw(st.booleans()), call.name, draw(mark)),))


def _media(numbers: Any, mark: Any) -> Any:
    def make(form: tuple[Any, str], cache: Raw | None, detail: str) -> Media:
        number = next(numbers)
        match form:
            case "image", "url":
                return Media("image", url=f"https://h/media{number}", detail=detail, cache=cache)
            case "image", _:
                return Media("image", data=PNG, mime="image/png", detail=detail, cache=cache)
            case "audio", _:
                return Media("audio", data="BBBB", mime="audio/mpeg", cache=cache)
            case _:
                return Media("document", data=PDF, mime="application/pdf", name=f"title{number}", cache=cache)

    forms = st.sampled_from([("image", "url"), ("image", "data"), ("audio", "data"), ("document", "data")])
    return st.builds(make, forms, mark, st.sampled_from(["", "low"]))


@st.composite
def _tools(draw: st.DrawFn, name: str) -> tuple[Tool, ...]:
    tools = []
    for number in range(draw(st.integers(0, 3))):
        about = f"about{number}"
        cache = draw(st.sampled_from([None, Raw(b'{"type":"ephemeral"}')]))
        if draw(st.integers(0, 2)) == 0:
            tools.append(
                Tool(f"free{number}", about, kind="custom", grammar=draw(st.sampled_from([None, _grammar(number)])))
            )
            continue
        extras = {TOOL_EXTRAS[name]: Raw(b'{"x":1}')} if draw(st.booleans()) else {}
        strict = draw(st.sampled_from([None, True]))
        tools.append(Tool(f"f{number}", about, draw(st.sampled_from(SCHEMAS)), strict, cache=cache, extras=extras))
    if name in VENDOR and draw(st.integers(0, 3)) == 0:
        tools.append(VENDOR[name])
    return tuple(tools)


def _grammar(number: int) -> Raw:
    return Raw(
        json.dumps({"type": "grammar", "grammar": {"syntax": "lark", "definition": f"grammar{number}"}}).encode()
    )


def _outputs(*, words: bool) -> Any:
    """`words` says that the format can ask for JSON without a schema."""
    schemas = st.builds(
        OutputFormat,
        st.just("json_schema"),
        st.sampled_from(["", "outputname"]),
        st.sampled_from(SCHEMAS),
        st.sampled_from([None, True]),
        st.sampled_from(["", "outputabout"]),
    )
    return st.none() | schemas | (st.just(OutputFormat("json_object")) if words else st.none())


def _knobs(name: str) -> Any:
    floats = st.sampled_from([None, 0.5, 1.5])
    return st.builds(
        Knobs,
        st.sampled_from([None, 4_000]),
        floats,
        floats,
        st.sampled_from([None, 5]),
        st.sampled_from([(), ("END",)]),
        st.sampled_from([None, 7]),
        floats,
        floats,
        st.sampled_from(EFFORTS.get(name, ("", "none", "minimal", "low", "high", "xhigh"))),
        st.sampled_from([None, 2_000]),
    )
