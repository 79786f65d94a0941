"""The official SDKs' own helpers for structured output, against a panel of five seats behind five APIs."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import ollama
import openai
import pytest
from google.genai import errors, types

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import FIVE, FOUND, SUM, Person, claude, gemini, gpt, llama

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
TURNS = [{"role": "user", "content": SUM}]
PROSE = "bench/fast"
"""Whose one member never writes JSON."""


def assert_agreed(bench: Any) -> None:
    assert bench["structured"] == {"call": f"{bench['panel']}.member1", "agree": 5, "of": 5}
    assert [Person.model_validate_json(seat["answer"]) for seat in bench["seats"]] == [FOUND] * 5


def test_openai_parses_a_chat(product: Product) -> None:
    with gpt(product) as client:
        reply = client.chat.completions.parse(model=FIVE, messages=TURNS, response_format=Person)
    assert reply.choices[0].message.parsed == FOUND
    assert reply.choices[0].finish_reason == "stop"
    assert_agreed(reply.bench)


def test_openai_parses_a_streamed_chat(product: Product) -> None:
    with (
        gpt(product) as client,
        client.chat.completions.stream(
            model=FIVE, messages=TURNS, response_format=Person, stream_options={"include_usage": True}
        ) as stream,
    ):
        pieces = [event.delta for event in stream if event.type == "content.delta"]
        reply = stream.get_final_completion()
    assert reply.choices[0].message.parsed == FOUND
    assert [piece for piece in pieces if piece] == [reply.choices[0].message.content]
    assert reply.usage.completion_tokens == 5


def test_openai_gets_an_object_where_any_will_do(product: Product) -> None:
    with gpt(product) as client:
        reply = client.chat.completions.create(model=FIVE, messages=TURNS, response_format={"type": "json_object"})
    assert json.loads(reply.choices[0].message.content) == {"answer": "42"}
    assert reply.bench["structured"]["agree"] == 5


def test_openai_parses_a_response(product: Product) -> None:
    with gpt(product) as client:
        reply = client.responses.parse(model=FIVE, input=SUM, text_format=Person)
    assert reply.output_parsed == FOUND
    assert_agreed(reply.bench)


def test_openai_parses_a_streamed_response(product: Product) -> None:
    with gpt(product) as client, client.responses.stream(model=FIVE, input=SUM, text_format=Person) as stream:
        reply = stream.get_final_response()
    assert reply.output_parsed == FOUND
    assert_agreed(reply.bench)


def test_anthropic_parses_a_message(product: Product) -> None:
    with claude(product) as client:
        reply = client.messages.parse(model=FIVE, max_tokens=99, messages=TURNS, output_format=Person)
    assert reply.parsed_output == FOUND
    assert_agreed(reply.bench)


def test_anthropic_parses_a_streamed_message(product: Product) -> None:
    with (
        claude(product) as client,
        client.messages.stream(model=FIVE, max_tokens=99, messages=TURNS, output_format=Person) as stream,
    ):
        reply = stream.get_final_message()
    assert reply.parsed_output == FOUND
    assert reply.usage.output_tokens == 5


FORMATS = [{"response_schema": Person}, {"response_json_schema": Person.model_json_schema()}]


@pytest.mark.parametrize("schema", FORMATS, ids=["schema", "json-schema"])
def test_genai_parses_content_whole_and_streamed(product: Product, schema: dict[str, Any]) -> None:
    asked = {
        "model": FIVE,
        "contents": SUM,
        "config": types.GenerateContentConfig(response_mime_type="application/json", **schema),
    }
    with gemini(product) as client:
        reply = client.models.generate_content(**asked)
        streamed = "".join(chunk.text or "" for chunk in client.models.generate_content_stream(**asked))
    assert Person.model_validate(reply.parsed) == FOUND
    assert Person.model_validate_json(streamed) == FOUND


@pytest.mark.parametrize("stream", [False, True])
def test_ollama_gets_the_format_it_asks_for(product: Product, stream: bool) -> None:
    def said(**asked: Any) -> str:
        with llama(product) as client:
            reply = client.chat(model=FIVE, messages=TURNS, stream=stream, **asked)
            return "".join(line.message.content for line in reply) if stream else str(reply.message.content)

    assert Person.model_validate_json(said(format=Person.model_json_schema())) == FOUND
    assert json.loads(said(format="json")) == {"answer": "42"}


def test_a_panel_in_prose_is_an_error_that_each_sdk_knows(product: Product) -> None:
    with gpt(product) as client:
        with pytest.raises(openai.InternalServerError, match=r"no seat of panel p\d{8}.*not JSON") as raised:
            client.chat.completions.parse(model=PROSE, messages=TURNS, response_format=Person)
        assert raised.value.status_code == 502
        stream = client.chat.completions.create(
            model=PROSE, messages=TURNS, response_format={"type": "json_object"}, stream=True
        )
        with pytest.raises(openai.APIError, match="no seat of panel"):
            list(stream)
        with pytest.raises(openai.InternalServerError, match="no seat of panel"):
            client.responses.parse(model=PROSE, input=SUM, text_format=Person)
    with claude(product) as client, pytest.raises(anthropic.InternalServerError, match="no seat of panel"):
        client.messages.parse(model=PROSE, max_tokens=99, messages=TURNS, output_format=Person)
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=Person)
    with gemini(product) as client, pytest.raises(errors.ServerError, match="no seat of panel"):
        client.models.generate_content(model=PROSE, contents=SUM, config=config)
    with llama(product) as client, pytest.raises(ollama.ResponseError, match="no seat of panel"):
        client.chat(model=PROSE, messages=TURNS, format="json")
