"""What a refusal says about a member's dialect: pure rules from a 400 or 422 to the facts for one more attempt.

A quirk is data about an endpoint or a model, never a provider's name in the code. One that helped is kept (see
engine/call.py), so that it is paid for once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from gateway.canon.fault import Fault, Rejected
from gateway.wire.base import Facts

NO_STREAM_OPTIONS: Final = "no_stream_options"
NO_STREAM: Final = "no_stream"
COMPLETION_TOKENS_FIELD: Final = "completion_tokens_field"
NO_SYSTEM_ROLE: Final = "no_system_role"
TEXT_ONLY_CONTENT: Final = "text_only_content"
NO_CACHE_MARKS: Final = "no_cache_marks"
CUSTOM_TOOLS: Final = "custom_tools"
PLAIN_TOOLS: Final = "plain_tools"
THINKS_IN_TAGS: Final = "thinks_in_tags"
WANTS_REASONING_BACK: Final = "wants_reasoning_back"
QUIRKS: Final = (
    NO_STREAM_OPTIONS,
    NO_STREAM,
    COMPLETION_TOKENS_FIELD,
    NO_SYSTEM_ROLE,
    TEXT_ONLY_CONTENT,
    NO_CACHE_MARKS,
    CUSTOM_TOOLS,
    PLAIN_TOOLS,
    THINKS_IN_TAGS,
    WANTS_REASONING_BACK,
)


def apply_quirk(facts: Facts, quirk: str) -> Facts:
    """The facts of a member that has this quirk. Quirks of the reader change nothing here."""
    match quirk:
        case "no_stream_options":
            return msgspec.structs.replace(facts, stream_options=False)
        case "no_stream":
            return msgspec.structs.replace(facts, stream=False, stream_options=False)
        case "completion_tokens_field":
            return msgspec.structs.replace(facts, completion_tokens_field=True)
        case "no_system_role":
            return msgspec.structs.replace(facts, system_role=False)
        case "text_only_content":
            return msgspec.structs.replace(facts, content_lists=False)
        case "no_cache_marks":
            return msgspec.structs.replace(facts, cache_marks=False)
        case "custom_tools":
            return msgspec.structs.replace(facts, plain_tools=False)
        case "plain_tools":
            return msgspec.structs.replace(facts, plain_tools=True)
        case "wants_reasoning_back":
            return msgspec.structs.replace(facts, reasoning_field="reasoning_content")
        case _:
            return facts


def apply_quirks(facts: Facts, quirks: Mapping[str, bool]) -> Facts:
    """The facts with every quirk that is set. What a refusal has taught comes after what an operator said."""
    for quirk in QUIRKS:
        if quirks.get(quirk):
            facts = apply_quirk(facts, quirk)
    return facts


class _Rule(Struct, frozen=True):
    quirk: str
    complaint: re.Pattern[str]
    still: Callable[[Facts], bool]
    """True while the member has not been spared this yet."""


_RULES: Final = (
    _Rule(NO_STREAM_OPTIONS, re.compile(r"stream_options"), lambda facts: facts.stream_options),
    # And not the word "upstream".
    _Rule(NO_STREAM, re.compile(r"stream_options|\bstream(ing)?\b"), lambda facts: facts.stream),
    _Rule(
        COMPLETION_TOKENS_FIELD, re.compile(r"max_completion_tokens"), lambda facts: not facts.completion_tokens_field
    ),
    _Rule(
        NO_SYSTEM_ROLE,
        re.compile(
            r"(system|developer)['\"`]?[ -](role|message|prompt|instruction)|role[^.]{0,40}['\"`](system|developer)"
        ),
        lambda facts: facts.system_role,
    ),
    _Rule(
        TEXT_ONLY_CONTENT,
        re.compile(r"content[^.]{0,60}(must be|should be|expected|valid)[^.]{0,20}str"),
        lambda facts: facts.content_lists,
    ),
    _Rule(NO_CACHE_MARKS, re.compile(r"cache_control"), lambda facts: facts.cache_marks),
    _Rule(
        PLAIN_TOOLS,
        re.compile(
            r"['\"`]custom['\"`]|custom tools?\b|\btools?\b[^{}]{0,40}\btype\b[^{}]{0,120}['\"`]function['\"`]"
            r"|\btools?\b[^{}]{0,20}\bfunction\b[^{}]{0,40}(required|missing)|missing field ['\"`]function"
        ),
        lambda facts: not facts.plain_tools,
    ),
)


def quirk_in(facts: Facts, fault: Fault) -> str | None:
    """The quirk that a refusal points to and that has not been allowed for yet."""
    if not isinstance(fault, Rejected) or fault.upstream_status not in (400, 422):
        return None
    words = f"{fault.message} {fault.body}".lower()
    return next((rule.quirk for rule in _RULES if rule.still(facts) and rule.complaint.search(words)), None)
