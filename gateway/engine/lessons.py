"""What a refusal or an answer teaches about a model: its window, its limits, what it can do, and who answers under its
name. Pure. Numbers only ever come down, abilities are only ever granted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from gateway.canon.ask import Ask, Thought
from gateway.canon.event import Finish
from gateway.canon.reply import Reply
from gateway.canon.tokens import estimate_length
from gateway.engine.json_fit import fits, read_json
from gateway.engine.limit_bodies import AXES, BODY, USE, axes_in, whole
from gateway.engine.limit_headers import TOO_MANY
from gateway.engine.snapshot import ModelView, kept_limits
from gateway.engine.swap import swapped
from gateway.engine.told import Told

SMALLEST_WINDOW: Final = 512
SMALLEST_OUTPUT: Final = 16
SERVED_AS: Final = "served_as"
_OPERATOR: Final = "operator"
_DOUBT: Final = 4
"""How far our estimate of a request's tokens may be under the truth."""
_N: Final = r"[`'\"*(\[]{0,2}(\d[\d,]*)(?![\d,]*\.\d*[1-9]|[\d.,]*\s?(?:[kmb]|thousand|million|billion)\b)"
"""A whole number, written out: `1.5M` and `30k` teach nothing."""
_WINDOWS: Final = tuple(
    re.compile(words, re.I)
    for words in (
        rf"maximum context length is {_N}",
        rf"context (?:length|window)(?: of| is)? {_N}",
        rf"max_model_len\D{{0,20}}{_N}",
        rf"maximum (?:input|prompt) (?:length|tokens)(?: is| of)? {_N}",
        rf"tokens > {_N} maximum",
        rf"with {_N} maximum context length",
        rf"maximum number of tokens allowed {_N}",
        rf"available context size {_N}",
        rf"current length is [\d,]+ while limit is {_N}",
        rf"too many tokens\b.{{0,200}}?the limit for this model is {_N}",
        rf"\"n_ctx\"\s*:\s*{_N}",
    )
)
_OUTPUTS: Final = tuple(
    re.compile(words, re.I)
    for words in (
        rf"is too large: [\d,]+\. this model supports at most {_N} (?:completion|output) tokens",
        rf"max_tokens: [\d,]+ > {_N}, which is the maximum",
        rf"max(?:_\w+)?_tokens\W{{0,3}} must be (?:<=|less than or equal to|at most|no more than) {_N}",
        rf"max(?:_\w+)?_tokens\b[^.\n]{{0,40}}valid range[^.\n]{{0,30}}\[\d+, ?{_N}",
    )
)
_BUDGET: Final = re.compile(rb'"(?:max_(?:completion_|output_)?tokens|maxOutputTokens|num_predict)"\s*:\s*(\d{1,12})\b')
_LIMIT: Final = re.compile(rf"\blimit\b(?: is| of)?[:\s]*{_N}", re.I)
_WORDS_FOR: Final = {
    "image": ("image", "picture"),
    "audio": ("audio", "sound"),
    "document": ("document", "file", "pdf"),
}
_ABILITY: Final = {"image": "vision", "audio": "audio", "document": "documents"}


class Lesson(Struct, frozen=True):
    """A field of the catalogue and what it should be: a number, a map of one axis of the limits, True, or a name.
    `words` are those that taught it."""

    field: str
    value: Any
    words: str


def lessons_in_refusal(status: int, text: str, told: Iterable[Told]) -> list[Lesson]:
    """What an error's words (message and body) and its limits teach."""
    found = [
        *_smallest("context_window", _WINDOWS, text, SMALLEST_WINDOW),
        *_smallest("max_output", _OUTPUTS, text, SMALLEST_OUTPUT),
    ]
    return [*found, *_limits(status, text, told)]


def lessons_in_answer(model: ModelView, ask: Ask, reply: Reply, notes: Iterable[str]) -> list[Lesson]:
    """What a whole answer to `ask` shows that the model can do, as far as that was not known; `notes` tell what was
    left out on the way."""
    if reply.fault is not None or not (reply.calls or reply.text.strip()):
        return []
    if swapped(model.served, reply.model):
        return [Lesson(SERVED_AS, reply.model[:200], f"asked for {model.served}, {reply.model} answered")]
    found: list[Lesson] = []
    if model.tools is not True and reply.calls and ask.tools:
        found.append(Lesson("tools", True, f"called the tool {reply.calls[0].name}"))
    if model.reasoning is not True and any(isinstance(part, Thought) for part in reply.parts):
        found.append(Lesson("reasoning", True, "sent its reasoning"))
    if model.vision is not True or model.audio is not True or model.documents is not True:
        found += _media(model, ask, notes)
    if model.structured_output is not True and _structured(ask, reply):
        found.append(Lesson("structured_output", True, "answered in the schema that was asked for"))
    return found


