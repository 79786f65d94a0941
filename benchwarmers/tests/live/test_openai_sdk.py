"""The official SDK asks the practice squad, as a newcomer's first script does.

The client is untyped here: `bench` is not in the SDK's own types.
"""

from collections.abc import Iterator
from typing import Any

import openai
import pytest

from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
QUESTION = [{"role": "user", "content": "What is 17 * 23?"}]
SQUAD = ["practice-slow", "practice-wrong", "practice-terse", "practice-flaky", "practice-thinker"]


@pytest.fixture
def client(product: Product) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"http://127.0.0.1:{product.port}/v1", api_key="local", max_retries=0) as client:
        yield client


def test_a_whole_reply_shows_every_seat(client: Any) -> None:
    reply = client.chat.completions.create(model="bench/practice", messages=QUESTION)

    seats = reply.bench["seats"]
    assert sorted(seat["alias"] for seat in seats) == sorted(SQUAD)
    assert [seat["call"] for seat in seats] == [f"{reply.bench['panel']}.member{place}" for place in range(1, 6)]
    answered = [seat for seat in seats if seat["status"] == "ok"]
    assert len(answered) >= 4  # one of the squad fails now and then
    assert all(seat["answer"] in reply.choices[0].message.content for seat in answered)
    assert any("391" in seat["answer"] for seat in answered)
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0
    assert reply.model == "bench/practice"


def test_a_streamed_reply_brings_seats_as_they_finish(client: Any) -> None:
    chunks = list(
        client.chat.completions.create(
            model="bench/practice", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )

    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert all(alias in text for alias in SQUAD)
    assert text.index("practice-terse") < text.index("practice-slow")
    assert chunks[-1].usage.total_tokens > 0
    assert [seat["alias"] for seat in chunks[-1].bench["seats"]] != []
    assert len({chunk.id for chunk in chunks}) == 1


def test_a_stream_without_usage_ends_with_the_bench_object(client: Any) -> None:
    chunks = list(client.chat.completions.create(model="bench/practice", messages=QUESTION, stream=True))

    assert chunks[-1].choices[0].finish_reason == "stop"
    assert chunks[-1].bench["collection"] == "bench/practice"
    assert all(chunk.usage is None for chunk in chunks)


def test_collections_are_listed_and_found_as_models(client: Any) -> None:
    names = [model.id for model in client.models.list()]

    assert {"bench/practice", "bench/core"} <= set(names)
    assert client.models.retrieve("bench/practice").owned_by == "benchwarmers"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("bench/nobody")


def test_mistakes_raise_the_errors_that_the_sdk_knows(client: Any) -> None:
    with pytest.raises(openai.NotFoundError, match="bench/practice"):
        client.chat.completions.create(model="bench/nobody", messages=QUESTION)
    with pytest.raises(openai.BadRequestError, match="prompt"):
        client.chat.completions.create(model="bench/practice", messages=[{"role": "user", "content": " "}])
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    with pytest.raises(openai.BadRequestError, match="tools"):
        client.chat.completions.create(model="bench/practice", messages=QUESTION, tools=[tool])
