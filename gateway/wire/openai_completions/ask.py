"""A legacy completion request to an Ask: one prompt, one user turn.

What the format can ask for and a conversation cannot give is refused with what to do instead: several prompts or
answers, tokens for text, the prompt again, log probabilities. Harmless fields travel in `extras` as they were sent. The
model may be missing here: who answers for that has the list of collections at hand.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import OWN_FIELDS, given, read_bench, read_body, read_fields, read_nominated
from gateway.wire.openai_completions.shape import Request
from gateway.wire.text_only import instruct_fill_in

NAME = "openai_completions"

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Request)) | OWN_FIELDS


def read_ask(body: bytes) -> Ask:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, Request)
    _refuse_what_is_lost(request)
    turns = [instruct_fill_in(request.suffix)] if request.suffix else []
    turns.append(Turn("user", (Text(_read_prompt(request.prompt)),)))
    stop = request.stop
    return Ask(
        protocol=NAME,
        model=request.model or "",
        turns=tuple(turns),
        stream=bool(request.stream),
        include_usage=bool(request.stream_options and request.stream_options.include_usage),
        knobs=Knobs(
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=request.top_k,
            stop=(stop,) if isinstance(stop, str) else tuple(stop or ()),
            seed=request.seed,
            presence_penalty=request.presence_penalty,
            frequency_penalty=request.frequency_penalty,
        ),
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras={name: raw for name, raw in fields.items() if name not in _READ and given(raw) is not None},
    )


def _read_prompt(raw: Raw) -> str:
    sent = given(raw)
    try:
        prompt = msgspec.json.decode(sent, type=str | list[str]) if sent is not None else ""
    except msgspec.DecodeError as misfit:
        raise BadRequest("`prompt` must be text, and not tokens or anything else. Send the words.") from misfit
    if isinstance(prompt, list):
        if len(prompt) != 1:
            raise BadRequest(f"`prompt` lists {len(prompt)} prompts. Send one, and one request for each.")
        prompt = prompt[0]
    if not prompt:
        raise BadRequest("`prompt` must be text, and not empty.")
    return prompt


def _refuse_what_is_lost(request: Request) -> None:
    if request.n is not None and request.n > 1:
        raise BadRequest("`n` must be 1: one answer comes to each request. Send the request again for another.")
    if request.best_of is not None and request.best_of > 1:
        raise BadRequest("`best_of` must be 1. Answers are chosen by the collection; leave `best_of` out.")
    if request.echo:
        raise BadRequest("`echo` is not supported. Leave it out and put the prompt before the answer yourself.")
    if request.logprobs is not None and request.logprobs is not False:
        raise BadRequest("`logprobs` are not relayed. Leave `logprobs` out.")
