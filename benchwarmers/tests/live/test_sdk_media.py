"""The official SDKs send images and documents to a panel whose seats take them, each behind another API."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types

from benchwarmers.tests.live.product import SQUAD, Product
from benchwarmers.tests.live.sdks import FIVE, PAPER, PDF64, PICTURE, PNG, PNG64, SUM, claude, gemini, gpt, llama

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
ONLY_ITS_KIND = {"ollama-terse": "Got 1 image. 42"}
"""The one API that takes nothing but the data of images; the other seats get all that was sent."""


def user(*parts: Any, kind: str = "text") -> list[dict[str, Any]]:
    return [{"role": "user", "content": [*parts, {"type": kind, "text": SUM}]}]


def assert_all_was_seen(answers: dict[str, str]) -> None:
    seen = "Got 2 images and 2 documents. 42"
    assert answers == {f"{api}-terse": ONLY_ITS_KIND.get(f"{api}-terse", seen) for api in SQUAD}


def answers_of(bench: Any) -> dict[str, str]:
    return {seat["alias"]: seat["answer"] for seat in bench["seats"]}


@STREAMED
def test_openai_sends_images_and_documents_with_a_chat(product: Product, stream: bool) -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG64}", "detail": "low"}},
        {"type": "image_url", "image_url": {"url": PICTURE}},
        {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF64}", "filename": "a.pdf"}},
        {"type": "file", "file": {"file_data": PAPER}},
    ]
    with gpt(product) as client:
        reply = client.chat.completions.create(model=FIVE, messages=user(*parts), stream=stream)
        assert_all_was_seen(answers_of((list(reply)[-1] if stream else reply).bench))


@STREAMED
def test_openai_sends_images_and_documents_with_a_response(product: Product, stream: bool) -> None:
    parts = [
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG64}", "detail": "auto"},
        {"type": "input_image", "image_url": PICTURE, "detail": "auto"},
        {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF64}", "filename": "a.pdf"},
        {"type": "input_file", "file_url": PAPER},
    ]
    with gpt(product) as client:
        reply = client.responses.create(model=FIVE, input=user(*parts, kind="input_text"), stream=stream)
        assert_all_was_seen(answers_of((list(reply)[-1].response if stream else reply).bench))


@STREAMED
def test_anthropic_sends_images_and_documents(product: Product, stream: bool) -> None:
    parts = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG64}},
        {"type": "image", "source": {"type": "url", "url": PICTURE}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Blue."}, "title": "sky"},
        {"type": "document", "source": {"type": "url", "url": PAPER}},
    ]
    asked = {"model": FIVE, "max_tokens": 99, "messages": user(*parts)}
    with claude(product) as client:
        if stream:
            with client.messages.stream(**asked) as events:
                assert events.get_final_message().content[0].text.count("Got 2 images and 2 documents. 42") == 4
        else:
            assert_all_was_seen(answers_of(client.messages.create(**asked).bench))


@STREAMED
def test_genai_sends_images_and_documents(product: Product, stream: bool) -> None:
    contents = [
        types.Part.from_bytes(data=PNG, mime_type="image/png"),
        types.Part.from_uri(file_uri=PICTURE, mime_type="image/png"),
        types.Part.from_bytes(data=b"Blue.", mime_type="text/plain"),
        types.Part.from_uri(file_uri=PAPER, mime_type="application/pdf"),
        SUM,
    ]
    with gemini(product) as client:
        if stream:
            chunks = client.models.generate_content_stream(model=FIVE, contents=contents)
            text = "".join(chunk.text or "" for chunk in chunks)
        else:
            text = client.models.generate_content(model=FIVE, contents=contents).text
    assert text.count("Got 2 images and 2 documents. 42") == 4
    assert text.count("Got 1 image. 42") == 1


@STREAMED
def test_ollama_sends_images(product: Product, stream: bool) -> None:
    turns = [{"role": "user", "content": SUM, "images": [PNG, PNG64]}]
    with llama(product) as client:
        reply = client.chat(model=FIVE, messages=turns, stream=stream)
        text = "".join(line.message.content for line in reply) if stream else reply.message.content
    assert text.count("Got 2 images. 42") == 5


def test_what_a_seat_was_not_sent_is_named(product: Product) -> None:
    parts = [{"type": "image_url", "image_url": {"url": PICTURE}}]
    with gpt(product) as client:
        bench = client.chat.completions.create(model=FIVE, messages=user(*parts)).bench
    (told,) = bench["translation"].values()
    (seat,) = [seat for seat in bench["seats"] if seat["call"] in bench["translation"]]
    assert (seat["alias"], seat["answer"]) == ("ollama-terse", "42")
    assert any("image" in note for note in told)


def test_the_squad_that_everybody_starts_with_takes_images(product: Product) -> None:
    parts = [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG64}"}}]
    with gpt(product) as client:
        bench = client.chat.completions.create(model="bench/practice", messages=user(*parts)).bench
    assert len(bench["seats"]) == 5
    assert answers_of(bench)["practice-terse"] == "Got 1 image. 42"
