"""Which path speaks which format, in all the spellings that clients use."""

from __future__ import annotations

import pytest

from gateway.api.errors import error_body
from gateway.api.routing import find_route
from gateway.api.unknown import ASKING, POSTED, READING
from gateway.api.zones import zone_of
from gateway.canon.fault import NotFound

CHAT, COMPLETIONS, RESPONSES = "openai_chat", "openai_completions", "openai_responses"
ASKED = {
    "/v1/chat/completions": CHAT,
    "/chat/completions": CHAT,
    "/v1/chat/completions/": CHAT,
    "//v1//chat//completions//": CHAT,
    "/v1/completions": COMPLETIONS,
    "/completions/": COMPLETIONS,
    "/v1/responses": RESPONSES,
    "/responses": RESPONSES,
    "/v1/messages": "anthropic",
    "/v1/messages/": "anthropic",
    "/messages": "anthropic",
    "/api/chat": "ollama",
    "/api/chat/": "ollama",
    "/api/generate": "ollama_generate",
    "/v1beta/models/core:generateContent": "gemini",
    "/v1beta/models/bench/core:generateContent": "gemini",
    "/v1beta/bench/core:generateContent": "gemini",
    "/v1beta/models/bench/core:merged:streamGenerateContent": "gemini",
    "/v1alpha/models/core:generateContent": "gemini",
    "/v1/models/core:streamGenerateContent": "gemini",
    "/v1/core:generateContent": "gemini",
    "/models/core:generateContent": "gemini",
    "/core:generateContent": "gemini",
    "/bench/core:generateContent/": "gemini",
    "/v1beta//models//core:generateContent": "gemini",
    f"/v1beta/models/{'x' * 200}:generateContent": "gemini",
}
COUNTED = {
    "/v1/messages/count_tokens": "anthropic",
    "/messages/count_tokens/": "anthropic",
    "/v1/responses/input_tokens": RESPONSES,
    "/responses/input_tokens": RESPONSES,
    "/v1beta/models/bench/core:countTokens": "gemini",
    "/v1/models/core:countTokens": "gemini",
    "/models/core:countTokens": "gemini",
}
EMBEDDED = {
    "/v1/embeddings": CHAT,
    "/embeddings": CHAT,
    "//v1/embeddings/": CHAT,
    "/v1beta/models/core:embedContent": "gemini",
    "/v1/models/bench/core:batchEmbedContents": "gemini",
    "/models/core:route:batchEmbedContents": "gemini",
    "/core:embedContent": "gemini",
    "/api/embed": "ollama",
    "/api/embeddings/": "ollama",
}
OTHERS = [
    "/",
    "/v1",
    "/v1/models",
    "/v1/models/bench/core:merged",
    "/v1beta/models",
    "/v1beta/models/core:predict",
    "/embeddings/x",
    "/v1/chat",
    "/v1/moderations",
    "/v1/messages/batches",
    "/v1/responses/resp_1",
    "/api/tags",
    "/api/core:generateContent",
    "/practice/v1/chat/completions",
    "/practice/core:generateContent",
    "/panels/",
    "/chat",
]


@pytest.mark.parametrize(("path", "name"), ASKED.items())
def test_a_path_that_asks_has_the_wire_of_its_format(path: str, name: str) -> None:
    route = find_route(path)
    assert route is not None
    assert (route.wire.name, route.counting, route.embedding) == (name, None, None)
    assert "//" not in route.path


@pytest.mark.parametrize(("path", "name"), COUNTED.items())
def test_a_path_that_counts_has_the_wire_of_its_format(path: str, name: str) -> None:
    route = find_route(path)
    assert route is not None
    assert route.wire.name == name
    assert route.counting is not None


@pytest.mark.parametrize(("path", "name"), EMBEDDED.items())
def test_a_path_that_asks_for_embeddings_has_the_wire_of_its_format(path: str, name: str) -> None:
    route = find_route(path)
    assert route is not None
    assert (route.wire.name, route.counting) == (name, None)
    assert route.embedding is not None


@pytest.mark.parametrize("path", OTHERS)
def test_other_paths_ask_nobody(path: str) -> None:
    assert find_route(path) is None


@pytest.mark.parametrize("path", [*ASKED, *COUNTED, *EMBEDDED])
def test_a_path_that_asks_is_the_gateways_and_its_refusals_speak_its_format(path: str) -> None:
    zone, route, fault = zone_of(path), find_route(path), NotFound("no")
    assert route is not None
    assert zone.gateway
    assert zone.json
    assert error_body(zone.form, fault) == route.wire.error_body(fault)
    assert zone.query_key is (route.wire.name == "gemini")


@pytest.mark.parametrize("route", ASKING)
def test_the_routes_that_a_404_names_are_there(route: str) -> None:
    assert find_route(route.replace("<collection>", "bench/core")) is not None


@pytest.mark.parametrize("route", [*POSTED, *READING])
def test_the_other_routes_that_a_404_names_are_the_gateways(route: str) -> None:
    assert zone_of(route.partition("?")[0]).gateway