def believable(lesson: Lesson, sent: bytes, budget: int | None) -> bool:
    """False for a number that the request `sent` cannot have run into (`budget` is the most that it lets the model
    write), and for words that stand in it: the provider may only repeat them."""
    if any(words.encode() in sent for words in (lesson.words, json.dumps(lesson.words)[1:-1])):
        return False
    if lesson.field == "context_window":
        return (estimate_length(len(sent)) + (budget or 0)) * _DOUBT >= int(lesson.value)
    if lesson.field == "max_output" and budget is not None:
        return budget > int(lesson.value)
    return True


def budget_in(sent: bytes) -> int | None:
    """The most tokens that a request lets the model write, in any API's words; None where it says nothing."""
    found = _BUDGET.search(sent)
    return int(found[1]) if found else None


def is_news(model: ModelView, lesson: Lesson) -> bool:
    """True when the lesson changes what is known of the model: a lower number, or an ability that was not known. What
    an operator has said stands."""
    if lesson.field == "limits":
        ((axis, most),) = lesson.value.items()
        known = model.limits.get(axis)
        return model.sources.get(f"limits.{axis}") != _OPERATOR and (known is None or most < known)
    if model.sources.get(lesson.field) == _OPERATOR:
        return False
    if lesson.field in ("context_window", "max_output"):
        known = getattr(model, lesson.field)
        return known is None or lesson.value < known
    return lesson.field == SERVED_AS or getattr(model, lesson.field) is not True


def learned(model: ModelView, lesson: Lesson) -> dict[str, Any]:
    """The fields of the ModelView that the lesson changes."""
    if lesson.field == SERVED_AS:
        return {}
    if lesson.field != "limits":
        return {lesson.field: lesson.value, "sources": {**model.sources, lesson.field: "learned"}}
    limits = {**model.limits, **lesson.value}
    sources = {**model.sources, f"limits.{next(iter(lesson.value))}": "learned"}
    return {"limits": limits, "kept_limits": kept_limits(limits, sources), "sources": sources}


def _smallest(field: str, patterns: Iterable[re.Pattern[str]], text: str, least: int) -> list[Lesson]:
    for pattern in patterns:
        if (found := pattern.search(text)) and least <= whole(found[1]) < 2**40:
            return [Lesson(field, whole(found[1]), found[0])]
    return []


def _limits(status: int, text: str, told: Iterable[Told]) -> list[Lesson]:
    """The limits that were used up and told with their size; else the one that the words name, if it is one alone."""
    by_kind = {kind: axis for axis, kind in AXES.items()}
    sizes: dict[str, Lesson] = {}
    for one in told if status == TOO_MANY else ():
        axis = by_kind.get((one.metric, one.window))
        if axis and one.limit and one.remaining == 0:
            said = USE.search(text) if one.source == BODY else None
            words = said[0] if said else f"{one.source}: {one.limit} {one.metric} a {one.window}"
            sizes[axis] = Lesson("limits", {axis: one.limit}, words)
    axes = axes_in(text)
    found = _LIMIT.search(text)
    if len(axes) == 1 and axes[0] not in sizes and found is not None and 0 < whole(found[1]) < 2**40:
        sizes[axes[0]] = Lesson("limits", {axes[0]: whole(found[1])}, found[0])
    return list(sizes.values())


def _media(model: ModelView, ask: Ask, notes: Iterable[str]) -> list[Lesson]:
    kinds = {media.kind for media in ask.media if getattr(model, _ABILITY[media.kind]) is not True}
    words = " ".join(notes).lower() if kinds else ""
    return [
        Lesson(_ABILITY[kind], True, f"took {kind} input and answered")
        for kind in sorted(kinds)
        if not any(word in words for word in (*_WORDS_FOR[kind], "media", "a part was"))
    ]


def _structured(ask: Ask, reply: Reply) -> bool:
    wanted = ask.output
    if wanted is None or wanted.schema is None or reply.finish is not Finish.STOP:
        return False
    try:
        return fits(read_json(bytes(wanted.schema)), read_json(reply.text))
    except ValueError:
        return False
