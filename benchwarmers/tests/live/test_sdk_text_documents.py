"""Text documents go to members of which nobody has said that they take documents: in words, and told to be."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from google.genai import types

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import SUM, claude, gemini, gpt

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
SKY64 = base64.b64encode(b"The sky is blue.").decode()
DATA_URL = f"data:text/plain;base64,{SKY64}"
MARK = {"type": "ephemeral"}


def text_sent(product: Product) -> list[str]:
    """The texts of the last message that the one member of `bench/fast` got."""
    content = product.provider.asked["says-quick"][-1]["messages"][-1]["content"]
    return [content] if isinstance(content, str) else [part["text"] for part in content]


@pytest.mark.parametrize("model", ["bench/fast", "bench/fast:route"])
@pytest.mark.parametrize(
    "source",
    [
        {"type": "text", "media_type": "text/plain", "data": "The sky is blue."},
        {"type": "base64", "media_type": "text/plain", "data": SKY64},
    ],
    ids=["text", "base64"],
)
def test_anthropic_sends_a_document(product: Product, model: str, source: dict[str, str]) -> None:
    document: dict[str, Any] = {"type": "document", "source": source, "title": "sky", "cache_control": MARK}
    turns = [{"role": "user", "content": [document, {"type": "text", "text": SUM}]}]
    with claude(product) as client:
        message = client.messages.create(model=model, max_tokens=99, messages=turns)
    assert "quick" in message.content[0].text
    assert text_sent(product) == ["sky\nThe sky is blue.", SUM]
    notes = {note for told in message.bench["translation"].values() for note in told}
    assert "The document sky was sent as text: this model is not known to take documents." in notes


def test_openai_sends_a_file(product: Product) -> None:
    with gpt(product) as client:
        file = {"type": "file", "file": {"file_data": DATA_URL, "filename": "sky.txt"}}
        turns = [{"role": "user", "content": [file, {"type": "text", "text": SUM}]}]
        client.chat.completions.create(model="bench/fast", messages=turns)
        assert text_sent(product) == ["sky.txt\nThe sky is blue.", SUM]
        file = {"type": "input_file", "file_data": DATA_URL, "filename": "sky.md"}
        items = [{"role": "user", "content": [file, {"type": "input_text", "text": SUM}]}]
        client.responses.create(model="bench/fast:route", input=items)
        assert text_sent(product) == ["sky.md\nThe sky is blue.", SUM]


def test_genai_sends_a_part(product: Product) -> None:
    contents = [types.Part.from_bytes(data=b"The sky is blue.", mime_type="text/csv"), SUM]
    with gemini(product) as client:
        assert "quick" in client.models.generate_content(model="bench/fast", contents=contents).text
    assert text_sent(product) == ["The sky is blue.", SUM]
