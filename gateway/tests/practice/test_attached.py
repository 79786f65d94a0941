"""What a script can tell of images and documents, and what each character says of them."""

from __future__ import annotations

import base64
from random import Random
from typing import Any

import msgspec
import pytest

from gateway.canon.fault import BadRequest
from gateway.canon.tokens import TOKENS_PER_IMAGE
from gateway.practice.attached import Attached, read_part
from gateway.practice.request import ChatRequest, read_request
from gateway.practice.squad import CHARACTERS, play

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 60).decode()
SKY = base64.b64encode(b"The sky is blue.").decode()
PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
PAPER = {"type": "file", "file": {"file_data": f"data:text/plain;base64,{SKY}", "filename": "sky.txt"}}


def image(url: Any) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def file(**fields: Any) -> dict[str, Any]:
    return {"type": "file", "file": fields}


@pytest.mark.parametrize(
    ("part", "about"),
    [
        (PICTURE, "image/png, 68 bytes"),
        (image("https://example.com/pics/a.png?key=secret"), "at example.com/pics/a.png"),
        (image("http://[broken"), "at an address"),
        ({"type": "image_url", "image_url": PNG}, "image data, 68 bytes"),
        (PAPER, "“sky.txt”, 4 words of text/plain"),
        (file(file_data="data:application/pdf;base64,JVBERi0xLjc="), "application/pdf, 8 bytes"),
        (file(file_data="data:text/plain;base64,////"), "text/plain, 3 bytes"),
        (file(file_data="https://example.com/a.pdf"), "at example.com/a.pdf"),
        (file(file_id="file_12", filename="a.pdf"), "“a.pdf”, stored as file_12"),
    ],
)
def test_a_part_is_described_by_what_can_be_known_of_it(part: dict[str, Any], about: str) -> None:
    found = read_part(part)
    assert isinstance(found, Attached)
    assert (found.kind, found.about) == ("document" if part["type"] == "file" else "image", about)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url"},
        image(""),
        image(5),
        file(),
        file(file_data="", file_id=""),
        {"type": "file", "file": "a"},
        {"type": "text"},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {},
    ],
)
def test_a_part_without_content_is_refused_with_what_is_taken(part: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="takes text, image_url and file"):
        read_part(part)


def request(*parts: dict[str, Any], **fields: Any) -> ChatRequest:
    body = {"model": "slow", "messages": [{"role": "user", "content": list(parts)}], **fields}
    return read_request(msgspec.json.encode(body))


def said(served: str, *parts: dict[str, Any]) -> str:
    return play(served, request(*parts), Random(1)).text("text")


@pytest.mark.parametrize("served", [name for name in CHARACTERS if name != "wrong"])
def test_everybody_but_one_counts_right_and_still_answers(served: str) -> None:
    text = said(served, PICTURE, PICTURE, PAPER, {"type": "text", "text": "What is 17 + 25?"})
    assert "2 images and 1 document" in text
    assert "42" in text
    assert "1 image" in said(served, PICTURE)


@pytest.mark.parametrize("seed", range(10))
def test_wrong_never_counts_right(seed: int) -> None:
    text = play("wrong", request(PICTURE, PICTURE), Random(seed)).text("text")
    assert text.startswith("All ")
    assert int(text.split()[1]) > 2


def test_what_was_given_is_named_where_there_is_room_for_it() -> None:
    assert "image 1: image/png, 68 bytes; document 2: “sky.txt”, 4 words" in said("slow", PICTURE, PAPER)
    assert said("slow", *[PICTURE] * 9).count("image/png") == 5


def test_without_words_only_the_images_are_spoken_of() -> None:
    assert said("terse", PICTURE) == "Got 1 image."


def test_images_of_earlier_turns_are_not_counted_again_but_paid_for() -> None:
    messages = [
        {"role": "user", "content": [PICTURE, PICTURE]},
        {"role": "assistant", "content": "Two."},
        {"role": "user", "content": "And 1 + 1?"},
    ]
    asked = request(messages=messages)
    assert play("terse", asked, Random(1)).text("text") == "2"
    assert asked.prompt_tokens > 2 * TOKENS_PER_IMAGE


def test_an_image_that_a_tool_brought_counts_as_its_answer() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "look at it"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "See the next message."},
        {"role": "user", "content": [PICTURE]},
    ]
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
    script = play("terse", request(messages=messages, tools=tools), Random(1))
    assert script.calls == ()
    assert script.text("text") == "Got 1 image. look gave: See the next message."
