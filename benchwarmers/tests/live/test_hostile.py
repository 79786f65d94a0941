"""A whole installation under attack: requests that mean harm are refused or answered, none is a defect, and whoever
means well is answered all along."""

from __future__ import annotations

import json
import os
import resource
import socket
import time

import psutil
import pytest

from benchwarmers.open_files import raise_limit
from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
DEEP = 100_000
SOON_S = 30.0
"""Seconds in which each is answered on the slowest machine; here it is some hundredths."""
IDLE = int(os.environ.get("FUZZ_IDLE", "2000"))
"""Connections, where the system lets a process open so many."""
IDLE_BYTES = 40_000
"""What one of them may cost the web process."""
PATHS = {
    "/v1/chat/completions": "messages",
    "/v1/completions": "prompt",
    "/v1/responses": "input",
    "/v1/messages": "messages",
    "/v1beta/models/bench/fast:generateContent": "contents",
    "/api/chat": "messages",
    "/v1/embeddings": "input",
    "/mcp": "params",
    "/api/verdict": "call",
    "/practice/v1/chat/completions": "messages",
}
HELLO = b'[{"role":"user","content":"hello"}]'
BODIES = {
    "lists in lists": b'{"model":"bench/fast","%(field)b":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "objects in objects": b'{"model":"bench/fast","%(field)b":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
    "lists that never close": b'{"%(field)b":' + b"[" * DEEP,
    "a number beyond all": b'{"model":"bench/fast","%(field)b":1e999999}',
    "a number of 100,000 digits": b'{"model":"bench/fast","temperature":' + b"9" * DEEP + b',"%(field)b":1}',
    "a million entries": b'{"model":"bench/fast","%(field)b":[' + b"1," * 1_000_000 + b"1]}",
    "a million fields": b'{"%(field)b":1' + b"".join(b',"f%d":1' % at for at in range(200_000)) + b"}",
    "one name again and again": b'{"%(field)b":1' + b',"%(field)b":{"a":1,"a":2}' * 50_000 + b"}",
    "a text of 10 MB": b'{"model":"' + b"x" * 10_000_000 + b'","%(field)b":"y"}',
}


def asked(product: Product, request: bytes, *, patience_s: float = SOON_S) -> bytes:
    """All that comes back."""
    with socket.create_connection(("127.0.0.1", product.port), timeout=patience_s) as caller:
        caller.sendall(request)
        said = b""
        try:
            while piece := caller.recv(65_536):
                said += piece
        except ConnectionError:
            pass
    return said


def status_of(said: bytes) -> int:
    return int(said.split(b" ", 2)[1]) if said.startswith(b"HTTP/1.1 ") else 0


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("path", PATHS)
def test_no_body_is_too_much(product: Product, path: str, kind: str) -> None:
    body = BODIES[kind].replace(b"%(field)b", PATHS[path].encode())
    began = time.monotonic()
    status, headers, data = product.request("POST", path, body)
    assert 200 <= status < 500, (path, kind, data[:300])
    assert time.monotonic() - began < SOON_S
    assert "json" in headers["content-type"]
    assert isinstance(json.loads(data), dict)
    assert len(data) < 100_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_compressed_body_is_never_opened(product: Product, encoding: str) -> None:
    status, _, data = product.request("POST", "/v1/messages", b"\x1f\x8b" * 500, {"content-encoding": encoding})
    assert status == 415
    assert json.loads(data)["type"] == "error"


@pytest.mark.parametrize(
    ("line", "statuses"),
    [
        (b"GET //v1//models// HTTP/1.1", {200}),
        (b"GET /v1/models/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", {404}),
        (b"GET /static/%2e%2e/%2e%2e/benchwarmers/settings.py HTTP/1.1", {302, 404}),
        (b"GET /static/..%2f..%2fsettings.py HTTP/1.1", {302, 404}),
        (b"GET /v1/models/%00 HTTP/1.1", {400, 404}),
        (b"GET /panels/?q=%00 HTTP/1.1", {302, 400}),
        (b"GET /v1/models/\x00 HTTP/1.1", {400}),
        (b"GET /%ff%fe HTTP/1.1", {302, 404}),
        (b"GET /%F0%9F%A6 HTTP/1.1", {302, 404}),
        (b"GET /" + b"a" * 65_000 + b" HTTP/1.1", {302, 404}),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1", {431}),
        (b"GET /?" + b"a=1&" * 15_000 + b" HTTP/1.1", {302, 400, 404}),
        (b"GET http://evil.example/v1/models HTTP/1.1", {200}),
        (b"OPTIONS * HTTP/1.1", {501}),
        (b"TRACE /v1/models HTTP/1.1", {400, 404, 405, 501}),
        (b"BREW /v1/models HTTP/1.1", {400}),
        (b"GET /v1/models HTTP/1.0", {200}),
        (b"GET /v1/models", {200, 400}),
    ],
)
def test_no_address_leads_anywhere_that_it_should_not(product: Product, line: bytes, statuses: set[int]) -> None:
    host = b"\r\nhost: 127.0.0.1:%d\r\nconnection: close\r\n\r\n" % product.port
    said = asked(product, line + host)
    assert status_of(said) in statuses, said[:300]
    assert b"SECRET" not in said
    assert b"Traceback" not in said


@pytest.mark.parametrize(
    "hosts",
    [
        b"host: evil.example\r\n",
        b"host: 127.0.0.1:%(port)d\r\nhost: evil.example\r\n",
        b"host: 127.0.0.1:%(port)d.evil.example\r\n",
        b"host: evil.example@127.0.0.1:%(port)d\r\n",
        b"host: \r\n",
        b"",
        b"host: evil.example\r\nx-forwarded-host: 127.0.0.1:%(port)d\r\n",
    ],
)
def test_no_other_host_is_served(product: Product, hosts: bytes) -> None:
    head = hosts.replace(b"%(port)d", b"%d" % product.port)
    for path in (b"/v1/models", b"/login/"):
        said = asked(product, b"GET " + path + b" HTTP/1.1\r\n" + head + b"connection: close\r\n\r\n")
        assert status_of(said) == 403


def test_a_page_reads_no_body_beyond_its_cap_whatever_the_method(product: Product) -> None:
    head = "GET /login/ HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-length: 100000000000\r\nconnection: close\r\n\r\n"
    said = asked(product, head.format(product.port).encode())
    assert status_of(said) == 413
    assert b"1,000,000" in said


def test_connections_that_say_nothing_cost_little_and_hold_nobody_up(product: Product) -> None:
    web = product.run.children()["web"]
    many = min(IDLE, (raise_limit() - 500) // 2, (web.rlimit(psutil.RLIMIT_NOFILE)[0] - 500) // 2)
    assert many > 100
    before = web.memory_info().rss
    opened = []
    try:
        for _ in range(many):
            opened.append(socket.create_connection(("127.0.0.1", product.port), timeout=SOON_S))
        began = time.monotonic()
        assert product.ask("fast")["choices"][0]["message"]["content"]
        took = time.monotonic() - began
        cost = (web.memory_info().rss - before) / many
        print(f"{many:,} idle connections: {cost:,.0f} bytes each; a caller waited {took * 1000:.0f} ms")
        assert took < SOON_S
        assert cost < IDLE_BYTES
    finally:
        for one in opened:
            one.close()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= many
