"""The squad's vectors: always the same, near for texts that share words, and asked for as a member is asked."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.canon.embedding import EmbedAsk, Embedded
from gateway.practice.embeddings import DIMENSIONS, vector_of
from gateway.tests.practice.asking import BASES, call
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, EMBEDDERS

SERVED_BY = ("openai_chat", "gemini", "ollama")


def nearness(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(vector_of(one), vector_of(other), strict=True))


@given(st.text(), st.integers(1, DIMENSIONS))
def test_every_text_has_one_unit_vector_of_the_asked_length(text: str, length: int) -> None:
    vector = vector_of(text, length)
    assert vector == vector_of(text, length)
    assert len(vector) == length
    assert math.hypot(*vector) == pytest.approx(1.0)


def test_texts_that_share_words_are_near() -> None:
    sky = "The sky is blue today"
    assert nearness(sky, "THE SKY IS BLUE, TODAY!") == pytest.approx(1.0)
    assert nearness(sky, "The sky is grey today") > 0.6 > 0.5 > nearness(sky, "Compilers translate programs")


def test_a_shorter_vector_is_the_beginning_of_the_longest() -> None:
    long, short = vector_of("blue sky"), vector_of("blue sky", 8)
    size = math.hypot(*long[:8])
    assert short == pytest.approx([number / size for number in long[:8]])


async def ask(
    api: str, *texts: str, dimensions: int | None = None, served: str = "terse"
) -> tuple[int, bytes, EmbedAsk]:
    asked = EmbedAsk(api, "", texts, dimensions=dimensions)
    outgoing = EMBEDDERS[api].write(asked, Facts(served, base=BASES[api]))
    answer = await call("POST", BASES[api] + outgoing.path, outgoing.body)
    return answer.status, answer.body, asked


@pytest.mark.parametrize("api", SERVED_BY)
async def test_three_formats_give_the_same_vectors(api: str) -> None:
    status, body, asked = await ask(api, "blue sky", "grey sky", dimensions=16)
    assert status == 200
    came: Embedded = EMBEDDERS[api].read(body, asked)
    for text, vector in zip(("blue sky", "grey sky"), came.vectors, strict=True):
        assert vector == pytest.approx(vector_of(text, 16))


@pytest.mark.parametrize("api", SERVED_BY)
async def test_what_it_cannot_do_is_refused_in_the_format(api: str) -> None:
    for status, words, asked in (
        (404, "character", ask(api, "a", served="nobody")),
        (400, "at most 64", ask(api, "a", dimensions=65)),
    ):
        found, body, _ = await asked
        assert found == status
        assert words in CLIENTS[api].read_error(found, body)[0]


async def test_responses_and_messages_have_none() -> None:
    assert (await ask("openai_responses", "a"))[0] == 404
    assert (await call("POST", f"{BASES['anthropic']}/embeddings", b"{}")).status == 404
