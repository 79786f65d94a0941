"""All six APIs, asked with bodies written by hand: the shape of answers, streams and refusals."""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product
from gateway.tests.api.asking import GEMINI, WAYS, Way

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
EVERY_FORMAT = pytest.mark.parametrize("name", WAYS)
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DATA = f"data:image/png;base64,{IMAGE}"


def send(product: Product, way: Way, stream: bool, collection: str = "bench/fast", **more: Any) -> Any:
    """(status, headers, body)."""
    path, body = way.request(stream)
    if "model" in body:
        body = {**body, "model": collection}
    return product.request("POST", path.replace("bench/core", collection), json.dumps({**body, **more}).encode())


def documents(name: str, data: bytes) -> list[Any]:
    """The JSON values of a stream."""
    if name == "gemini array":
        return list(json.loads(data))
    lines = [line.removeprefix("data: ") for line in data.decode().splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


TEXT_OF: dict[str, Callable[[Any], Any]] = {
    "chat": lambda reply: reply["choices"][0]["message"]["content"],
    "completions": lambda reply: reply["choices"][0]["text"],
    "responses": lambda reply: reply["output"][0]["content"][0]["text"],
    "anthropic": lambda reply: reply["content"][0]["text"],
    "gemini": lambda reply: reply["candidates"][0]["content"]["parts"][0]["text"],
    "gemini array": lambda reply: reply["candidates"][0]["content"]["parts"][0]["text"],
    "ollama": lambda reply: reply["message"]["content"],
    "generate": lambda reply: reply["response"],
}
PIECE_OF: dict[str, Callable[[Any], Any]] = {
    "chat": lambda chunk: chunk["choices"][0]["delta"].get("content", ""),
    "completions": lambda chunk: chunk["choices"][0]["text"],
    "responses": lambda event: event["delta"] if event["type"] == "response.output_text.delta" else "",
    "anthropic": lambda event: event["delta"].get("text", "") if event["type"] == "content_block_delta" else "",
    "gemini": lambda chunk: chunk["candidates"][0]["content"]["parts"][0]["text"],
    "gemini array": lambda chunk: chunk["candidates"][0]["content"]["parts"][0]["text"],
    "ollama": lambda line: line["message"]["content"],
    "generate": lambda line: line["response"],
}
USAGE_OF: dict[str, Callable[[Any], Any]] = {
    "chat": lambda reply: (reply["usage"]["prompt_tokens"], reply["usage"]["completion_tokens"]),
    "completions": lambda reply: (reply["usage"]["prompt_tokens"], reply["usage"]["completion_tokens"]),
    "responses": lambda reply: (reply["usage"]["input_tokens"], reply["usage"]["output_tokens"]),
    "anthropic": lambda reply: (reply["usage"]["input_tokens"], reply["usage"]["output_tokens"]),
    "gemini": lambda reply: tuple(reply["usageMetadata"][f"{word}TokenCount"] for word in ("prompt", "candidates")),
    "gemini array": lambda reply: tuple(
        reply["usageMetadata"][f"{word}TokenCount"] for word in ("prompt", "candidates")
    ),
    "ollama": lambda reply: (reply["prompt_eval_count"], reply["eval_count"]),
    "generate": lambda reply: (reply["prompt_eval_count"], reply["eval_count"]),
}


@EVERY_FORMAT
def test_a_whole_answer_holds_every_seat_and_their_tokens(product: Product, name: str) -> None:
    status, headers, data = send(product, WAYS[name], False)
    reply = json.loads(data)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert "## member — quick" in TEXT_OF[name](reply)
    assert USAGE_OF[name](reply) == (14, 6)  # two seats of 7 and 3
    seats = json.loads(headers["x-bench-seats"]) if name.startswith("gemini") else reply["bench"]["seats"]
    assert [seat["seat"] for seat in seats] == ["member", "explorer"]
    assert seats[0]["call"] == f"{headers['x-bench-panel']}.member1"


@EVERY_FORMAT
def test_a_streamed_answer_is_the_same_in_pieces(product: Product, name: str) -> None:
    status, headers, data = send(product, WAYS[name], True)
    found = documents(name, data)
    pieces = [piece for document in found if (piece := PIECE_OF[name](document))]
    assert status == 200
    assert headers["cache-control"] == "no-cache"
    assert len(pieces) == 4  # header, two seats, footer
    assert "## member — quick" in "".join(pieces)
    panel = headers["x-bench-panel"]
    assert panel in pieces[0]
    carrying = [document for document in found if '"bench": {' in json.dumps(document)]
    assert len(carrying) == (0 if name.startswith("gemini") else 1)
    if name == "anthropic":
        assert data.count(b"event: ") == len(found)


@EVERY_FORMAT
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_an_unknown_collection_is_a_404_in_the_format(product: Product, name: str, stream: bool) -> None:
    status, headers, data = send(product, WAYS[name], stream, "bench/nobody")
    assert (status, headers["content-type"]) == (404, "application/json")
    assert "bench/practice" in str(json.loads(data)["error"])


@EVERY_FORMAT
@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"model": 3}', b"\xff"])
def test_a_bad_body_is_a_400_in_the_format(product: Product, name: str, body: bytes) -> None:
    status, headers, data = product.request("POST", WAYS[name].path, body)
    assert (status, headers["content-type"]) == (400, "application/json")
    assert "error" in json.loads(data)


