"""What comes from elsewhere and is no answer of a model: lists, hubs, feeds, sign-ins, headers, settings, messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Any, Final

import msgspec

from benchwarmers.cli.server import Reply as CliReply
from benchwarmers.cli.server import read_url
from benchwarmers.cli.sse import events
from benchwarmers.dashboard.markdown import render_markdown, split_blocks
from benchwarmers.env import read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.tests.hostile.fuzz.base import Target
from benchwarmers.tests.hostile.fuzz.wire import HTML, REFUSALS
from collections_app.addresses import address_problem, host_of
from gateway.api.credentials import read_credential
from gateway.api.guard import judge, judge_preflight, judge_socket, policy_for, read_head
from gateway.api.routing import find_route
from gateway.api.speaker import form_of
from gateway.api.zones import zone_of
from gateway.canon.blanks import blank, blank_evidence
from gateway.canon.fault import Broken, CallerFault, UpstreamFault
from gateway.canon.kinds import Api
from gateway.canon.redact import redact_text
from gateway.engine.classify import notice_in, rejected
from gateway.engine.fetch import Fetched
from gateway.engine.lessons import lessons_in_refusal
from gateway.engine.limit_bodies import text_of, told_in_body, wait_in
from gateway.engine.limit_headers import told_in_headers, waits_in
from gateway.mcp.rpc import Problem, read_message, write_problem, write_result
from gateway.practice.interfaces import INTERFACES
from gateway.practice.squad import CHARACTERS, play
from gateway.tests.wire.bodies import load_bodies
from probes.catalog import shapes
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.sources import FreeLlmApi, ModelsDev, OpenRouter, of_listing, slug_of
from probes.detect_signs import entries_of, is_listing, is_own, tell
from probes.hubs import cliproxy_plan, litellm_documents, openwebui_documents
from probes.hubs.base import HubTrouble
from probes.listing_forms import models_in, next_page
from probes.sign_ins.wire import Reply, SignInFailed, Wanted, read_device, read_poll
from probes.tests.catalog import feeds

NOON: Final = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
LISTING: Final = {
    "object": "list",
    "data": [
        {
            "id": "lab/wren",
            "context_length": 8192,
            "owned_by": "lab",
            "pricing": {"prompt": "0.000001", "unit": "token"},
        },
        {"id": "b", "architecture": {"modality": "text+image->text", "input_modalities": ["text"]}, "max_tokens": 5},
        {"name": "models/g", "supportedGenerationMethods": ["generateContent"], "inputTokenLimit": 9},
    ],
    "models": [{"name": "llama", "details": {"family": "x"}, "capabilities": ["tools", "vision"]}],
    "has_more": True,
    "last_id": "b",
    "nextPageToken": "t",
}
HEADS: Final = (
    b"host: 127.0.0.1:8122\norigin: http://127.0.0.1:8122\ncontent-type: application/json\ncontent-length: 12\n"
    b"authorization: Bearer bwk_abcdefgh\nsec-fetch-site: same-origin\ncookie: sessionid=abc; csrftoken=x",
    b"host: [::1]:8122\nx-goog-api-key: k\nanthropic-version: 2023-06-01\ntransfer-encoding: chunked\n"
    b"access-control-request-headers: a, b\nx-forwarded-for: 10.0.0.1",
)
LIMITS: Final = (
    b"retry-after: 20\nx-ratelimit-limit-requests: 100\nx-ratelimit-remaining-requests: 0\n"
    b"x-ratelimit-reset-requests: 6m0s\nretry-after-ms: 1500",
    b"anthropic-ratelimit-tokens-reset: 2026-11-29T12:01:00Z\nanthropic-ratelimit-tokens-remaining: 5\n"
    b"retry-after: Sun, 29 Nov 2026 12:00:30 GMT\nratelimit-limit: 10\nx-ratelimit-limit-tokens_per_minute: 1e3",
)
ENVIRONMENT: Final = (
    b"BENCH_PORT=8122\nBENCH_BIND=::1\nBENCHWARMERS_PUBLIC_URL=https://h.example:1\nBENCH_ALLOWED_HOSTS=a:1,[::1]:2\n"
    b"BENCH_TRUSTED_PROXIES=10.0.0.0/8\nBENCH_SEAT_S=1.5\nREDIS_URL=redis://h:1/2\nBENCHWARMERS_TIME_ZONE=Europe/Berlin\n"
    b"BENCHWARMERS_SMTP_URL=smtp://a:b@h:25?plain\nBENCHWARMERS_OIDC_X_ISSUER=https://h/x\nBENCH_CONNECTIONS=64\n"
    b"BENCHWARMERS_OIDC_X_CLIENT_ID=a\nDATABASE_URL=postgres://a:b@h:1/d",
)
MESSAGES: Final = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": {"prompt": "x"}}},
    {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    {"jsonrpc": "2.0", "id": 2, "result": {}},
)
GRANTED: Final = (
    {"access_token": "t", "refresh_token": "r", "expires_in": 3600, "token_type": "Bearer"},
    {"error": "authorization_pending", "error_description": "wait"},
    {"device_code": "d", "user_code": "AB-CD", "verification_uri": "https://h/d", "interval": 5, "expires_in": "900"},
    {"key": "k", "error": {"message": "no", "code": 400}},
)
HUBS: Final = (
    {"status": "healthy", "db": "connected", "litellm_version": "1.2"},
    {"data": [{"model_name": "m", "litellm_params": {"model": "openai/x", "api_base": "http://h"}, "model_info": {}}]},
    {"data": [{"id": "m", "info": {"meta": {"tags": [{"name": "t"}]}}, "connection_type": "x", "urlIdx": 0}]},
    {"OPENAI_API_BASE_URLS": ["http://h"], "OPENAI_API_KEYS": ["k"], "OPENAI_API_CONFIGS": {"0": {"prefix_id": "p"}}},
    {"openai-compatibility": [{"name": "n", "base-url": "http://h", "models": [{"name": "m", "alias": "a"}]}]},
)
TEXTS: Final = (
    b'# Title\n\n*a* **b** _c_ `d` [e](http://h/a_(b) "t") ![f](data:image/png;base64,AAAA)\n\n> - 1. x\n\n|a|\n|-|\n',
    b"Authorization: Bearer abcdefghijkl, sk-abcdefgh, a@b.example, ://u:p@h/, key=abc, 0123456789abcdef0123456789ab",
    b"maximum context length is 8,192 tokens; limit: 10, used: 9, requested: 5; please retry in 20 seconds. rpm",
    b"<script>alert(1)</script><p>429 Too Many</p>",
)


def targets() -> list[Target]:
    """One for each kind of document, head or text."""
    return [
        *(Target(f"listing {api}", _documents(LISTING), partial(_listing, api), (Broken,)) for api in Api),
        Target("catalogue feeds", _feeds, _feed, (shapes.NotTheFeed,)),
        Target("hub documents", _documents(*HUBS), _hub, (UpstreamFault, HubTrouble)),
        Target("signs of servers", _documents(LISTING, *HUBS), _signs),
        Target("sign-in replies", _documents(*GRANTED), _granted, (SignInFailed,)),
        Target("request head", lambda: HEADS, _head),
        Target("request path", _paths, _path, (CallerFault,)),
        Target("limit headers", lambda: LIMITS, _limits),
        Target("refusals understood", _refusals, _understood),
        Target("environment", lambda: ENVIRONMENT, _environment, (BadSetting,), longest=4_000),
        Target("context protocol", _documents(*MESSAGES), _message, (Problem,)),
        Target("command line", _cli_seeds, _cli),
        Target("texts shown", lambda: TEXTS, _shown),
        Target("addresses", lambda: [b"http://127.0.0.1:1/v1", b"https://[::ffff:1.2.3.4]/", b"h.example"], _address),
        *(
            Target(
                f"practice {one.prefix}", partial(_practice_seeds, one.prefix.split("/")[-1]), partial(_practice, one)
            )
            for one in INTERFACES
        ),
    ]


def _documents(*said: Any) -> Callable[[], Sequence[bytes]]:
    return lambda: [json.dumps(one).encode() for one in said]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _fields(data: bytes) -> list[tuple[str, str]]:
    """Lines as headers, whose names a server gives in lower case and whose values have no end of line."""
    lines = [line.partition(b":") for line in data.split(b"\n")]
    return [(name.decode("latin-1").strip().lower(), value.decode("latin-1").strip()) for name, _, value in lines]


def _listing(api: str, data: bytes, rng: Random) -> None:
    document = Fetched(200, {}, data).json()
    for model in models_in(document, api):
        of_listing(model)
        slug_of(model)
    assert isinstance(next_page(document, api), dict)


def _feeds() -> Sequence[bytes]:
    return [json.dumps(one).encode() for one in (feeds.MODELS_DEV, feeds.OPENROUTER, feeds.FREELLMAPI)]


def _feed(data: bytes, rng: Random) -> None:
    match name := rng.choice((MODELS_DEV, OPENROUTER, FREELLMAPI)):
        case "models.dev":
            known = ModelsDev(shapes.read(name, data))
            assert known.known is not None
            for provider in known.bases():
                known.of(provider, "lab/wren")
        case "openrouter":
            OpenRouter(shapes.read(name, data)).of("lab/wren", "lab/wren", own=True)
        case _:
            FreeLlmApi(shapes.read(name, data)).of("groq", "lab/wren")


def _hub(data: bytes, rng: Random) -> None:
    document = Fetched(200, {}, data).json()
    match rng.randrange(5):
        case 0:
            litellm_documents.read_state(document)
        case 1:
            litellm_documents.connections_of(litellm_documents.read_deployments(document))
        case 2:
            openwebui_documents.read_records(document)
        case 3:
            cliproxy_plan.connections_of(cliproxy_plan.read_providers(document))
        case _:
            config = openwebui_documents.read_config(document)
            models = openwebui_documents.read_models({"data": document.get("data", [document])})
            names = openwebui_documents.names_of(config, models, {})
            openwebui_documents.connections_of(config, models, names)


def _signs(data: bytes, rng: Random) -> None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    entries_of(document)
    assert isinstance(is_listing(document), bool)
    assert isinstance(is_own(document), bool)
    tell("http://127.0.0.1:1", 11434, {"/api/tags": document, "/v1/models": document, "/": document})


def _granted(data: bytes, rng: Random) -> None:
    reply = Reply(rng.choice((200, 400, 429, 500, 302)), data)
    wanted = Wanted("https://h.example/token", b"", "application/json", ("a-secret",))
    if rng.random() < 0.5:
        read_poll(wanted, reply)
    else:
        read_device(wanted, reply)


POLICY: Final = policy_for(["127.0.0.1:8122", "[::1]:8122"], ["http://127.0.0.1:8122"])


def _head(data: bytes, rng: Random) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in _fields(data)]
    path = rng.choice(("/v1/chat/completions", "/api/model", "/v1/models", "/v1beta/models/a:generateContent", "/"))
    head = read_head(rng.choice(("POST", "GET", "OPTIONS", "PUT")), path, headers)
    for judged in (judge, judge_preflight, judge_socket):
        fault = judged(head, POLICY)
        assert fault is None or 400 <= fault.status <= 501
    form_of(path, headers, data[:100])
    repr(read_credential(path, headers, data[:200]))


def _paths() -> Sequence[bytes]:
    return [b"/v1beta/models/bench/core:streamGenerateContent", b"/v1//chat/completions/", b"/api/chat", b"/ask/x"]


def _path(data: bytes, rng: Random) -> None:
    path = _text(data)
    zone_of(path)
    route = find_route(path)
    if route is not None and route.embedding is None:
        route.wire.read_ask(b"{}", route.path, "alt=sse")


def _limits(data: bytes, rng: Random) -> None:
    fields = _fields(data)
    now = NOON.timestamp()
    for one in told_in_headers(fields, rng.choice((200, 429)), "https://api.groq.com", now):
        assert one.remaining is None or one.remaining >= 0
    wait = waits_in(dict(fields), now)
    assert wait is None or wait >= 0


def _refusals() -> Sequence[bytes]:
    return [*(json.dumps(one).encode() for one in REFUSALS), HTML, *TEXTS]


def _understood(data: bytes, rng: Random) -> None:
    status = rng.choice((400, 402, 404, 413, 429, 500, 503))
    text = text_of(_text(data)[:2_000], data)
    fault = rejected(status, {"location": _text(data)[:300]}, _text(data)[:2_000], _text(data)[:50], data, NOON)
    assert fault.wait is None or fault.wait >= 0
    told = told_in_body(status, data, fault.message, NOON.timestamp())
    lessons_in_refusal(status, text, told)
    notice_in(_text(data))
    wait_in(_text(data)[:20_000])


def _environment(data: bytes, rng: Random) -> None:
    lines = [line.partition("=") for line in _text(data).split("\n")]
    environ = {name: value for name, _, value in lines if name.isidentifier() and "\0" not in value}
    read_environment({**environ, "BENCHWARMERS_HOME": "/nowhere/at/all"})


def _message(data: bytes, rng: Random) -> None:
    try:
        message = read_message(data)
    except Problem as problem:
        json.loads(write_problem(problem))
        raise
    json.loads(write_result(message.id, {"method": message.method}))


def _cli_seeds() -> Sequence[bytes]:
    return [json.dumps(LISTING).encode(), b'event: a\ndata: {"x": 1}\nid: 3\n\n: beat\n\ndata: [DONE]\n\n']


def _cli(data: bytes, rng: Random) -> None:
    import click

    CliReply(200, {}, data).data  # noqa: B018 it is read when it is asked for
    for event in events(_text(data).splitlines()):
        assert event.name
        with suppress(msgspec.DecodeError):
            event.told  # noqa: B018 it is read when it is asked for
    with suppress(click.UsageError):
        read_url(_text(data)[:2_000])


def _shown(data: bytes, rng: Random) -> None:
    text = _text(data)
    blank(text[:100_000])
    blank_evidence(text[:20_000])
    redact_text(text)
    render_markdown(text)
    split_blocks(text)


def _address(data: bytes, rng: Random) -> None:
    assert isinstance(address_problem(_text(data)), str)
    assert isinstance(host_of(_text(data)), str)


def _practice_seeds(name: str) -> Sequence[bytes]:
    wire = {"chat": "openai_chat", "anthropic": "anthropic", "responses": "openai_responses"}.get(name, name)
    return [json.dumps(sent.body).encode() for sent in load_bodies().get(wire, load_bodies()["openai_chat"])]


def _practice(interface: Any, data: bytes, rng: Random) -> None:
    """Read, played by any of the squad, and written."""
    try:
        asked = interface.read(data, "/models/terse:generateContent", "")
        script = play(rng.choice(CHARACTERS), asked.request, rng, asked.held)
    except CallerFault as fault:
        json.loads(interface.write_fault(fault))
        return
    assert asked.write_whole(script, "id", 1)
    assert b"".join(piece for _, piece in asked.write_stream(script, "id", 1)) or script.failure is not None
