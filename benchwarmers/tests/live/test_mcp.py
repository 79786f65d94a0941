"""The context protocol over HTTP, by the official client of Python and by hand, against a running installation."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import Client, MCPError

from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


def post(product: Product, message: Any, **headers: str) -> tuple[int, dict[str, str], bytes]:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return product.request("POST", "/mcp", body, headers)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_lists_and_calls_every_tool(product: Product, mode: Any) -> None:
    async def go() -> None:
        async with Client(f"http://127.0.0.1:{product.run.port}/mcp", mode=mode) as connected:
            client: Any = connected
            assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"list_collections", "ask", "verdict", "pending_verdicts"}
            listed = await client.call_tool("list_collections", {})
            names = [one["name"] for one in listed.structured_content["collections"]]
            assert "bench/core" in names
            heard: list[float] = []

            async def hear(progress: float, total: float | None, message: str | None) -> None:
                heard.append(progress)

            said = await client.call_tool(
                "ask", {"collection": "bench/fast", "prompt": "Who plays?"}, progress_callback=hear
            )
            assert not said.is_error
            panel = said.structured_content
            assert "was written by models" in said.content[0].text
            call = panel["seats"][0]["call"]
            owed = await client.call_tool("pending_verdicts", {"calls": [call, call], "session": mode})
            assert owed.structured_content == {"pending": [call]}
            again = await client.call_tool("pending_verdicts", {"calls": [call], "session": mode})
            assert again.content[0].text == ""
            judged = await client.call_tool("verdict", {"call": call, "useful": True, "real": ["It plays."]})
            assert judged.content[0].text == f"Recorded for {call}: useful, 1 real and 0 false claims."
            read = await client.read_resource(f"bench://panels/{panel['panel']}")
            assert call in read.contents[0].text
            prompt = await client.get_prompt("review", {"collection": "bench/core", "subject": "the diff"})
            assert "bench/core" in prompt.messages[0].content.text
            with pytest.raises(MCPError, match="no resource"):
                await client.read_resource("bench://panels/")

    asyncio.run(go())


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[" * 200_000, 400, -32700),
        ([], 200, -32600),
        ({"jsonrpc": "2.0", "id": 1}, 200, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, 200, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "no/such"}, 200, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}, 200, -32602),
    ],
)
def test_what_is_no_request_is_told_so(product: Product, message: Any, status: int, code: int) -> None:
    seen, _headers, body = post(product, message)
    assert (seen, json.loads(body)["error"]["code"]) == (status, code)


def test_notifications_get_no_answer_and_other_methods_are_refused(product: Product) -> None:
    assert post(product, {"jsonrpc": "2.0", "method": "notifications/initialized"})[::2] == (202, b"")
    status, headers, _body = product.request("GET", "/v1/mcp")
    assert (status, headers["allow"]) == (405, "POST")


def test_even_a_malformed_call_gets_its_event_and_a_closed_stream(product: Product) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "ask", "arguments": {"prompt": 3}}}
    status, headers, body = post(product, message, accept="application/json, text/event-stream")
    assert (status, headers["content-type"]) == (200, "text/event-stream")
    event = json.loads(body.decode().partition("data: ")[2])
    assert event["id"] == 7
    assert event["result"]["isError"] is True
    assert "'collection' is a required property" in event["result"]["content"][0]["text"]


def test_a_refusal_of_the_gateway_is_what_the_tool_says(product: Product) -> None:
    call = {"name": "ask", "arguments": {"collection": "bench/nowhere", "prompt": "Who?"}}
    body = post(product, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})[2]
    text = json.loads(body)["result"]["content"][0]["text"]
    assert text.startswith("refused POST /v1/chat/completions (404): ")
