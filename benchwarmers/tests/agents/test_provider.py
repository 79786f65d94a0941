"""The scripted provider, asked over HTTP by the same halves that the gateway asks its members with."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest
from msgspec import Raw

from benchwarmers.tests.agents import provider
from benchwarmers.tests.agents.task import Task
from gateway.canon.ask import Ask, Text, Tool, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.canon.reply import Reply, fold
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS

NAMES = {"chat": "openai_chat", "responses": "openai_responses"}
READ = Tool("read", parameters=Raw(b'{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}'))
USER = Turn("user", (Text(Task("/project/notes.txt").prompt),))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with provider.running() as found:
        yield found


def post(address: str, path: str, body: bytes) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    try:
        connection.request("POST", path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def ask(address: str, api: str, *turns: Turn, stream: bool) -> Reply:
    half = CLIENTS[NAMES.get(api, api)]
    base = provider.BASES[api]
    outgoing = half.write_ask(
        Ask(api, "", (USER, *turns), tools=(READ,)), Facts(provider.SERVED, stream=stream, base=base)
    )
    status, headers, data = post(address, base + outgoing.path, outgoing.body)
    assert status == 200, data
    reader = half.reader(content_type=headers["content-type"])
    return fold([*reader.feed(data), *reader.end()])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("api", provider.BASES)
def test_a_member_of_every_format_calls_a_tool_and_reads_its_result(address: str, api: str, stream: bool) -> None:
    first = ask(address, api, stream=stream)
    (call,) = first.calls
    assert (call.name, call.arguments) == ("read", '{"path": "/project/notes.txt"}')
    told = Turn("tool", (ToolResult(call.id, (Text("nothing there"),), name="read"),))
    second = ask(address, api, Turn("assistant", first.parts), told, stream=stream)
    assert not second.calls
    assert "nothing there" in second.text


def test_a_result_that_no_call_opened_is_refused_as_providers_do() -> None:
    stray = Turn("tool", (ToolResult("c1", (Text("hello"),)),))
    with pytest.raises(BadRequest, match="c1"):
        provider.check_results(Ask("any", "m", (USER, stray)))
    provider.check_results(Ask("any", "m", (USER, Turn("assistant", (ToolCall("c1", "read", "{}"),)), stray)))


def test_the_busy_one_says_when_to_come_back(address: str) -> None:
    status, headers, data = post(address, f"{provider.BUSY}/chat/completions", b"{}")
    assert (status, headers["retry-after"]) == (429, str(provider.WAIT_S))
    assert b"Too many requests" in data


def test_another_path_is_not_found(address: str) -> None:
    assert post(address, "/v1/embeddings", b"{}")[0] == 404
