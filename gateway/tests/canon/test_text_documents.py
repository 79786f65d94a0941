"""Which documents are plain text, and what they weigh."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from gateway.canon.ask import Ask, Media, Text, ToolResult, Turn
from gateway.canon.text_documents import as_words, text_length, text_of
from gateway.canon.tokens import count_ask


def packed(words: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(words.encode(encoding)).decode()


def document(data: str = "", mime: str = "text/plain", **facts: Any) -> Media:
    return Media("document", data=data, mime=mime, **facts)


@pytest.mark.parametrize(
    ("media", "text"),
    [
        (document(packed("Blue.")), "Blue."),
        (document(packed("grün"), "text/markdown"), "grün"),
        (document(packed("a;b"), "TEXT/CSV"), "a;b"),
        (document(packed("Blue."), "text/plain;charset=utf-8"), "Blue."),
        (document(packed("Blue.", "utf-8-sig")), "Blue."),
        (document(packed("Blue. " * 20)[:40] + "\r\n" + packed("Blue. " * 20)[40:]), "Blue. " * 20),
        (document(packed("grün", "latin-1")), None),
        (document("not base64!"), None),
        (document(packed("%PDF-1.7"), "application/pdf"), None),
        (document(packed("Blue."), ""), None),
        (document(url="https://example.com/a.txt"), None),
        (document(file_id="file-1"), None),
        (Media("image", data=packed("<svg/>"), mime="text/xml"), None),
    ],
)
def test_a_document_is_text_by_its_type_and_in_fact(media: Media, text: str | None) -> None:
    assert text_of(media) == text


@pytest.mark.parametrize(("name", "words"), [("", "Blue."), ("sky", "sky\nBlue.")])
def test_the_name_stands_on_a_line_before_the_text(name: str, words: str) -> None:
    assert as_words(document(packed("Blue."), name=name), "Blue.") == words


def test_the_weight_is_about_that_of_the_text() -> None:
    assert text_length(document(packed("x" * 3_000))) == 3_000
    assert text_length(document(packed("x" * 3_000), "application/pdf")) == 0


def test_text_documents_count_wherever_they_stand() -> None:
    def count(*turns: Turn) -> int:
        return count_ask(Ask("openai_chat", "bench/core", turns))

    long = document(packed("x" * 4_000))
    pdf = document(packed("x" * 4_000), "application/pdf")
    assert count(Turn("user", (long,))) - count(Turn("user", (pdf,))) == 1_100
    in_result = Turn("tool", (ToolResult("c", (Text("see"), long)),))
    assert count(in_result) >= 1_100
