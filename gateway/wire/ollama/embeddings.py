"""Embeddings of Ollama's API, as a server and as a client: `embed` for one text or many, and its older sibling
`embeddings` for a prompt."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import BadRequest
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import MISSING, given, read_bench, read_body, read_fields
from gateway.wire.embedding import OWN, EmbedClient, EmbedServer, counted, decode, embedded, losses, read_texts
from gateway.wire.errors import error_in_reply
from gateway.wire.loose import Json
from gateway.wire.ollama.ask import NAME, bare_model
from gateway.wire.own_fields import own_fields

_CARRIED = frozenset({"dimensions", "truncate"})


class _Request(Struct):
    model: str | None = None
    input: Raw = MISSING
    truncate: bool | None = None
    dimensions: Annotated[int, Meta(ge=0)] | None = None


class _PromptRequest(Struct):
    model: str | None = None
    prompt: str | None = None


_READ = frozenset(_Request.__struct_fields__) | OWN
_READ_OF_PROMPT = frozenset(_PromptRequest.__struct_fields__) | OWN


class _Reply(Struct):
    embeddings: list[list[float]] = []
    model: str | None = None
    prompt_eval_count: int | None = None
    error: Json = None


def read_ask(body: bytes, path: str = "") -> EmbedAsk:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, _Request)
    return EmbedAsk(
        protocol=NAME,
        model=bare_model(request.model or ""),
        texts=read_texts(given(request.input), "input"),
        dimensions=request.dimensions or None,
        truncate=request.truncate,
        bench=read_bench(fields),
        extras=own_fields(fields, _READ),
    )


def read_prompt(body: bytes, path: str = "") -> EmbedAsk:
    """The same of the older form."""
    fields = read_fields(body)
    request = read_body(body, _PromptRequest)
    if not request.prompt:
        raise BadRequest("`prompt` must be text, and not empty. Models need no loading here.")
    return EmbedAsk(
        protocol=NAME,
        model=bare_model(request.model or ""),
        texts=(request.prompt,),
        alone=True,
        bench=read_bench(fields),
        extras=own_fields(fields, _READ_OF_PROMPT),
    )


def write_reply(ask: EmbedAsk, came: Embedded, model: str, bench: Raw | None) -> bytes:
    """The vectors, or the one of the older form. Nothing is loaded here, so that takes no time."""
    told = {} if bench is None else {"bench": bench}
    if ask.alone:
        return msgspec.json.encode({"embedding": came.vectors[0], **told})
    fields = {"model": model, "embeddings": came.vectors, "load_duration": 0, "prompt_eval_count": counted(ask, came)}
    return msgspec.json.encode({**fields, **told})


def write_ask(ask: EmbedAsk, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    same = ask.protocol == NAME
    body: dict[str, object] = {**ask.extras} if same else {}
    body |= {"model": facts.served, "input": ask.texts}
    if ask.dimensions is not None:
        body["dimensions"] = ask.dimensions
    if ask.truncate is not None:
        body["truncate"] = ask.truncate
    return Outgoing(
        "/embed" if facts.base.rstrip("/").endswith("/api") else "/api/embed",
        msgspec.json.encode(body),
        {"content-type": "application/json", "accept": "application/json"},
        losses(ask, _CARRIED, same_protocol=same),
    )


def read_reply(body: bytes, ask: EmbedAsk) -> Embedded:
    """The vectors, in the order of the texts."""
    reply = decode(body, _Reply)
    if reply.error:
        raise error_in_reply(reply.error)
    return embedded(reply.embeddings, ask, body, model=reply.model or "", tokens=reply.prompt_eval_count)


SERVER = EmbedServer(read_ask, write_reply)
PROMPT_SERVER = EmbedServer(read_prompt, write_reply)
CLIENT = EmbedClient(write_ask, read_reply)
