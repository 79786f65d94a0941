"""Structured output, images and refusals of one turn in route mode, by every SDK through a member of every API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anthropic
import pytest
from google.genai import types

from benchwarmers.tests.live.product import SQUAD, Product
from benchwarmers.tests.live.sdks import FOUND, PNG, PNG64, SUM, Person
from benchwarmers.tests.live.tool_sdks import Ear, Loop

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
TURNS = [{"role": "user", "content": SUM}]
DATA = f"data:image/png;base64,{PNG64}"
SEEN = "Before me: 1 image."
KEPT = "17 + 25 = 42, checked twice."
"""What `keeper` says of the sum."""
LIMITS = {"max_tokens": 999}
Asking = Callable[[Loop], Any]


# --- structured output: what `keeper` makes of the sum for a person ---------------------------------------------------


def chat_parsed(loop: Loop) -> Any:
    with loop.gpt() as client:
        reply = client.chat.completions.parse(model=loop.model, messages=TURNS, response_format=Person)
    assert reply.bench["reply"] == "route"
    return reply.choices[0].message.parsed


def chat_stream_parsed(loop: Loop) -> Any:
    with (
        loop.gpt() as client,
        client.chat.completions.stream(model=loop.model, messages=TURNS, response_format=Person) as stream,
    ):
        return stream.get_final_completion().choices[0].message.parsed


def response_parsed(loop: Loop) -> Any:
    with loop.gpt() as client:
        reply = client.responses.parse(model=loop.model, input=SUM, text_format=Person)
    assert reply.bench["reply"] == "route"
    return reply.output_parsed


def response_stream_parsed(loop: Loop) -> Any:
    with loop.gpt() as client, client.responses.stream(model=loop.model, input=SUM, text_format=Person) as stream:
        return stream.get_final_response().output_parsed


def message_parsed(loop: Loop) -> Any:
    with loop.claude() as client:
        return client.messages.parse(model=loop.model, messages=TURNS, output_format=Person, **LIMITS).parsed_output


def message_stream_parsed(loop: Loop) -> Any:
    with (
        loop.claude() as client,
        client.messages.stream(model=loop.model, messages=TURNS, output_format=Person, **LIMITS) as stream,
    ):
        return stream.get_final_message().parsed_output


def content_parsed(loop: Loop) -> Any:
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=Person)
    with loop.gemini() as client:
        return client.models.generate_content(model=loop.model, contents=SUM, config=config).parsed


def content_stream_parsed(loop: Loop) -> Any:
    config = types.GenerateContentConfig(
        response_mime_type="application/json", response_json_schema=Person.model_json_schema()
    )
    with loop.gemini() as client:
        chunks = client.models.generate_content_stream(model=loop.model, contents=SUM, config=config)
        return Person.model_validate_json("".join(chunk.text or "" for chunk in chunks))


def llama_parsed(loop: Loop) -> Any:
    with loop.llama() as client:
        reply = client.chat(model=loop.model, messages=TURNS, format=Person.model_json_schema())
        assert isinstance(
            json.loads(client.chat(model=loop.model, messages=TURNS, format="json").message.content), dict
        )
    return Person.model_validate_json(reply.message.content)


PARSED: list[Asking] = [
    chat_parsed,
    chat_stream_parsed,
    response_parsed,
    response_stream_parsed,
    message_parsed,
    message_stream_parsed,
    content_parsed,
    content_stream_parsed,
    llama_parsed,
]


@pytest.mark.parametrize("ask", PARSED, ids=[one.__name__ for one in PARSED])
def test_a_turn_is_structured_as_the_library_asks(product: Product, ask: Asking) -> None:
    for api in SQUAD:
        assert ask(Loop(product, f"bench/keeper-{api}:route", SUM, Ear())) == Person(name=KEPT, age=FOUND.age), api


# --- images -----------------------------------------------------------------------------------------------------------


def chat_shown(loop: Loop) -> Any:
    parts = [{"type": "text", "text": SUM}, {"type": "image_url", "image_url": {"url": DATA}}]
    with loop.gpt() as client:
        reply = client.chat.completions.create(model=loop.model, messages=[{"role": "user", "content": parts}])
    return reply.choices[0].message.content


def response_shown(loop: Loop) -> Any:
    parts = [{"type": "input_text", "text": SUM}, {"type": "input_image", "image_url": DATA}]
    with loop.gpt() as client:
        return client.responses.create(model=loop.model, input=[{"role": "user", "content": parts}]).output_text


def message_shown(loop: Loop) -> Any:
    source = {"type": "base64", "media_type": "image/png", "data": PNG64}
    parts = [{"type": "text", "text": SUM}, {"type": "image", "source": source}]
    with loop.claude() as client:
        message = client.messages.create(model=loop.model, messages=[{"role": "user", "content": parts}], **LIMITS)
    return "".join(block.text for block in message.content if block.type == "text")


def content_shown(loop: Loop) -> Any:
    contents = [SUM, types.Part.from_bytes(data=PNG, mime_type="image/png")]
    with loop.gemini() as client:
        chunks = list(client.models.generate_content_stream(model=loop.model, contents=contents))
    return "".join(chunk.text or "" for chunk in chunks)


def llama_shown(loop: Loop) -> Any:
    with loop.llama() as client:
        return client.chat(model=loop.model, messages=[{**TURNS[0], "images": [PNG]}]).message.content


SHOWN: list[Asking] = [chat_shown, response_shown, message_shown, content_shown, llama_shown]


@pytest.mark.parametrize("ask", SHOWN, ids=[one.__name__ for one in SHOWN])
def test_an_image_reaches_the_member_whole(product: Product, ask: Asking) -> None:
    for api in SQUAD:
        answer = ask(Loop(product, f"bench/keeper-{api}:route", SUM, Ear()))
        assert answer.startswith(SEEN), (api, answer)
        assert f"image/png, {len(PNG)} bytes" in answer, (api, answer)
        assert answer.endswith(KEPT), (api, answer)


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_anthropics_threads_are_refused_with_the_code_that_its_library_knows(product: Product) -> None:
    loop = Loop(product, "bench/handy-chat:route", SUM, Ear())
    with loop.claude() as client, pytest.raises(anthropic.BadRequestError) as raised:
        client.messages.create(model=loop.model, messages=TURNS, extra_body={"thread": {"type": "auto"}}, **LIMITS)
    body: Any = raised.value.body
    assert body["error"]["details"]["error_code"] == "thread_unsupported_request"
