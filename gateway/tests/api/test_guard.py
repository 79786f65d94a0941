"""The guard's decision, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.api.guard import Head, Policy, judge, judge_preflight, judge_socket, policy_for, read_head
from gateway.api.zones import GATEWAY_CAP, PAGE_CAP

POLICY: Policy = policy_for(
    ["127.0.0.1:8122", "localhost:8122", "[::1]:8122", "127.0.0.1:8123", "Bench.Example.org"],
    ["http://127.0.0.1:8122", "https://bench.example.org", "https://chat.example.net"],
)
CHAT = "/v1/chat/completions"
JSON = "application/json"


def head(method: str = "POST", path: str = CHAT, host: Any = "127.0.0.1:8122", **rest: Any) -> Head:
    return Head(method, path, host, **{"content_type": JSON, "content_length": "2", **rest})


def status_of(one: Head) -> int:
    fault = judge(one, POLICY)
    return 200 if fault is None else fault.status


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "DELETE"])
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8122", 200),
        ("127.0.0.1:8123", 200),
        ("localhost:8122", 200),
        ("LOCALHOST:8122", 200),
        ("[::1]:8122", 200),
        ("bench.example.org", 200),
        ("BENCH.EXAMPLE.ORG", 200),
        ("127.0.0.1", 403),
        ("127.0.0.1:80", 403),
        ("localhost:9000", 403),
        ("[::1]", 403),
        ("::1:8122", 403),
        ("[0:0:0:0:0:0:0:1]:8122", 403),
        ("bench.example.org:8122", 403),
        ("bench.example.org.", 403),
        ("rebound.example.com:8122", 403),
        ("127.0.0.1:8122, evil.example", 403),
        ("", 403),
        (None, 403),
    ],
)
def test_the_host_must_be_one_of_ours_with_its_port_whatever_the_method(
    method: str, host: str | None, expected: int
) -> None:
    assert status_of(head(method, host=host)) == expected


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [("GET", "/health", 200), ("HEAD", "/health", 200), ("POST", "/health", 403), ("GET", "/healthy", 403)],
)
def test_only_reading_health_is_open_at_any_host(method: str, path: str, expected: int) -> None:
    assert status_of(head(method, path, "load-balancer.internal")) == expected


@pytest.mark.parametrize(
    ("path", "origin", "fetch_site", "expected"),
    [
        (CHAT, None, None, 200),
        (CHAT, "http://127.0.0.1:8122", None, 200),
        (CHAT, "http://127.0.0.1:8122", "same-origin", 200),
        (CHAT, "HTTPS://Chat.Example.NET", "cross-site", 200),
        (CHAT, "https://chat.example.net", "cross-site", 200),
        (CHAT, "https://evil.example", None, 403),
        (CHAT, "https://evil.example", "cross-site", 403),
        (CHAT, "null", None, 403),
        (CHAT, "", None, 403),
        (CHAT, "http://127.0.0.1:8123", None, 403),
        (CHAT, "https://127.0.0.1:8122", None, 403),
        (CHAT, None, "cross-site", 403),
        (CHAT, None, "Cross-Site", 403),
        (CHAT, None, "same-site", 200),
        (CHAT, None, "none", 200),
        ("/login/", "https://chat.example.net", "cross-site", 403),
        ("/api/models", "https://chat.example.net", "cross-site", 403),
        ("/login/", "http://127.0.0.1:8122", "same-origin", 200),
        ("/login/", "https://evil.example", "same-origin", 403),
        ("/api/chat", "https://chat.example.net", "cross-site", 200),
        ("/bench/verdict", "https://chat.example.net", "cross-site", 200),
        ("/mcp", "https://chat.example.net", "cross-site", 200),
    ],
)
def test_pages_of_other_sites_may_post_only_to_the_gateway_and_only_when_allowed(
    path: str, origin: str | None, fetch_site: str | None, expected: int
) -> None:
    assert status_of(head(path=path, origin=origin, fetch_site=fetch_site)) == expected


def test_reading_is_not_judged_by_origin() -> None:
    assert status_of(head("GET", origin="https://evil.example", fetch_site="cross-site", content_type=None)) == 200


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_every_method_that_writes_is_judged_by_origin(method: str) -> None:
    assert status_of(head(method, "/api/models/alpha", origin="https://evil.example")) == 403


@pytest.mark.parametrize(
    ("path", "content_type", "browser", "expected"),
    [
        (CHAT, "application/json", {}, 200),
        (CHAT, "Application/JSON; charset=utf-8", {}, 200),
        (CHAT, " application/json", {}, 200),
        (CHAT, None, {}, 200),
        (CHAT, None, {"origin": "https://chat.example.net"}, 415),
        (CHAT, None, {"fetch_site": "same-origin"}, 415),
        (CHAT, "", {}, 415),
        (CHAT, "text/plain", {}, 415),
        (CHAT, "text/plain; application/json", {}, 415),
        (CHAT, "application/x-www-form-urlencoded", {}, 415),
        (CHAT, "multipart/form-data; boundary=x", {}, 415),
        ("/v1beta/models/core:generateContent", "text/plain", {}, 415),
        ("/models/core:generateContent", "text/plain", {}, 415),
        ("/bench/verdict", "text/plain", {}, 415),
        ("/api/chat", "text/plain", {}, 415),
        ("/api/anything", "text/plain", {}, 415),
        ("/mcp", "text/plain", {}, 415),
        ("//v1//mcp/", "text/plain", {}, 415),
        ("/responses", "text/plain", {}, 415),
        ("/completions", "text/plain", {}, 415),
        ("/chat/completions", "text/plain", {}, 415),
        ("/practice/v1/chat/completions", "text/plain", {}, 415),
        ("/login/", "application/x-www-form-urlencoded", {}, 200),
        ("/admin/gateway/panel/", "multipart/form-data; boundary=x", {}, 200),
    ],
)
def test_bodies_of_the_gateways_routes_are_json_and_pages_may_post_forms(
    path: str, content_type: str | None, browser: dict[str, str], expected: int
) -> None:
    assert status_of(head(path=path, content_type=content_type, **browser)) == expected


@pytest.mark.parametrize("path", [CHAT, "/api/model", "/practice/v1/chat/completions"])
@pytest.mark.parametrize(
    ("encoding", "expected"), [("gzip", 415), ("br", 415), ("zstd", 415), ("gzip, identity", 415), ("Identity", 200)]
)
def test_a_compressed_body_is_refused_before_anybody_opens_it(path: str, encoding: str, expected: int) -> None:
    assert status_of(head(path=path, encoding=encoding)) == expected


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(("length", "expected"), [(None, 200), ("0", 200), ("1000000", 200), ("1000001", 413)])
def test_a_body_that_nobody_asked_for_is_no_larger_than_any(method: str, length: str | None, expected: int) -> None:
    assert status_of(head(method, "/panels/", content_length=length)) == expected


def test_a_delete_without_a_body_needs_no_content_type() -> None:
    one = head("DELETE", "/api/models/a", content_type=None, content_length=None, origin="http://127.0.0.1:8122")
    assert status_of(one) == 200


@pytest.mark.parametrize(
    ("path", "length", "expected"),
    [
        (CHAT, None, 200),
        (CHAT, "0", 200),
        (CHAT, str(GATEWAY_CAP), 200),
        (CHAT, str(GATEWAY_CAP + 1), 413),
        (CHAT, "9" * 5000, 413),
        (CHAT, "-1", 400),
        (CHAT, "+1", 400),
        (CHAT, "1e3", 400),
        (CHAT, "ten", 400),
        (CHAT, "", 400),
        (CHAT, "2, 2", 400),
        (CHAT, "\u0662", 400),
        ("/login/", str(PAGE_CAP), 200),
        ("/login/", str(PAGE_CAP + 1), 413),
        ("/api/models", str(PAGE_CAP + 1), 413),
        ("/api/chat", str(PAGE_CAP + 1), 200),
        ("/bench/verdict", str(PAGE_CAP + 1), 200),
    ],
)
def test_the_declared_length_is_a_number_within_the_paths_cap(path: str, length: str | None, expected: int) -> None:
    assert status_of(head(path=path, content_length=length)) == expected


def test_the_first_rule_that_is_broken_gives_the_answer() -> None:
    everything: dict[str, Any] = {"origin": "https://evil.example", "content_type": "text/plain", "content_length": "x"}
    assert status_of(head(**{**everything, "host": "evil.example"})) == 403
    assert status_of(head(**everything)) == 403
    assert status_of(head(**{**everything, "origin": None})) == 415
    assert status_of(head(content_length="x")) == 400


def test_the_advice_of_413_fits_the_path() -> None:
    chat = judge(head(content_length="20000001"), POLICY)
    page = judge(head(path="/login/", content_length="1000001"), POLICY)
    assert chat is not None
    assert "20,000,000" in chat.message
    assert "images" in chat.message
    assert page is not None
    assert "images" not in page.message


def test_the_head_is_read_from_one_pass_over_the_headers() -> None:
    headers = [
        (b"host", b"127.0.0.1:8122"),
        (b"content-type", b"application/json"),
        (b"transfer-encoding", b"chunked"),
        (b"user-agent", b"x"),
    ]
    assert read_head("POST", CHAT, headers) == Head(
        "POST", CHAT, "127.0.0.1:8122", content_type="application/json", chunked=True
    )


def test_a_header_sent_twice_does_not_hide_its_second_value() -> None:
    twice = read_head("GET", "/", [(b"host", b"127.0.0.1:8122"), (b"host", b"evil.example")])
    assert status_of(twice) == 403


@pytest.mark.parametrize(
    ("path", "origin", "host", "expected"),
    [
        (CHAT, "https://chat.example.net", "127.0.0.1:8122", 200),
        ("/bench/verdict", "https://chat.example.net", "127.0.0.1:8122", 200),
        (CHAT, None, "127.0.0.1:8122", 200),
        (CHAT, "https://evil.example", "127.0.0.1:8122", 403),
        (CHAT, "https://chat.example.net", "evil.example", 403),
        ("/login/", "https://chat.example.net", "127.0.0.1:8122", 501),
        ("/api/models", "http://127.0.0.1:8122", "127.0.0.1:8122", 501),
        ("/practice/v1/chat/completions", "http://127.0.0.1:8122", "127.0.0.1:8122", 501),
    ],
)
def test_preflights_are_answered_on_the_gateways_routes_for_allowed_origins(
    path: str, origin: str | None, host: str, expected: int
) -> None:
    fault = judge_preflight(Head("OPTIONS", path, host, origin), POLICY)
    assert (200 if fault is None else fault.status) == expected


def test_a_websocket_of_another_origin_is_refused() -> None:
    assert judge_socket(Head("GET", "/live/", "localhost:8122", "http://127.0.0.1:8122"), POLICY) is None
    assert judge_socket(Head("GET", "/live/", "localhost:8122", "https://evil.example"), POLICY) is not None
    assert judge_socket(Head("GET", "/live/", "evil.example"), POLICY) is not None
