"""A generateContent request to an Ask.

The model and the method are in the path: who is asked, and whether the answer is a stream. A field with a meaning for
the gateway is read; every other one travels in `extras` under its path in the body (`generationConfig.speechConfig`).
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs
from gateway.canon.fault import BadRequest
from gateway.wire.body import OWN_FIELDS, given, read_bench, read_body, read_nominated
from gateway.wire.gemini.contents import Reading, read_system
from gateway.wire.gemini.path import read_path, wants_sse
from gateway.wire.gemini.shape import Fields, Generation, Request, one_of, read_level, read_shape
from gateway.wire.gemini.tools import read_choice, read_format, read_tools

NAME = "gemini"
INCLUDE_THOUGHTS = "generationConfig.thinkingConfig.includeThoughts"
"""The name among an Ask's extras of the caller's wish to see reasoning."""

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Request)) | OWN_FIELDS
_SETTINGS = frozenset(field.encode_name for field in msgspec.structs.fields(Generation))
_THINKING = "generationConfig.thinkingConfig"
_LEVELS = {
    "minimal": "minimal",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "thinking_level_unspecified": "",
}
_PLAIN_TYPES = ("application/json", "text/plain")
_COUNTED = "generateContentRequest"


def read_ask(body: bytes, path: str = "", query: str = "") -> Ask:
    """The request in `body`, sent to `path`; `BadRequest` says what is wrong with it and what is right."""
    return _read(read_level(body, ""), path, query)


def read_count(body: bytes, path: str = "") -> Ask:
    """The request whose tokens are to be counted: bare contents, or a whole request as `generateContentRequest`."""
    fields = read_level(body, "")
    inner = fields.get(_COUNTED)
    return _read(read_level(inner, _COUNTED) if inner is not None else fields, path, "")


def _read(fields: Fields, path: str, query: str) -> Ask:
    request = read_shape(fields, Request, "")
    contents = given(request.contents)
    turns = tuple(Reading().read(contents)) if contents is not None else ()
    if not turns:
        raise BadRequest('`contents` must have at least one turn: [{"role": "user", "parts": [{"text": ...}]}].')
    model, method = read_path(path) or (request.model.removeprefix("models/"), "generateContent")
    tools = tuple(read_tools(given(request.tools)))
    choice, unsaid = read_choice(given(request.tool_config), tools)
    extras = {name: raw for name, raw in fields.items() if name not in _READ} | unsaid
    settings, knobs = _read_settings(given(request.generation_config), extras)
    stream = method == "streamGenerateContent"
    return Ask(
        protocol=NAME,
        model=model,
        turns=(*read_system(given(request.system_instruction)), *turns),
        stream=stream,
        include_usage=True,
        tools=tools,
        tool_choice=choice,
        output=read_format(settings),
        knobs=knobs,
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras=extras,
        stream_array=stream and not wants_sse(query),
    )


def _read_settings(raw: Raw | None, extras: Fields) -> tuple[Generation, Knobs]:
    """The settings, and as knobs. What canon has no word for is added to `extras`."""
    fields = read_level(raw, "generationConfig") if raw is not None else {}
    extras.update({f"generationConfig.{name}": value for name, value in fields.items() if name not in _SETTINGS})
    settings = read_shape(fields, Generation, "generationConfig")
    if settings.response_mime_type and settings.response_mime_type.lower() not in _PLAIN_TYPES:
        for name in ("responseMimeType", "responseSchema", "responseJsonSchema"):
            if name in fields:
                extras[f"generationConfig.{name}"] = fields[name]
    if settings.top_k is not None and not settings.top_k.is_integer():
        raise BadRequest("`generationConfig.topK` must be a whole number.")
    effort, budget = _read_thinking(given(settings.thinking_config), extras)
    return settings, Knobs(
        max_tokens=settings.max_output_tokens,
        temperature=settings.temperature,
        top_p=settings.top_p,
        top_k=int(settings.top_k) if settings.top_k is not None else None,
        stop=tuple(settings.stop_sequences or ()),
        seed=settings.seed,
        presence_penalty=settings.presence_penalty,
        frequency_penalty=settings.frequency_penalty,
        reasoning_effort=effort,
        reasoning_tokens=budget,
    )


def _read_thinking(raw: Raw | None, extras: Fields) -> tuple[str, int | None]:
    """(effort, budget). A budget of nothing is the effort `none`; one that the model may choose stays as it was
    sent."""
    if raw is None:
        return "", None
    fields = read_level(raw, _THINKING)
    place = f"{_THINKING}.thinkingLevel"
    effort = one_of(fields.pop("thinkingLevel", None), place, _LEVELS, "minimal, low, medium or high") or ""
    sent = fields.pop("thinkingBudget", None)
    budget = read_body(sent, int, f"{_THINKING}.thinkingBudget") if sent is not None else None
    if sent is not None and budget is not None and budget < 0:
        fields["thinkingBudget"], budget = sent, None
    extras.update({f"{_THINKING}.{name}": value for name, value in fields.items()})
    return ("none", None) if budget == 0 else (effort, budget)