@EVERY_FORMAT
def test_a_body_of_another_type_is_a_415_in_the_format(product: Product, name: str) -> None:
    path, body = WAYS[name].request(False)
    status, _, data = product.request("POST", path, json.dumps(body).encode(), {"content-type": "text/plain"})
    assert status == 415
    assert "application/json" in str(json.loads(data)["error"])


PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": (
        "/v1/chat/completions",
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": DATA}}]}]},
    ),
    "responses": (
        "/v1/responses",
        {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": DATA}]}]},
    ),
    "anthropic": (
        "/v1/messages",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE}}
                    ],
                }
            ]
        },
    ),
    "gemini": (
        "/v1beta/models/bench/fast:generateContent",
        {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": IMAGE}}, {"text": "What is it?"}]}]},
    ),
    "ollama": ("/api/chat", {"messages": [{"role": "user", "content": "What is it?", "images": [IMAGE]}]}),
}


@pytest.mark.parametrize(("path", "body"), PICTURES.values(), ids=PICTURES.keys())
def test_an_image_that_nobody_can_see_is_refused_without_its_bytes(
    product: Product, path: str, body: dict[str, Any]
) -> None:
    status, _, data = product.request("POST", path, json.dumps({"model": "bench/fast", **body}).encode())
    assert status == 400, data
    assert b"image" in data
    assert IMAGE[:40].encode() not in data


def test_tools_are_refused_with_a_way_out(product: Product) -> None:
    tool = {"name": "look", "input_schema": {"type": "object"}}
    status, _, data = send(product, WAYS["anthropic"], False, tools=[tool])
    error = json.loads(data)["error"]
    assert (status, error["type"]) == (400, "invalid_request_error")
    assert ":route" in error["message"]


def test_a_server_side_thread_is_refused_so_that_the_whole_history_comes(product: Product) -> None:
    status, _, data = send(product, WAYS["anthropic"], True, thread={"type": "create"})
    assert status == 400
    assert json.loads(data)["error"]["details"]["error_code"] == "thread_unsupported_request"


@pytest.mark.parametrize(
    "path",
    [
        f"{GEMINI}:generateContent",
        "/v1beta/models/bench%2Fcore:generateContent",
        "/v1/models/bench/core:generateContent",
        "/models/bench/core:generateContent",
        "/bench/core:generateContent",
        "//v1beta//models/bench/core:generateContent/",
    ],
)
def test_gemini_is_asked_under_every_spelling(product: Product, path: str) -> None:
    body = json.dumps(WAYS["gemini"].body).encode()
    status, _, data = product.request("POST", path.replace("core", "fast"), body)
    assert (status, json.loads(data)["modelVersion"]) == (200, "bench/fast")


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/chat/completions", "/bench/record"])
def test_a_websocket_on_the_gateways_paths_is_told_426_at_once(product: Product, path: str) -> None:
    head = (
        f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{product.port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", product.port), timeout=5) as caller:
        caller.sendall(head.encode())
        answer = b"".join(iter(lambda: caller.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 426 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]


@pytest.mark.parametrize("path", ["/", "/api/hello"])
def test_clients_that_knock_first_are_answered(product: Product, path: str) -> None:
    status, _, data = product.request("HEAD", path)
    assert (status, data) == (200, b"")


@pytest.mark.parametrize("path", ["/v1//models", "//v1/models/", "/v1beta//models/bench/fast"])
def test_doubled_slashes_do_not_matter_to_listings_either(product: Product, path: str) -> None:
    assert product.request("GET", path)[0] == 200


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/files", "code"),
        ("/v1/moderations", "code"),
        ("/v1/messages/batches", "type"),
        ("/v1beta/models/bench/fast:predict", "status"),
    ],
)
def test_what_is_not_served_is_a_404_in_the_format(product: Product, path: str, field: str) -> None:
    status, reply = product.post(path, {})
    assert status == 404
    assert field in reply["error"]
