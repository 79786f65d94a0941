"""The agent plugin in docs/plugin: its files say what the agent expects, and its hook asks the server for ids alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwarmers.tests.house.tree import ROOT
from gateway.mcp.reminders import CALL
from gateway.mcp.tools import TOOLS
from gateway.mcp.words import OWED

PLUGIN = ROOT / "docs/plugin"
FIRST, SECOND = "p20261129-101500-7c1e.member1", "p20261129-101500-7c1e.explorer"


def loaded(place: str) -> Any:
    return json.loads((PLUGIN / place).read_text("utf-8"))


class Scripted(BaseHTTPRequestHandler):
    """Says that every call waits, or refuses."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))  # type: ignore[attr-defined]
        status, said = self.server.says  # type: ignore[attr-defined]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps({"pending": said or body["calls"]}).encode())

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[Any]:
    one = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    one.asked, one.says = [], (200, None)  # type: ignore[attr-defined]
    thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield one
    one.shutdown()
    thread.join()
    one.server_close()


def run(server: Any, folder: Path, **said: Any) -> subprocess.CompletedProcess[str]:
    there = {"PATH": os.environ["PATH"], "CLAUDE_PLUGIN_DATA": str(folder / "kept"), "BENCHWARMERS_KEY": "bwk_mine"}
    there["BENCHWARMERS_URL"] = f"http://127.0.0.1:{server.server_port}/v1/"
    return subprocess.run(
        [sys.executable, str(PLUGIN / "hooks/owed.py")],
        input=json.dumps(said),
        env=there,
        capture_output=True,
        text=True,
        check=False,
    )


def transcript(folder: Path, *lines: str, ending: str = "jsonl") -> str:
    path = folder / f"session.{ending}"
    path.write_text("\n".join(json.dumps({"text": line, "secret": "what was said"}) for line in lines), "utf-8")
    return str(path)


def test_the_hook_tells_what_is_owed_once_a_session_and_sends_ids_alone(server: Any, tmp_path: Path) -> None:
    said = {"session_id": "one", "transcript_path": transcript(tmp_path, f"asked {FIRST}", f"and {SECOND}, {FIRST}")}
    first = run(server, tmp_path, **said)
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)["hookSpecificOutput"]
    assert told["hookEventName"] == "Stop"
    assert told["additionalContext"] == OWED.format(count=2, calls=f"{FIRST}, {SECOND}")
    assert server.asked == [("/bench/pending", "Bearer bwk_mine", {"calls": [FIRST, SECOND]})]
    again = run(server, tmp_path, **said)
    assert (again.returncode, again.stdout) == (0, "")
    assert run(server, tmp_path, **said | {"session_id": "two"}).stdout == first.stdout


@pytest.mark.parametrize(
    ("said", "ending"),
    [({"stop_hook_active": True}, "jsonl"), ({}, "txt"), ({"transcript_path": ""}, "jsonl"), ({}, "gone")],
)
def test_the_hook_asks_nobody_when_it_has_nothing_to_ask(
    server: Any, tmp_path: Path, said: dict[str, Any], ending: str
) -> None:
    path = transcript(tmp_path, FIRST, ending=ending)
    if ending == "gone":
        path = transcript(tmp_path, "no id here")
    found = run(server, tmp_path, **{"session_id": "one", "transcript_path": path} | said)
    assert (found.returncode, found.stdout, server.asked) == (0, "", [])


def test_the_hook_leaves_out_what_was_judged_and_says_when_it_is_refused(server: Any, tmp_path: Path) -> None:
    said = {"session_id": "one", "transcript_path": transcript(tmp_path, FIRST, SECOND)}
    server.says = (200, [SECOND])
    assert FIRST not in run(server, tmp_path, **said).stdout
    server.says = (401, None)
    refused = run(server, tmp_path, **said)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "refused (401)" in refused.stderr


def test_the_hook_says_when_the_server_is_away(server: Any, tmp_path: Path) -> None:
    said = {"session_id": "one", "transcript_path": transcript(tmp_path, FIRST)}
    server.server_port = 1
    away = run(server, tmp_path, **said)
    assert away.returncode == 1
    assert "could not be looked up" in away.stderr


def test_the_hook_knows_the_ids_and_the_words_that_the_server_knows() -> None:
    script = (PLUGIN / "hooks/owed.py").read_text("utf-8")
    assert CALL.pattern in script


def test_the_files_of_the_plugin_are_what_the_agent_expects() -> None:
    manifest, place = loaded(".claude-plugin/plugin.json"), loaded(".claude-plugin/marketplace.json")
    assert manifest["name"] == "benchwarmers"
    assert [(one["name"], one["source"]) for one in place["plugins"]] == [(manifest["name"], "./")]
    server = loaded(".mcp.json")["mcpServers"]["benchwarmers"]
    assert server["type"] == "http"
    assert server["url"] == "${BENCHWARMERS_URL:-http://127.0.0.1:8122}/mcp"
    assert server["headers"] == {"Authorization": "Bearer ${BENCHWARMERS_KEY:-local}"}
    (hook,) = [hook for group in loaded("hooks/hooks.json")["hooks"]["Stop"] for hook in group["hooks"]]
    assert hook["type"] == "command"
    called = hook["command"].split('"')[1].replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN))
    assert Path(called).is_file()


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("commands/panel.md", {"description", "argument-hint"}),
        ("skills/benchwarmers/SKILL.md", {"name", "description"}),
    ],
)
def test_the_texts_of_the_plugin_have_a_head_and_name_tools_that_there_are(place: str, fields: set[str]) -> None:
    _, head, body = (PLUGIN / place).read_text("utf-8").split("---\n", 2)
    assert set(yaml.safe_load(head)) == fields
    named = {tool for tool in TOOLS if f"`{tool}`" in body}
    assert {"list_collections", "ask", "verdict"} <= named
