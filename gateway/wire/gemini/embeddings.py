"""Embeddings of Gemini's API, as a server and as a client: one content (`embedContent`), or several requests that each
hold one (`batchEmbedContents`).

The path names the model. What a request wants beside its content stands at its top level or in `embedContentConfig`,
and must be the same in all requests of a batch: they become one request here. Only text has embeddings.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta, Raw, Struct

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.canon.fault import BadRequest
from gateway.wire.base import Facts, Outgoing
from gateway.wire.body import given, read_bench, read_body
from gateway.wire.embedding import EmbedClient, EmbedServer, decode, embedded, losses, refuse_empty
from gateway.wire.errors import error_in_reply
from gateway.wire.gemini.ask import NAME
from gateway.wire.gemini.path import read_path
from gateway.wire.gemini.shape import Fields, read_level, read_list, read_shape
from gateway.wire.loose import Json

_CARRIED = frozenset({"titles", "task", "dimensions"})
_REQUESTS = "requests"
_CONFIG = "embedContentConfig"
_OWN = ("model", "content", "title", _CONFIG, "with", "bench")
_FORM = '{"content": {"parts": [{"text": ...}]}}'


class _Settings(Struct, rename="camel"):
    task_type: str | None = None
    output_dimensionality: Annotated[int, Meta(ge=1)] | None = None


_READ = frozenset(field.encode_name for field in msgspec.structs.fields(_Settings))


class _Read(Struct, frozen=True):
    """One request: its text and title, and what else it wants, as `settings` under their paths."""

    text: str
    title: str
    settings: Fields


class _Values(Struct):
    values: list[float] = []


class _Usage(Struct, rename="camel"):
    prompt_token_count: int | None = None


class _Reply(Struct, rename="camel"):
    embeddings: list[_Values] = []
    usage_metadata: _Usage | None = None
    error: Json = None


def read_ask(body: bytes, path: str = "") -> EmbedAsk:
    """The request in `body`, sent to `path`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_level(body, "")
    found = read_path(path)
    alone = found[1] == "embedContent" if found is not None else _REQUESTS not in fields
    if alone:
        read = [_read_one(fields, "")]
    else:
        sent = read_list(given(fields.get(_REQUESTS)) or Raw(b"[]"), _REQUESTS)
        places = [f"{_REQUESTS}[{at}]" for at in range(len(sent))]
        read = [_read_one(read_level(raw, place), place) for raw, place in zip(sent, places, strict=True)]
    if not read:
        raise BadRequest(f"`{_REQUESTS}` must have at least one request, each {_FORM}.")
    first = read[0].settings
    if any(one.settings != first for one in read):
        raise BadRequest(f"The entries of `{_REQUESTS}` differ in more than content and title. Send them one by one.")
    settings = read_shape({name: raw for name, raw in first.items() if name in _READ}, _Settings, "")
    return EmbedAsk(
        protocol=NAME,
        model=found[0] if found is not None else _model(fields),
        texts=tuple(one.text for one in read),
        titles=tuple(one.title for one in read) if any(one.title for one in read) else (),
        dimensions=settings.output_dimensionality,
        task=settings.task_type or "",
        alone=alone,
        bench=read_bench(fields),
        extras={name: raw for name, raw in first.items() if name not in _READ},
    )


def _read_one(fields: Fields, place: str) -> _Read:
    below = f"{place}." if place else ""
    config = read_level(fields[_CONFIG], below + _CONFIG) if _CONFIG in fields else {}
    settings = {name: raw for name, raw in fields.items() if name not in _OWN}
    for name, raw in config.items():
        if name != "title":
            settings[name if name in _READ else f"{_CONFIG}.{name}"] = raw
    title = config.get("title") or fields.get("title")
    return _Read(
        _read_content(fields.get("content"), f"{below}content"),
        read_body(title, str, f"{below}title") if title is not None else "",
        settings,
    )


def _read_content(raw: Raw | None, place: str) -> str:
    """The words of a content."""
    if raw is None:
        raise BadRequest(f"`{place}` is missing. Send {_FORM}.")
    parts = read_list(given(read_level(raw, place).get("parts")) or Raw(b"[]"), f"{place}.parts")
    words: list[str] = []
    for at, part in enumerate(parts):
        fields = read_level(part, f"{place}.parts[{at}]")
        if "text" not in fields:
            raise BadRequest(f"`{place}.parts[{at}]` is no text, and only text has embeddings here. Send {_FORM}.")
        words.append(read_body(fields["text"], str, f"{place}.parts[{at}].text"))
    text = "\n".join(words)
    refuse_empty(text, place)
    return text


def _model(fields: Fields) -> str:
    return read_body(fields["model"], str, "model") if "model" in fields else ""


def write_reply(ask: EmbedAsk, came: Embedded, model: str, bench: Raw | None) -> bytes:
    """The one vector, or the list. Libraries of this API refuse unknown fields, so `bench` is not told."""
    vectors = [{"values": vector} for vector in came.vectors]
    return msgspec.json.encode({"embedding": vectors[0]} if ask.alone else {"embeddings": vectors})


def write_ask(ask: EmbedAsk, facts: Facts) -> Outgoing:
    """The request that asks the member `facts` speaks of: always a batch, which every model takes."""
    same = ask.protocol == NAME
    served = facts.served.removeprefix("models/")
    settings = _settings(ask, same_protocol=same)
    titles = ask.titles or ("",) * len(ask.texts)
    requests = [
        {
            "model": f"models/{served}",
            "content": {"parts": [{"text": text}]},
            **({"title": title} if title else {}),
            **settings,
        }
        for text, title in zip(ask.texts, titles, strict=True)
    ]
    return Outgoing(
        f"/models/{quote(served, safe='')}:batchEmbedContents",
        msgspec.json.encode({_REQUESTS: requests}),
        {"content-type": "application/json", "accept": "application/json"},
        losses(ask, _CARRIED, same_protocol=same),
    )


def _settings(ask: EmbedAsk, *, same_protocol: bool) -> dict[str, object]:
    settings: dict[str, object] = {}
    if ask.task:
        settings["taskType"] = ask.task
    if ask.dimensions is not None:
        settings["outputDimensionality"] = ask.dimensions
    config: dict[str, Raw] = {}
    for name, raw in ask.extras.items() if same_protocol else ():
        outer, dot, inner = name.partition(".")
        if dot and outer == _CONFIG:
            config[inner] = raw
        else:
            settings[name] = raw
    return {**settings, _CONFIG: config} if config else settings


def read_reply(body: bytes, ask: EmbedAsk) -> Embedded:
    """The vectors, in the order of the texts."""
    reply = decode(body, _Reply)
    if reply.error:
        raise error_in_reply(reply.error)
    usage = reply.usage_metadata
    tokens = usage.prompt_token_count if usage is not None else None
    return embedded([entry.values for entry in reply.embeddings], ask, body, tokens=tokens)


SERVER = EmbedServer(read_ask, write_reply)
CLIENT = EmbedClient(write_ask, read_reply)
