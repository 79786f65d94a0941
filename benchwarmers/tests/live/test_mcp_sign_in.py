"""A program is signed in by the official client of the context protocol, asks, renews, and is signed out, in two web
processes."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchwarmers.tests.live.js.packages import HERE, Unavailable, installed
from benchwarmers.tests.live.keyed import Keyed, send
from benchwarmers.tests.live.signed_in import Kept, connected

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_collections", "arguments": {}}}


@pytest.fixture
def ben(keyed: Keyed) -> Iterator[httpx.Client]:
    with closing(keyed.sign_in("ben")) as ben:
        yield ben


def call(keyed: Keyed, place: int, token: str) -> httpx.Response:
    address = f"http://127.0.0.1:{keyed.ports[place]}/mcp"
    return httpx.post(address, json=LIST, headers={"authorization": f"Bearer {token}"} if token else {}, timeout=30)


def test_the_refusal_leads_to_the_documents(keyed: Keyed) -> None:
    for token in ("", "nonsense"):
        answer = call(keyed, 0, token)
        assert answer.status_code == 401
        told = dict(re.findall(r'(\w+)="([^"]*)"', answer.headers["www-authenticate"]))
        assert told["scope"] == "bench"
        assert told.get("error") == ("invalid_token" if token else None)
        described = httpx.get(told["resource_metadata"]).json()
        assert described["resource"] == f"{keyed.address}/mcp"
        assert described["authorization_servers"] == [keyed.address]
    assert "resource_metadata" not in httpx.get(f"{keyed.address}/v1/models").headers["www-authenticate"]


def test_the_official_client_signs_in_asks_and_renews(keyed: Keyed, ben: httpx.Client) -> None:
    kept = Kept()

    async def ask(*, renew: bool) -> Any:
        async with connected(f"{keyed.address}/mcp", ben, kept) as (client, provider):
            said = await client.call_tool("ask", {"collection": "bench/fast", "prompt": "Who plays?"})
            assert not said.is_error, said
            call = said.structured_content["seats"][0]["call"]
            judged = await client.call_tool("verdict", {"call": call, "useful": True})
            assert judged.content[0].text.startswith(f"Recorded for {call}")
            panel = said.structured_content["panel"]
            read = await client.read_resource(f"bench://panels/{panel}")
            assert call in read.contents[0].text
            before = kept.tokens.refresh_token
            if renew:
                provider.context.token_expiry_time = 1.0  # the hour is over
            await client.list_tools()
            assert (kept.tokens.refresh_token != before) == renew
            return panel

    panel = asyncio.run(ask(renew=True))
    assert kept.asked == 1
    page = ben.get(f"/panels/{panel}/").text
    assert "official-ben" in page
    assert asyncio.run(ask(renew=False)) != panel
    assert kept.asked == 1  # its tokens were kept
    assert '<th scope="row">Official</th>' in ben.get("/account/tokens/").text


def test_what_happens_in_one_process_holds_at_once_in_the_other(keyed: Keyed, ben: httpx.Client) -> None:
    kept = Kept()

    async def look() -> None:
        async with connected(f"{keyed.address}/mcp", ben, kept) as (client, _provider):
            await client.list_tools()

    asyncio.run(look())
    token = kept.tokens.access_token
    assert [call(keyed, place, token).status_code for place in (1, 0)] == [200, 200]
    headers = {"authorization": f"Bearer {token}"}
    for path in ("/v1/models", "/api/status", "/bench/record"):
        assert httpx.get(f"{keyed.address}{path}", headers=headers).status_code == 401
    numbers = re.findall(r"/account/programs/(\d+)/sign-out/", ben.get("/account/tokens/").text)
    for number in numbers:
        send(ben, f"/account/programs/{number}/sign-out/", page="/account/tokens/")
    assert [call(keyed, place, token).status_code for place in (1, 0)] == [401, 401]


def test_the_typescript_library_signs_in_and_renews(keyed: Keyed, ben: httpx.Client, tmp_path: Path) -> None:
    try:
        modules = installed()
    except Unavailable as lack:
        pytest.skip(f"JavaScript libraries are not tested: {lack}")
    (tmp_path / "sign_in.mjs").write_text((HERE / "mcp_sign_in.mjs").read_text())
    (tmp_path / "node_modules").symlink_to(modules, target_is_directory=True)
    ben.get("/account/tokens/")  # brings the cookie of forms
    cookie = "; ".join(f"{one.name}={one.value}" for one in ben.cookies.jar)
    done = subprocess.run(
        ["node", "sign_in.mjs", keyed.address],
        cwd=tmp_path,
        env=os.environ | {"COOKIE": cookie},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == {"first": 4, "second": 4, "renewed": True, "asked": 1, "iss": keyed.address}
