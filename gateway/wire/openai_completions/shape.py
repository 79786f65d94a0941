"""Legacy completions as the wire has them."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.wire.body import MISSING
from gateway.wire.openai_chat.shape import Count, StreamOptions
from gateway.wire.openai_chat.usage import UsageBody


class Request(Struct):
    """The fields with a meaning for the gateway. The rest of a body travels as `Ask.extras`."""

    model: str | None = None
    prompt: Raw = MISSING
    suffix: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: Count | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: str | list[str] | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    n: Count | None = None
    best_of: Count | None = None
    echo: bool | None = None
    logprobs: int | bool | None = None


class ChoiceBody(Struct, omit_defaults=True):
    text: str
    index: int
    logprobs: None
    finish_reason: str | None
    native_finish_reason: str | UnsetType = UNSET
    stop_reason: str | UnsetType = UNSET


class CompletionBody(Struct, omit_defaults=True):
    """A whole completion, or a chunk of one: they differ in nothing."""

    id: str
    object: str
    created: int
    model: str
    choices: list[ChoiceBody]
    usage: UsageBody | UnsetType = UNSET
    bench: Raw | UnsetType = UNSET
