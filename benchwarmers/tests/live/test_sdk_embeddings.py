"""The official SDKs ask for embeddings, and get those of the first member that has them, whatever API it speaks."""

from __future__ import annotations

import base64
import json
import math
import struct
from typing import Any

import openai
import pytest
from google.genai import types

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.sdks import gemini, gpt, llama
from gateway.practice.embeddings import DIMENSIONS, vector_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
TEXTS = ["The sky is blue.", "Compilers translate."]
MEMBERS = {
    "over-chat": ("quick", "chat-terse"),
    "over-google": ("anthropic-terse", "responses-terse", "gemini-terse"),
    "over-ollama": ("ollama-terse", "chat-terse"),
}
ANSWERED_BY = {name: members[0 if name == "over-ollama" else -1] for name, members in MEMBERS.items()}
"""The first two begin with members that have no embeddings."""
EVERY = pytest.mark.parametrize("name", MEMBERS)


@pytest.fixture(scope="module")
def served(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Product:
    """The product with a collection for each API that has embeddings."""
    file = tmp_path_factory.mktemp("embedding") / "embedding.toml"
    rows = (f'[[collection]]\nname = "{name}"\nmembers = {json.dumps(members)}\n' for name, members in MEMBERS.items())
    file.write_text("\n".join(rows))
    product.manage("apply", str(file))
    return product


def assert_vectors(found: list[Any], length: int = DIMENSIONS) -> None:
    assert len(found) == len(TEXTS)
    for text, vector in zip(TEXTS, found, strict=True):
        assert vector == pytest.approx(vector_of(text, length), abs=1e-6)


@EVERY
def test_openai_in_numbers_and_packed(served: Product, name: str) -> None:
    with gpt(served) as client:
        for form in ({}, {"encoding_format": "float"}):  # the library itself asks for packed ones
            reply = client.embeddings.create(model=f"bench/{name}", input=TEXTS, **form)
            assert_vectors([one.embedding for one in reply.data])
            assert (reply.model, reply.bench["alias"]) == (f"bench/{name}", ANSWERED_BY[name])
            assert reply.usage.prompt_tokens == reply.usage.total_tokens > 0
        reply = client.embeddings.create(model=f"bench/{name}", input=TEXTS, dimensions=8, encoding_format="base64")
        packed = [struct.unpack("<8f", base64.b64decode(one.embedding)) for one in reply.data]
        assert_vectors(packed, 8)


@EVERY
def test_genai_one_and_several(served: Product, name: str) -> None:
    with gemini(served) as client:
        reply = client.models.embed_content(model=f"bench/{name}", contents=TEXTS)
        assert_vectors([one.values for one in reply.embeddings])
        short = types.EmbedContentConfig(output_dimensionality=8)
        reply = client.models.embed_content(model=name, contents=TEXTS, config=short)
        assert_vectors([one.values for one in reply.embeddings], 8)
    status, told = served.post(
        f"/v1beta/models/bench/{name}:embedContent",
        {"content": {"parts": [{"text": TEXTS[0]}]}, "embed_content_config": {"output_dimensionality": 4}},
    )
    assert (status, list(told)) == (200, ["embedding"])
    assert math.hypot(*told["embedding"]["values"]) == pytest.approx(1.0)
    assert len(told["embedding"]["values"]) == 4


@EVERY
def test_ollama_in_both_forms(served: Product, name: str) -> None:
    with llama(served) as client:
        reply = client.embed(model=f"bench/{name}:latest", input=TEXTS)
        assert_vectors(reply.embeddings)
        assert (reply.model, reply.prompt_eval_count > 0) == (f"bench/{name}", True)
        assert_vectors(client.embed(model=name, input=TEXTS, dimensions=8).embeddings, 8)
        assert client.embeddings(model=name, prompt=TEXTS[0]).embedding == pytest.approx(vector_of(TEXTS[0]))


def test_ollama_sees_its_models_loaded(served: Product) -> None:
    with llama(served) as client:
        assert {model.model for model in client.ps().models} == {model.model for model in client.list().models}
        running = {model.model: model for model in client.ps().models}["bench/over-chat"]
    assert running.size_vram == 0
    assert running.expires_at is not None


def test_what_was_asked_before_is_passed_over_once(served: Product) -> None:
    with gpt(served) as client:
        client.embeddings.create(model="bench/over-google", input="a")
        skipped = client.embeddings.create(model="bench/over-google", input="a").bench.get("skipped", [])
    assert [one["alias"] for one in skipped] == ["anthropic-terse"]


def test_who_has_no_embeddings_is_named(served: Product) -> None:
    with gpt(served) as client:
        with pytest.raises(openai.BadRequestError, match=r"gives embeddings: quick \(404"):
            client.embeddings.create(model="bench/fast", input="a")
        with pytest.raises(openai.BadRequestError, match="list of tokens"):
            client.embeddings.create(model="bench/over-chat", input=[[1, 2, 3]])
        with pytest.raises(openai.BadRequestError, match="at most 64"):
            client.embeddings.create(model="bench/over-chat", input="a", dimensions=65)
