"""The official SDKs of Anthropic, Google, Ollama and OpenAI ask as their own documentation shows.

The clients are untyped here: `bench` is not in any SDK's own types. Chat completions, structured output, and images and
documents in all their forms have files of their own.
"""

from collections.abc import Iterator
from typing import Any

import anthropic
import ollama
import openai
import pytest
from google import genai
from google.genai import errors, types

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import PNG, PNG64

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
FAST, QUESTION = "bench/fast", "What is 17 + 25?"
TURNS = [{"role": "user", "content": QUESTION}]
DATA = f"data:image/png;base64,{PNG64}"
SEEING = """
[[model]]
alias = "eyes"
served = "says-seen"
endpoint = "provider"
ad_hoc = true
vision = true

[[collection]]
name = "seeing"
members = ["eyes"]
max_explorers = 0
"""


@pytest.fixture(scope="module")
def address(product: Product, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the product listens, with `bench/seeing` of one member that sees."""
    file = tmp_path_factory.mktemp("seeing") / "seeing.toml"
    file.write_text(SEEING)
    product.manage("apply", str(file))
    return f"http://127.0.0.1:{product.port}"


@pytest.fixture
def claude(address: str) -> Iterator[Any]:
    with anthropic.Anthropic(base_url=address, api_key="local", max_retries=0) as client:
        yield client


def test_anthropic_creates_a_message(claude: Any) -> None:
    message = claude.messages.create(model="bench/practice", max_tokens=1024, messages=TURNS, system="Be brief.")
    assert (message.type, message.role, message.stop_reason) == ("message", "assistant", "end_turn")
    assert message.model == "bench/practice"
    assert "42" in message.content[0].text
    assert message.usage.input_tokens > 0 < message.usage.output_tokens
    assert len(message.bench["seats"]) == 5


def test_anthropic_streams_a_message(claude: Any) -> None:
    with claude.messages.stream(model="bench/practice", max_tokens=1024, messages=TURNS) as stream:
        pieces = list(stream.text_stream)
        message = stream.get_final_message()
    assert len(pieces) == 7  # header, five seats, footer
    assert "".join(pieces) == message.content[0].text
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens > 0


def test_anthropic_counts_and_lists(claude: Any) -> None:
    assert claude.messages.count_tokens(model="any", messages=TURNS).input_tokens == 4
    models = list(claude.models.list(limit=2))
    assert {"bench/practice", FAST} <= {model.id for model in models}
    model = claude.models.retrieve(FAST)
    assert (model.id, model.display_name, model.lifecycle) == (FAST, "fast", "active")
    assert model.created_at.year >= 2026


def test_anthropic_raises_its_own_errors(claude: Any) -> None:
    with pytest.raises(anthropic.NotFoundError, match="bench/practice"):
        claude.messages.create(model="bench/nobody", max_tokens=9, messages=TURNS)
    with pytest.raises(anthropic.NotFoundError), claude.messages.stream(model="no", max_tokens=9, messages=TURNS):
        pass
    tool = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
    with pytest.raises(anthropic.BadRequestError, match="route"):
        claude.messages.create(model=FAST, max_tokens=9, messages=TURNS, tools=[tool])
    with pytest.raises(anthropic.NotFoundError):
        claude.models.retrieve("bench/nobody")


def test_anthropic_sends_images_to_members_that_see(claude: Any) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": PNG64}
    turns = [
        {"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": "What is it?"}]}
    ]
    assert "seen" in claude.messages.create(model="bench/seeing", max_tokens=9, messages=turns).content[0].text
    with pytest.raises(anthropic.BadRequestError, match="image"):
        claude.messages.create(model=FAST, max_tokens=9, messages=turns)


@pytest.fixture(params=["v1beta", "v1"])
def gemini(address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    options = types.HttpOptions(base_url=address, api_version=request.param)
    with genai.Client(api_key="local", http_options=options) as client:
        yield client


def test_genai_generates(gemini: Any) -> None:
    config = types.GenerateContentConfig(system_instruction="Be brief.", temperature=0.2)
    reply = gemini.models.generate_content(model=FAST, contents=QUESTION, config=config)
    assert "quick" in reply.text
    assert reply.candidates[0].finish_reason == types.FinishReason.STOP
    assert reply.usage_metadata.total_token_count == 20
    assert reply.model_version == FAST
    headers = {name.lower(): value for name, value in reply.sdk_http_response.headers.items()}
    assert headers["x-bench-panel"] in headers["x-bench-seats"]


def test_genai_streams(gemini: Any) -> None:
    chunks = list(gemini.models.generate_content_stream(model=FAST, contents=QUESTION))
    assert len([chunk for chunk in chunks if chunk.text]) == 4
    assert "quick" in "".join(chunk.text or "" for chunk in chunks)
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP
    assert chunks[-1].usage_metadata.total_token_count == 20


def test_genai_counts_and_lists(gemini: Any) -> None:
    assert gemini.models.count_tokens(model=FAST, contents=QUESTION).total_tokens == 4
    models = {model.name: model for model in gemini.models.list(config={"page_size": 2})}
    assert models["models/bench/fast"].display_name == "fast"
    assert gemini.models.get(model=FAST).name == "models/bench/fast"


def test_genai_raises_its_own_errors(gemini: Any) -> None:
    with pytest.raises(errors.ClientError, match="bench/practice") as raised:
        gemini.models.generate_content(model="bench/nobody", contents=QUESTION)
    assert (raised.value.code, raised.value.status) == (404, "NOT_FOUND")
    with pytest.raises(errors.ClientError) as raised:
        list(gemini.models.generate_content_stream(model="bench/nobody", contents=QUESTION))
    assert raised.value.code == 404
    with pytest.raises(errors.ClientError) as raised:
        gemini.models.get(model="nobody")
    assert raised.value.code == 404
    with pytest.raises(errors.ClientError) as raised:
        gemini.models.embed_content(model=FAST, contents=QUESTION)
    assert raised.value.code == 400


def test_genai_sends_images_to_members_that_see(gemini: Any) -> None:
    contents = [types.Part.from_bytes(data=PNG, mime_type="image/png"), "What is it?"]
    assert "seen" in gemini.models.generate_content(model="bench/seeing", contents=contents).text
    with pytest.raises(errors.ClientError, match="image"):
        gemini.models.generate_content(model=FAST, contents=contents)


@pytest.fixture
def llama(address: str) -> Iterator[Any]:
    with ollama.Client(host=address) as client:
        yield client


def test_ollama_chats(llama: Any) -> None:
    reply = llama.chat(model="bench/fast:latest", messages=TURNS)
    assert "quick" in reply.message.content
    assert (reply.model, reply.done, reply.done_reason, reply.eval_count) == (FAST, True, "stop", 6)
    lines = list(llama.chat(model=FAST, messages=TURNS, stream=True))
    assert "quick" in "".join(line.message.content for line in lines)
    assert (len(lines), lines[-1].done, lines[-1].prompt_eval_count) == (5, True, 14)
    assert lines[-1].total_duration > 0


def test_ollama_generates(llama: Any) -> None:
    assert "quick" in llama.generate(model=FAST, prompt=QUESTION).response
    lines = list(llama.generate(model=FAST, prompt=QUESTION, stream=True))
    assert "quick" in "".join(line.response for line in lines)
    assert lines[-1].done


def test_ollama_lists_and_shows(llama: Any) -> None:
    assert {"bench/practice", FAST} <= {model.model for model in llama.list().models}
    shown = llama.show(FAST)
    assert shown.capabilities == ["completion"]
    assert shown.modelinfo["general.basename"] == "fast"
    assert llama.show("bench/seeing").capabilities == ["completion", "vision"]


def test_ollama_raises_its_own_errors(llama: Any) -> None:
    with pytest.raises(ollama.ResponseError, match="bench/practice") as raised:
        llama.chat(model="bench/nobody", messages=TURNS)
    assert raised.value.status_code == 404
    with pytest.raises(ollama.ResponseError) as raised:
        list(llama.chat(model="bench/nobody", messages=TURNS, stream=True))
    assert raised.value.status_code == 404
    with pytest.raises(ollama.ResponseError) as raised:
        llama.show("nobody")
    assert raised.value.status_code == 404
    with pytest.raises(ollama.ResponseError) as raised:
        llama.embed(model=FAST, input=QUESTION)
    assert raised.value.status_code == 400


def test_ollama_sends_images_to_members_that_see(llama: Any) -> None:
    turns = [{"role": "user", "content": "What is it?", "images": [PNG]}]
    assert "seen" in llama.chat(model="bench/seeing", messages=turns).message.content
    with pytest.raises(ollama.ResponseError, match="image"):
        llama.chat(model=FAST, messages=turns)


@pytest.fixture
def gpt(address: str) -> Iterator[Any]:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="local", max_retries=0) as client:
        yield client


def test_openai_creates_a_response(gpt: Any) -> None:
    response = gpt.responses.create(model="bench/practice", input=QUESTION, instructions="Be brief.")
    assert (response.object, response.status) == ("response", "completed")
    assert "42" in response.output_text
    assert response.usage.total_tokens == response.usage.input_tokens + response.usage.output_tokens > 0
    assert response.bench["collection"] == "bench/practice"


def test_openai_streams_a_response(gpt: Any) -> None:
    events = list(gpt.responses.create(model=FAST, input=QUESTION, stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == events[-1].response.output_text
    assert "quick" in text
    with gpt.responses.stream(model=FAST, input=QUESTION) as stream:
        assert "quick" in stream.get_final_response().output_text


def test_openai_counts_the_tokens_of_a_response(gpt: Any) -> None:
    assert gpt.responses.input_tokens.count(model=FAST, input=QUESTION).input_tokens == 4


def test_openai_completes_a_prompt(gpt: Any) -> None:
    reply = gpt.completions.create(model=FAST, prompt=QUESTION)
    assert "quick" in reply.choices[0].text
    assert reply.choices[0].finish_reason == "stop"
    chunks = list(gpt.completions.create(model=FAST, prompt=QUESTION, stream=True))
    assert "quick" in "".join(chunk.choices[0].text for chunk in chunks)


def test_openai_raises_its_own_errors(gpt: Any) -> None:
    with pytest.raises(openai.NotFoundError, match="bench/practice"):
        gpt.responses.create(model="bench/nobody", input=QUESTION)
    with pytest.raises(openai.BadRequestError, match="previous_response_id"):
        gpt.responses.create(model=FAST, input=QUESTION, previous_response_id="resp_1")
    with pytest.raises(openai.BadRequestError, match="echo"):
        gpt.completions.create(model=FAST, prompt=QUESTION, echo=True)
    with pytest.raises(openai.BadRequestError):
        gpt.embeddings.create(model=FAST, input=QUESTION)


def test_openai_sends_images_to_members_that_see(gpt: Any) -> None:
    parts = [{"type": "input_text", "text": "What is it?"}, {"type": "input_image", "image_url": DATA}]
    turns = [{"role": "user", "content": parts}]
    assert "seen" in gpt.responses.create(model="bench/seeing", input=turns).output_text
    with pytest.raises(openai.BadRequestError, match="image"):
        gpt.responses.create(model=FAST, input=turns)
