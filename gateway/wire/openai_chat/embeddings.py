"""Embeddings in OpenAI's form, which most others have too, as a server and as a client.

Members are asked for plain numbers, which is everybody's default, and a packed reply is read all the same.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import MISSING, given, read_bench, read_body, read_fields
from gateway.wire.embedding import OWN, EmbedClient, EmbedServer, counted, decode, embedded, losses, pack, read_texts
from gateway.wire.errors import error_in_reply
from gateway.wire.loose import Json
from gateway.wire.openai_chat.ask import NAME
from gateway.wire.own_fields import own_fields

_CARRIED = frozenset({"dimensions", "user"})


class _Request(Struct):
    model: str | None = None
    input: Raw = MISSING
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: Annotated[int, Meta(ge=1)] | None = None
    user: str | None = None


_READ = frozenset(_Request.__struct_fields__) | OWN


class _Usage(Struct):
    prompt_tokens: int | None = None
    total_tokens: int | None = None


class _Entry(Struct):
    embedding: list[float] | str
    index: int | None = None


class _Reply(Struct):
    data: list[_Entry] = []
    model: str | None = None
    usage: _Usage | None = None
    error: Json = None


def read_ask(body: bytes, path: str = "") -> EmbedAsk:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, _Request)
    return EmbedAsk(
        protocol=NAME,
        model=request.model or "",
        texts=read_texts(given(request.input), "input"),
        dimensions=request.dimensions,
        user=request.user or "",
        packed=request.encoding_format == "base64",
        bench=read_bench(fields),
        extras=own_fields(fields, _READ),
    )


def write_reply(ask: EmbedAsk, came: Embedded, model: str, bench: Raw | None) -> bytes:
    """The list of vectors, each with its place."""
    tokens = counted(ask, came)
    told = {} if bench is None else {"bench": bench}
    data = [
        {"object": "embedding", "index": at, "embedding": pack(vector) if ask.packed else vector}
        for at, vector in enumerate(came.vectors)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return msgspec.json.encode({"object": "list", "data": data, "model": model, "usage": usage, **told})


def write_ask(ask: EmbedAsk, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of."""
    same = ask.protocol == NAME
    body: dict[str, object] = {**ask.extras} if same else {}
    body |= {"model": facts.served, "input": ask.texts}
    if ask.dimensions is not None:
        body["dimensions"] = ask.dimensions
    if ask.user:
        body["user"] = ask.user
    return Outgoing(
        "/embeddings",
        msgspec.json.encode(body),
        {"content-type": "application/json", "accept": "application/json"},
        losses(ask, _CARRIED, same_protocol=same),
    )


def read_reply(body: bytes, ask: EmbedAsk) -> Embedded:
    """The vectors in the order of the texts: by their places where these make sense, else as they came."""
    reply = decode(body, _Reply)
    if reply.error:
        raise error_in_reply(reply.error)
    places = {entry.index: entry.embedding for entry in reply.data}
    in_order = sorted(place for place in places if place is not None) == list(range(len(reply.data)))
    vectors = [places[at] for at in range(len(places))] if in_order else [entry.embedding for entry in reply.data]
    usage = reply.usage or _Usage()
    tokens = usage.prompt_tokens if usage.prompt_tokens is not None else usage.total_tokens
    return embedded(vectors, ask, body, model=reply.model or "", tokens=tokens)


SERVER = EmbedServer(read_ask, write_reply)
CLIENT = EmbedClient(write_ask, read_reply)
