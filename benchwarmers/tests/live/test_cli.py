"""The command line against a running installation: in a pipe, on a terminal, and as a server for agents."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.running import ROOT, free_port

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
BENCH = [sys.executable, "-m", "benchwarmers.cli"]
TOKEN = """
from django.contrib.auth.models import User
from django.utils import timezone
from collections_app.actions.token import do_create_token
print(do_create_token(user=User.objects.filter(is_superuser=True).first(), name="cli", now=timezone.now())[1])
"""


@pytest.fixture(scope="module")
def token(product: Product) -> str:
    return product.manage("shell", "--no-imports", "-c", TOKEN).split()[-1]


def variables(product: Product, token: str = "") -> dict[str, str]:
    told = {"BENCHWARMERS_URL": f"http://127.0.0.1:{product.port}/v1", "BENCHWARMERS_TOKEN": token}
    return product.environment | told | {"PYTHONPATH": str(ROOT)}


def bench(
    product: Product, *words: str, token: str = "", says: str = "", cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BENCH, *words],
        cwd=cwd,
        env=variables(product, token),
        input=says,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_panel_is_asked_judged_and_followed(product: Product) -> None:
    asked = bench(product, "ask", "core", "-", says="Who plays?")
    assert asked.returncode == 0, asked.stderr
    assert "quick" in asked.stdout
    heading, *lines = [line.split() for line in asked.stderr.splitlines()]
    assert heading == ["call", "seat", "alias", "status", "seconds"]
    calls = [line[0] for line in lines if line[0].startswith("p2")]
    call = calls[0]
    judged = bench(product, "verdict", call, "--useful", "--real", "It plays.")
    assert judged.stdout == f"Recorded for {call}: useful, 1 real and 0 false claims.\n"
    followed = bench(product, "watch", call.partition(".")[0])
    assert (followed.returncode, sorted(line.split()[0] for line in followed.stdout.splitlines())) == (
        0,
        sorted(calls),
    )
    as_told = json.loads(bench(product, "collections", "--json").stdout)
    assert as_told == product.get("/v1/models")[1]


def test_a_turn_streams_and_says_who_answered(product: Product) -> None:
    turn = bench(product, "route", "fast", "Hello?")
    assert turn.returncode == 0, turn.stderr
    assert "quick" in turn.stderr.splitlines()[-1]
    assert turn.stdout.strip()


def test_models_are_listed_and_changed_by_token_alone(product: Product, token: str) -> None:
    refused = bench(product, "models")
    assert (refused.returncode, "Set BENCHWARMERS_TOKEN" in refused.stderr) == (1, True)
    listed = bench(product, "models", "--find", "steady", token=token)
    assert listed.stdout.splitlines()[1].split()[:2] == ["steady", "waits-300-steady"]
    assert bench(product, "model", "max-tokens", "steady", "900", token=token).returncode == 0
    assert bench(product, "model", "max-tokens", "steady", "none", token=token).returncode == 0
    unknown = bench(product, "model", "role", "nobody", "code", token=token)
    assert (unknown.returncode, "older than this client" in unknown.stderr) == (1, False)


def test_an_unknown_route_is_told_from_an_unknown_thing(product: Product, token: str) -> None:
    code = "import click; from benchwarmers.cli.server import Server; from benchwarmers.cli.base import Command\n"
    code += "Command('x', callback=lambda: Server().get('/api/no-such-route')).main([])"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=variables(product, token), capture_output=True, text=True
    )
    assert "older than this client: it does not know GET /api/no-such-route" in ended.stderr


def test_a_terminal_sees_the_seats_and_the_text_at_once(product: Product) -> None:
    screen = on_a_terminal([*BENCH, "ask", "core", "Who plays?"], variables(product) | {"TERM": "xterm-256color"})
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen)
    assert re.search(r"p\d{8}-\d{6}-\w+\.member1 +member", plain), plain[-2000:]


def on_a_terminal(command: list[str], environment: dict[str, str]) -> str:
    """All that a program wrote to a terminal of 100 columns."""
    leader, follower = pty.openpty()
    running = subprocess.Popen(command, cwd=ROOT, env=environment | {"COLUMNS": "100"}, stdin=follower,
                               stdout=follower, stderr=follower)  # fmt: skip
    os.close(follower)
    seen, until = b"", time.monotonic() + 60
    while time.monotonic() < until:
        if not select.select([leader], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the last one to hold the other end is gone
            break
        if not piece:
            break
        seen += piece
    os.close(leader)
    assert running.wait(10) == 0, seen.decode()
    return seen.decode()


def test_the_official_client_talks_over_a_pipe(product: Product, tmp_path: Path) -> None:
    async def go() -> None:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "benchwarmers.cli", "mcp"], env=variables(product), cwd=str(ROOT)
        )
        async with Client(server) as connected:
            client: Any = connected
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"list_collections", "ask", "verdict", "pending_verdicts"}
            said = await client.call_tool("ask", {"collection": "core", "prompt": "Who plays?"})
            assert not said.is_error, said
            call = said.structured_content["seats"][0]["call"]
            transcript = tmp_path / "talk.jsonl"
            transcript.write_text(json.dumps({"text": f"see {call}"}) + "\n")
            hook = {"session": "one", "transcript": str(transcript), "active": False}
            owed = await client.call_tool("pending_verdicts", hook)
            assert owed.structured_content == {"pending": [call]}
            judged = await client.call_tool("verdict", {"call": call, "useful": True})
            assert judged.content[0].text.startswith(f"Recorded for {call}: useful")

    asyncio.run(go())


def test_the_machine_looks_at_itself_from_any_folder(product: Product, tmp_path: Path) -> None:
    looked = bench(product, "doctor", cwd=tmp_path)
    assert "well   " in looked.stdout, looked.stderr
    assert bench(product, "suite", "table", "--shape", "none-such", cwd=tmp_path).returncode == 2


def test_a_second_process_serves_the_gateway_alone(product: Product, tmp_path: Path) -> None:
    port = free_port()
    environment = variables(product) | {"BENCH_GATEWAY_PORT": str(port)}
    alone = subprocess.Popen([*BENCH, "gateway"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 60
        while bench(product, "collections", "--url", address).returncode == 3:
            assert alone.poll() is None, alone.communicate()[1]
            assert time.monotonic() < until
        asked = bench(product, "ask", "fast", "Hello?", "--url", address)
        assert (asked.returncode, "quick" in asked.stderr) == (0, True)
        pages = bench(product, "status", "--url", address, token="bwp_any")
        assert (pages.returncode, "older than this client" in pages.stderr) == (1, True)
    finally:
        alone.terminate()
        alone.communicate(timeout=30)


def test_ctrl_c_ends_the_pipe_of_an_agent_with_130(product: Product) -> None:
    quiet = subprocess.Popen(
        [*BENCH, "mcp"],
        cwd=ROOT,
        env=variables(product),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what a shell starts behind ignores it
    )
    assert quiet.stdin is not None
    assert quiet.stdout is not None
    quiet.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    quiet.stdin.flush()
    assert b'"result"' in quiet.stdout.readline()
    quiet.send_signal(signal.SIGINT)
    assert quiet.wait(30) == 130  # with its pipe still open, whose end would be another reason to stop
    quiet.communicate()
