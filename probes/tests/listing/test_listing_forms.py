"""Listings of every kind of server, read without being believed."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.fault import Broken
from gateway.canon.kinds import Api
from gateway.tests.recordings.loading import find, name_of, require, response_of
from gateway.wire.loose import read_loosely
from probes.listing_forms import LONGEST_NAME, Listed, models_in, next_page, with_unlisted

RECORDED = find("no-listings-of-our-own", "*/models-list__*.json")


def one(api: str = Api.CHAT, **entry: Any) -> Listed:
    (model,) = models_in({"data": [{"id": "m", **entry}]}, api)
    return model


@pytest.mark.parametrize(
    "document",
    [
        {"data": [{"id": "a"}, {"id": "b"}]},
        {"object": "list", "data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]},
        {"models": [{"model": "a", "name": "a"}, {"name": "b"}]},
        {"models": [{"slug": "a", "visibility": "list"}, {"slug": "b"}, {"slug": "hidden", "visibility": "hide"}]},
        [{"id": "a"}, {"id": "b"}],
        ["a", "b"],
        {"data": [{"id": "a"}, {"object": "model"}, {"id": 7}, None, {"id": ""}, {"id": "b"}]},
        {"data": [{"id": "a"}, {"id": "line\nbreak"}, {"id": " padded "}, {"id": "x" * (LONGEST_NAME + 1)}, "b"]},
    ],
)
def test_every_form_of_a_listing_gives_its_callable_models_once(document: Any) -> None:
    assert [model.served for model in models_in(document)] == ["a", "b"]


@pytest.mark.parametrize("document", [None, "models", 3, {}, {"error": "no"}, {"data": {"id": "a"}}])
def test_what_holds_no_list_is_no_listing(document: Any) -> None:
    with pytest.raises(Broken, match="no list of models"):
        models_in(document)


def test_gemini_lists_under_models_and_only_what_generates_content_counts() -> None:
    document = {
        "models": [
            {"name": "models/gem", "supportedGenerationMethods": ["generateContent"], "inputTokenLimit": 1048576},
            {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
            {"name": "models/silent"},
        ]
    }
    (gem,) = models_in(document, Api.GEMINI)
    assert (gem.served, gem.context_window) == ("gem", 1_048_576)


@pytest.mark.parametrize(
    ("document", "api", "query"),
    [
        ({"nextPageToken": "t"}, Api.GEMINI, {"pageToken": "t"}),
        ({"nextPageToken": ""}, Api.GEMINI, {}),
        ({"has_more": True, "last_id": "m9"}, Api.ANTHROPIC, {"after_id": "m9"}),
        ({"has_more": False, "last_id": "m9"}, Api.ANTHROPIC, {}),
        ({"has_more": True, "last_id": None}, Api.ANTHROPIC, {}),
        ({"has_more": True, "last_id": "m9"}, Api.CHAT, {}),
        ([{"id": "m"}], Api.GEMINI, {}),
    ],
)
def test_the_next_page_is_asked_for_as_the_api_has_it(document: Any, api: str, query: dict[str, str]) -> None:
    assert next_page(document, api) == query


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"context_length": 131072}, {"context_window": 131072}),
        ({"max_model_len": 32768}, {"context_window": 32768}),
        ({"context_window": "8k"}, {"context_window": None}),
        ({"context_window": True}, {"context_window": None}),
        ({"context_window": -1}, {"context_window": None}),
        ({"meta": {"n_ctx_train": 4096}}, {"context_window": 4096}),
        ({"limits": {"max_input_tokens": 9, "max_output_tokens": 8}}, {"context_window": 9, "max_output": 8}),
        ({"top_provider": {"max_completion_tokens": 77}}, {"max_output": 77}),
        ({"pricing": {"prompt": "0.0000025", "completion": "0.00001"}}, {"price_in": 2.5, "price_out": 10.0}),
        ({"pricing": {"prompt": "-1", "completion": "-1"}}, {"price_in": None, "price_out": None}),
        ({"pricing": {"prompt": "0", "completion": "0"}}, {"price_in": 0.0, "price_out": 0.0}),
        ({"pricing": {"input": 2, "output": 6, "unit": "usd_per_1m_tokens"}}, {"price_in": 2.0, "price_out": 6.0}),
        ({"pricing": {"prompt": 2, "unit": "per_million_tokens"}}, {"price_in": 2.0}),
        ({"pricing": {"input": 1e-06, "unit": "usd_per_token"}}, {"price_in": 1.0}),
        ({"pricing": {"prompt": "nan", "completion": "free"}}, {"price_in": None, "price_out": None}),
        ({"pricing": "free"}, {"price_in": None}),
        ({"supported_parameters": ["tools", "temperature"]}, {"tools": True, "structured_output": False}),
        ({"capabilities": ["completion", "tools", "vision", "thinking"]}, {"tools": True, "reasoning": True}),
        ({"capabilities": ["completion"]}, {"tools": None, "inputs": ()}),
        ({"capabilities": ["streaming", "tool-calling"]}, {"tools": True}),
        ({"capabilities": {"function_calling": False, "vision": True}}, {"tools": False, "inputs": ("text", "image")}),
        ({"capabilities": {"image_input": {"supported": False}}}, {"inputs": ("text",)}),
        ({"capabilities": {"supports": {"tool_calls": True, "structured_outputs": True}}}, {"structured_output": True}),
        ({"thinking": True}, {"reasoning": True}),
        ({"architecture": {"input_modalities": ["text", "image"]}}, {"inputs": ("text", "image"), "outputs": ()}),
        ({"architecture": {"modality": "text+image->text"}}, {"inputs": ("text", "image"), "outputs": ("text",)}),
        ({"architecture": {"input_modalities": ["<b>", 4]}}, {"inputs": ()}),
        ({"type": "vlm"}, {"inputs": ("text", "image")}),
        ({"owned_by": "maker"}, {"owner": "maker"}),
        ({"owned_by": ["maker"]}, {"owner": ""}),
        ({"supported_endpoints": ["/v1/decisions"]}, {"decisions": True}),
        ({"supported_endpoints": ["/v1/decisions", "/v1/chat/completions"]}, {"decisions": False}),
        ({"supported_endpoints": ["/v1/embeddings"]}, {"decisions": False}),
        ({}, {"decisions": None, "tools": None, "reasoning": None, "context_window": None, "inputs": ()}),
    ],
)
def test_what_an_entry_tells_is_read_under_the_names_servers_use(entry: dict[str, Any], told: dict[str, Any]) -> None:
    model = one(**entry)
    assert {field: getattr(model, field) for field in told} == told


def test_the_entry_itself_is_kept_for_who_knows_the_hub() -> None:
    assert one(urlIdx=2, tags=[{"name": "groq"}]).raw == {"id": "m", "urlIdx": 2, "tags": [{"name": "groq"}]}


def test_what_is_served_unlisted_comes_after_what_is_listed() -> None:
    models = with_unlisted([Listed("a", tools=True)], ("b", "a", "b"))
    assert [(model.served, model.tools) for model in models] == [("a", True), ("b", None)]


@pytest.mark.parametrize("file", RECORDED, ids=name_of)
def test_recorded_listings_are_read_whole(file: Any) -> None:
    _, body, _ = response_of(file)
    document = read_loosely(body)
    api = {"gemini": Api.GEMINI, "anthropic": Api.ANTHROPIC}.get(file.parent.name, Api.CHAT)
    assert isinstance(document, dict)
    entries = document.get("data") or document.get("models")
    models = models_in(document, api)
    assert isinstance(entries, list)
    passed_over = [entry for entry in entries if api == Api.GEMINI and "generateContent" not in str(entry)]
    assert len(models) == len(entries) - len(passed_over)
    if api != Api.CHAT:
        assert all(model.context_window and model.max_output for model in models)
    if file.parent.name == "perplexity":
        assert all(model.price_in and model.price_out for model in models if "pricing" in model.raw)


def test_the_recorded_listings_are_there() -> None:
    require(RECORDED, 5)
