"""The form of a question, and the request that an API caller would send for the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from msgspec import json

from benchwarmers.ask.question import Question, image_type, read_question
from gateway.canon.ask import Ask, Media, Text
from gateway.canon.fault import BadRequest
from gateway.wire.registry import SERVERS

PNG = b"\x89PNG\r\n\x1a\nrest"
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 "


def read(text: str, *files: tuple[str, bytes]) -> Question:
    uploads: list[UploadedFile[Any]] = [SimpleUploadedFile(name, data) for name, data in files]
    return read_question(QueryDict(text), MultiValueDict({"images": uploads}))


def ask_of(question: Question) -> Ask:
    """As the gateway reads it."""
    return SERVERS["openai_chat"].read_ask(json.encode(question.body()))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0JFIF", "image/jpeg"),
        (b"GIF89a...", "image/gif"),
        (b"GIF87a...", "image/gif"),
        (WEBP, "image/webp"),
        (b"RIFF\x10\x00\x00\x00WAVEfmt ", ""),
        (b"%PDF-1.7", ""),
        (b"<svg xmlns=", ""),
        (b"", ""),
    ],
)
def test_what_an_image_is_shows_in_its_bytes(data: bytes, kind: str) -> None:
    assert image_type(data) == kind


def test_a_filled_form_is_the_ask_of_an_api_caller() -> None:
    question = read(
        "collection=core&mode=merged&prompt=Why%3F%0D%0ANow.&system=+Be+brief.+&with=heron-70b,+wren"
        "&only=osprey&explorers=1&timeout_s=12.5&key=7",
        ("a.png", PNG),
    )
    ask = ask_of(question)
    assert ask.model == "bench/core:merged"
    assert [turn.role for turn in ask.turns] == ["system", "user"]
    assert ask.turns[0].text == "Be brief."
    assert ask.turns[1].parts[0] == Text("Why?\nNow.")
    assert isinstance(ask.turns[1].parts[1], Media)
    assert ask.turns[1].parts[1].mime == "image/png"
    assert ask.nominated == ("heron-70b", "wren")
    assert (ask.bench.only, ask.bench.explorers, ask.bench.timeout_s) == (("osprey",), 1, 12.5)
    assert question.problems == ()
    assert question.key == "7"


def test_what_is_left_empty_is_not_sent() -> None:
    question = read("collection=core&prompt=Hello&explorers=&timeout_s=&with=&only=&system=&mode=nonsense")
    assert question.body() == {"model": "bench/core:all", "messages": [{"role": "user", "content": "Hello"}]}


@pytest.mark.parametrize(
    ("text", "files", "told"),
    [
        ("prompt=Hello", [], "Choose a collection"),
        ("collection=core&prompt=+", [], "Write what you want to ask"),
        ("collection=core&prompt=x&key=mine", [], "choose another"),
        ("collection=core&prompt=x", [("a.pdf", b"%PDF-1.7")], "a.pdf is no PNG"),
    ],
)
def test_what_a_form_lacks_is_told(text: str, files: list[Any], told: str) -> None:
    (problem,) = read(text, *files).problems
    assert told in problem


def test_a_picture_alone_is_a_question() -> None:
    question = read("collection=core&prompt=", ("a.webp", WEBP))
    assert question.problems == ()
    (part,) = ask_of(question).turns[0].parts
    assert isinstance(part, Media)
    assert part.mime == "image/webp"


@pytest.mark.parametrize("field", ["explorers=many", "timeout_s=soon", "explorers=11", "timeout_s=-1", "explorers=1.5"])
def test_numbers_that_are_none_are_named_by_the_gateway_itself(field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        ask_of(read(f"collection=core&prompt=x&{field}"))
    assert field.split("=")[0] in refused.value.message
