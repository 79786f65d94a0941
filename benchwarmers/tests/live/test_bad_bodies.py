"""Whatever is sent, the answer is a status and a sentence in the format's shape, on a connection that lives."""

import json
import socket

import pytest

from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
Body = bytes | dict[str, object]
HELLO = [{"role": "user", "content": "hello"}]
BODIES: dict[str, tuple[Body, int]] = {
    "not JSON": (b"{hello", 400),
    "nothing": (b"", 400),
    "not an object": (b"[1, 2]", 400),
    "broken UTF-8": (b'{"model": "bench/core", "messages": "\xff"}', 400),
    "nested a thousand deep": (b'{"model":"bench/core","messages":' + b"[" * 1_000 + b"]" * 1_000 + b"}", 400),
    "an object nested a thousand deep": (b'{"x":' * 1_000 + b"1" + b"}" * 1_000, 400),
    "numbers for content": ({"model": "bench/core", "messages": [{"role": "user", "content": 7}]}, 400),
    "no messages": ({"model": "bench/core"}, 400),
    "no message at all": ({"model": "bench/core", "messages": []}, 400),
    "messages that are text": ({"model": "bench/core", "messages": "hello"}, 400),
    "an empty prompt": ({"model": "bench/core", "messages": [{"role": "user", "content": ""}]}, 400),
    "a blank prompt": ({"model": "bench/core", "messages": [{"role": "user", "content": " \n"}]}, 400),
    "a blank model": ({"model": "", "messages": HELLO}, 400),
    "no model": ({"messages": HELLO}, 400),
    "a model that is a number": ({"model": 3, "messages": HELLO}, 400),
    "an unknown collection": ({"model": "bench/nobody", "messages": HELLO}, 404),
    "an unknown suffix": ({"model": "bench/core:best", "messages": HELLO}, 404),
    "an unknown reply mode": ({"model": "bench/core", "messages": HELLO, "bench": {"reply": "best"}}, 400),
    "with that is no list": ({"model": "bench/core", "messages": HELLO, "with": "quick"}, 400),
    "functions": ({"model": "bench/core", "messages": HELLO, "functions": [{"name": "look"}]}, 400),
    "another API's image": (
        {"model": "bench/core", "messages": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
        400,
    ),
    "a file for an image": (
        {
            "model": "bench/core",
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}]}
            ],
        },
        400,
    ),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("body", "status"), BODIES.values(), ids=BODIES.keys())
def test_a_bad_body_is_refused_in_the_shape_of_the_format(
    product: Product, body: bytes | dict[str, object], status: int, stream: bool
) -> None:
    if isinstance(body, dict):
        body = json.dumps({**body, "stream": stream}).encode()

    answered, headers, data = product.request("POST", "/v1/chat/completions", body)

    assert answered == status, data
    assert headers["content-type"] == "application/json"
    error = json.loads(data)["error"]
    assert error["type"] == "bench_gateway"
    assert error["code"] == status
    assert len(error["message"]) > 10
    assert "Traceback" not in error["message"]


def test_a_body_of_21_megabytes_is_refused_before_it_is_read(product: Product) -> None:
    with socket.create_connection(("127.0.0.1", product.port), timeout=10) as caller:
        head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n"
        caller.sendall((head.format(product.port) + f"content-length: {21_000_000}\r\n\r\n").encode())
        answer = b""
        while b"20,000,000" not in answer and (piece := caller.recv(65_536)):  # head and body may come apart
            answer += piece

    assert answer.startswith(b"HTTP/1.1 413")
    assert b"20,000,000" in answer


def test_a_body_of_21_megabytes_without_a_length_is_refused_too(product: Product) -> None:
    with socket.create_connection(("127.0.0.1", product.port), timeout=30) as caller:
        head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n"
        caller.sendall((head.format(product.port) + "transfer-encoding: chunked\r\n\r\n").encode())
        piece = b"%x\r\n" % 1_000_000 + b" " * 1_000_000 + b"\r\n"
        try:
            for _ in range(21):
                caller.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused while it was being sent, which is as good
        answer = caller.recv(65_536)

    assert answer.startswith(b"HTTP/1.1 413")


def test_a_chunked_body_is_read_like_any_other(product: Product) -> None:
    body = json.dumps({"model": "bench/fast", "messages": HELLO}).encode()
    with socket.create_connection(("127.0.0.1", product.port), timeout=10) as caller:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:{product.port}\r\nconnection: close\r\n"
        chunked = "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        caller.sendall((head + chunked).encode() + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
        answer = b"".join(iter(lambda: caller.recv(65_536), b""))

    assert answer.startswith(b"HTTP/1.1 200")
    assert b"quick" in answer


def test_the_wrong_method_and_the_wrong_path_are_told_in_the_shape_of_the_format(product: Product) -> None:
    status, reply = product.get("/v1/chat/completions")
    assert (status, reply["error"]["code"]) == (405, 405)
    status, reply = product.post("/v1/chat/nothing", {})
    assert (status, reply["error"]["code"]) == (404, 404)


def test_a_foreign_host_is_refused(product: Product) -> None:
    status, _, data = product.request("POST", "/v1/chat/completions", b"{}", {"host": "evil.example"})
    assert status == 403
    assert json.loads(data)["error"]["type"] == "bench_gateway"
