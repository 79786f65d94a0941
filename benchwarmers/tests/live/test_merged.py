"""Merged replies and choices as the official SDKs see them: word by word, with what is missing told everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import pytest

from benchwarmers.tests.live.members import TOGETHER, Members, running_members, set_up
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import claude, gpt, llama
from benchwarmers.tests.live.test_formats import EVERY_FORMAT, PIECE_OF, TEXT_OF, USAGE_OF, documents, send
from gateway.tests.api.asking import WAYS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
TURNS = [{"role": "user", "content": "What is it?"}]
TWO, SHORT, BROKEN, ODD = "bench/two", "bench/short", "bench/broken", "bench/odd"
COLLECTIONS = {
    "two": ("holds-blue", "says-green"),
    "short": ("401", "says-blue", "empty", "says-green", "inside"),
    "broken": ("breaks-blue", "says-green"),
    "odd": ("waits-long", "401", "empty", "says-green"),
}
WORDS = "".join(TOGETHER)


@pytest.fixture(scope="module", autouse=True)
def members(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    with running_members() as provider:
        file = tmp_path_factory.mktemp("merged") / "merged.toml"
        file.write_text(set_up(provider, COLLECTIONS, reply="merged"))
        product.manage("apply", str(file))
        yield provider


def by_openai(product: Product, model: str) -> Iterator[str]:
    with gpt(product) as client:
        for chunk in client.chat.completions.create(model=model, messages=TURNS, stream=True):
            yield chunk.choices[0].delta.content or ""


def by_anthropic(product: Product, model: str) -> Iterator[str]:
    with claude(product) as client, client.messages.stream(model=model, max_tokens=99, messages=TURNS) as stream:
        yield from stream.text_stream


def by_ollama(product: Product, model: str) -> Iterator[str]:
    with llama(product) as client:
        for line in client.chat(model=model, messages=TURNS, stream=True):
            yield line.message.content or ""


@pytest.mark.parametrize("streaming", [by_openai, by_anthropic, by_ollama])
def test_a_merged_reply_streams_word_by_word(
    product: Product, members: Members, streaming: Callable[[Product, str], Iterator[str]]
) -> None:
    members.go.clear()  # the merger says its third word only once the caller has its first
    told: list[str] = []
    for piece in filter(None, streaming(product, TWO)):
        members.go.set()
        told.append(piece)
    assert told[:4] == TOGETHER
    closing = "".join(told[4:])
    assert closing.startswith("\n\n---\nMerged by holds-blue (`p")
    assert ".merger`) from holds-blue ok, says-green ok." in closing


def test_the_bench_object_of_a_merged_reply_names_the_merger(product: Product) -> None:
    with gpt(product) as client:
        reply = client.chat.completions.create(model=TWO, messages=TURNS)
        *_, last = client.chat.completions.create(model=TWO, messages=TURNS, stream=True)
    for bench in (reply.bench, last.bench):
        assert bench["reply"] == "merged"
        assert bench["merger"]["call"] == f"{bench['panel']}.merger"
        assert (bench["merger"]["alias"], bench["merger"]["answer"]) == ("holds-blue", WORDS)
        assert [seat["answer"] for seat in bench["seats"]] == ["blue it is.", "green it is."]
    assert reply.choices[0].message.content.startswith(f"{WORDS}\n\n---\n")
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (21, 9)  # two seats and the merger


def test_a_verdict_is_taken_of_the_merger(product: Product) -> None:
    bench = product.ask("two")["bench"]
    status, told = product.post("/bench/verdict", {"call": bench["merger"]["call"], "useful": True})
    assert (status, told["recorded"]["call"]) == (200, bench["merger"]["call"])


@EVERY_FORMAT
def test_two_of_five_is_said_in_text_data_and_status(product: Product, name: str) -> None:
    status, headers, data = send(product, WAYS[name], False, SHORT)
    reply = json.loads(data)
    assert (status, headers["x-bench-answered"]) == (200, "2/5")
    assert TEXT_OF[name](reply).startswith(f"{WORDS}\n\n---\nMerged by says-blue (")
    assert "2 of 5 answered" in TEXT_OF[name](reply)
    assert USAGE_OF[name](reply) == (28, 12)  # two seats that answered, one that was empty, the merger
    if name.startswith("gemini"):
        assert json.loads(headers["x-bench-seats"])[-1]["seat"] == "merger"
    else:
        assert reply["bench"]["answered"] == {"ok": 2, "of": 5}


@EVERY_FORMAT
def test_two_of_five_is_said_in_a_stream(product: Product, name: str) -> None:
    _, headers, data = send(product, WAYS[name], True, SHORT)
    found = documents(name, data)
    pieces = [piece for document in found if (piece := PIECE_OF[name](document))]
    assert pieces[:4] == TOGETHER
    assert "2 of 5 answered" in "".join(pieces)
    assert headers["x-bench-panel"] in "".join(pieces)
    if not name.startswith("gemini"):
        assert '"answered": {"ok": 2, "of": 5}' in json.dumps(found)


def test_a_merger_that_breaks_off_is_told_of_and_every_answer_follows(product: Product) -> None:
    with gpt(product) as client:
        chunks = list(client.chat.completions.create(model=BROKEN, messages=TURNS, stream=True))
        whole = client.chat.completions.create(model=BROKEN, messages=TURNS)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text.startswith("Together they \n\n*The merged reply broke off here: breaks-blue failed: ")
    assert "## member — breaks-blue" in text
    assert "green it is." in text
    assert whole.choices[0].message.content.startswith("*Merged reply unavailable: breaks-blue failed: ")
    for bench in (chunks[-1].bench, whole.bench):
        assert (bench["reply"], bench["merger"]["status"]) == ("all", "error")
        assert bench["note"].startswith("breaks-blue failed: ")


# --- choices ----------------------------------------------------------------------------------------------------------


def assert_choices(reply: Any) -> None:
    """Four seats: one that met its limit, one refused, one without a word, one that answered."""
    texts = [choice.message.content for choice in reply.choices]
    assert [choice.index for choice in reply.choices] == [0, 1, 2, 3]
    assert (texts[0], texts[3]) == ("long it is.", "green it is.")
    assert texts[1] == "*error: 401: no such key*"
    assert texts[2].startswith("*empty: ")
    assert [choice.finish_reason for choice in reply.choices] == ["length", "stop", "stop", "stop"]


def test_choices_are_one_a_seat(product: Product) -> None:
    with gpt(product) as client:
        reply = client.chat.completions.create(model=f"{ODD}:choices", messages=TURNS)
    assert_choices(reply)
    assert [seat["alias"] for seat in reply.bench["seats"]] == ["waits-long", "401", "empty", "says-green"]
    assert reply.bench["reply"] == "choices"
    assert reply.usage.total_tokens == 30


def test_choices_stream_side_by_side(product: Product, members: Members) -> None:
    members.go.clear()  # the first seat goes on only once the caller has words of it and of the fourth
    chunks: list[Any] = []
    pieces: list[Any] = []
    with gpt(product) as client:
        for chunk in client.chat.completions.create(
            model=f"{ODD}:choices", messages=TURNS, stream=True, stream_options={"include_usage": True}
        ):
            chunks.append(chunk)
            pieces += chunk.choices
            if {0, 3} <= {piece.index for piece in pieces if piece.delta.content}:
                members.go.set()
    texts = ["".join(one.delta.content or "" for one in pieces if one.index == place) for place in range(4)]
    assert (texts[0], texts[1], texts[3]) == ("long it is.", "*error: 401: no such key*", "green it is.")
    ends = {piece.index: piece.finish_reason for piece in pieces if piece.finish_reason}
    assert ends == {0: "length", 1: "stop", 2: "stop", 3: "stop"}
    assert chunks[-1].usage.total_tokens == 30
    assert chunks[-1].bench["reply"] == "choices"


def test_the_sdk_puts_streamed_choices_together_again(product: Product) -> None:
    with gpt(product) as client, client.chat.completions.stream(model=f"{TWO}:choices", messages=TURNS) as stream:
        reply = stream.get_final_completion()
    assert [choice.message.content for choice in reply.choices] == ["blue it is.", "green it is."]
    assert [choice.finish_reason for choice in reply.choices] == ["stop", "stop"]


def test_choices_are_refused_where_the_format_has_room_for_one_answer(product: Product) -> None:
    with claude(product) as client, pytest.raises(anthropic.BadRequestError, match="bench/two:all or bench/two:merged"):
        client.messages.create(model=f"{TWO}:choices", max_tokens=9, messages=TURNS)


def test_the_ways_to_answer_are_listed(product: Product) -> None:
    with gpt(product) as client:
        listed = {model.id: model.reply for model in client.models.list()}
    assert (listed[TWO], listed[f"{TWO}:all"], listed["bench/core:merged"]) == ("merged", "all", "merged")
