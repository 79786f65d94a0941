"""The original's own command line and its stdio server of the context protocol, as programs from its public package,
against a running installation of ours: its clients keep working when the server is another."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.servers.environments import python_of
from benchwarmers.tests.up.running import Running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
CALL = re.compile(r"p\d{8}-\d{6}-[0-9a-f]+\.member1")


class Original:
    """The program in an environment of its own, told where our server is."""

    def __init__(self, program: Path, port: int) -> None:
        self.program = program
        self.variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(program.parent),
            "BENCHWARMERS_URL": f"http://127.0.0.1:{port}/v1/",
        }

    def __call__(self, *words: str, said: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.program), *words],
            input=said,
            env=self.variables | variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Original]:
    program = python_of("original").with_name("benchwarmers")
    running = Running(tmp_path_factory.mktemp("ours"), measured=False)
    try:
        running.wait_until_whole()
        yield Original(program, running.port)
    finally:
        running.end()


def asked(original: Original, *more: str) -> tuple[str, str]:
    """(answer, table of seats)."""
    done = original("ask", "practice", "What is 17 * 23?", *more)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_it_lists_our_collections(original: Original) -> None:
    done = original("collections")
    assert done.returncode == 0
    assert "practice-wrong" in done.stdout


def test_it_asks_a_panel_and_judges_a_seat(original: Original) -> None:
    answer, table = asked(original)
    assert "practice-slow" in answer
    call = CALL.findall(table)[0]
    done = original("verdict", call, "--useful", "--note", "fine", "--real", "It adds up", "--false", "It is late")
    assert (done.returncode, done.stdout.strip()) == (0, f"recorded {call}: useful, 1 real, 1 false")


def test_it_reads_a_prompt_from_a_pipe_and_prints_our_reply(original: Original) -> None:
    done = original("ask", "practice", "-", "--json", said="Sit?")
    reply = json.loads(done.stdout)
    assert len(reply["bench"]["seats"]) == 5


def test_what_our_server_refuses_it_tells_with_its_own_codes(original: Original) -> None:
    for words in (("ask", "nowhere", "hi"), ("verdict", "nope", "--useful")):
        done = original(*words)
        assert done.returncode == 1
        assert "404" in done.stderr
    assert original("ask", "practice", "hi", BENCHWARMERS_URL="http://127.0.0.1:9").returncode == 3


def test_its_stdio_server_works_with_every_tool(original: Original) -> None:
    def message(at: int, method: str, **params: Any) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": at, "method": method, "params": params})

    def tool(at: int, name: str, **arguments: Any) -> str:
        return message(at, "tools/call", name=name, arguments=arguments)

    call = CALL.findall(asked(original)[1])[0]
    transcript = Path(original.variables["HOME"]) / "turn.jsonl"
    transcript.write_text(json.dumps({"text": call}) + "\n")
    lines = [
        message(
            1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"}
        ),
        message(2, "tools/list"),
        tool(3, "list_collections"),
        tool(4, "ask", collection="bench/practice", prompt="Sit?"),
        tool(5, "pending_verdicts", session="s", transcript=str(transcript)),
    ]
    told = {
        one["id"]: one["result"] for one in map(json.loads, original("mcp", said="\n".join(lines)).stdout.splitlines())
    }
    assert {tool["name"] for tool in told[2]["tools"]} == {"list_collections", "ask", "verdict", "pending_verdicts"}
    assert "bench/practice" in told[3]["content"][0]["text"]
    assert "practice-terse" in told[4]["content"][0]["text"]
    assert call in told[5]["content"][0]["text"]
    judged = json.loads(original("mcp", said=tool(6, "verdict", call=call, useful=False)).stdout)
    assert judged["result"]["isError"] is False
