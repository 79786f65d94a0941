"""A question written down as code in six formats and three languages."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchwarmers.ask.code import FORMATS, Snippet, write_code
from benchwarmers.ask.code_bodies import gemini_body
from benchwarmers.ask.question import Image, Question
from gateway.api.routing import find_route
from gateway.canon.ask import Ask

ADDRESS = "https://bench.example"
HARD = "Is \"$HOME\" `date` \\n 'quoted' a ü?\nJSON\n<picture a.png> {key}"
PLAIN = Question(collection="core", prompt=HARD)
FULL = Question(
    collection="core",
    mode="merged",
    prompt=HARD,
    system="Be $brief.",
    nominated=("wren",),
    explorers="0",
    timeout_s="2.5",
)
PICTURED = Question(
    collection="core", prompt=HARD, system="Look.", images=(Image("it's a $cat.png", "image/png", b"\x89PNG!"),)
)


def snippets(question: Question) -> dict[tuple[str, str], Snippet]:
    return {(one.name, snippet.language): snippet for one in write_code(question, ADDRESS) for snippet in one.snippets}


def posted(text: str, folder: Path) -> tuple[str, list[str], bytes]:
    """(address, headers, body) of a curl command, by a shell that has another `curl` before its own."""
    fake = folder / "curl"
    fake.write_text('#!/bin/sh\nfor one in "$@"; do printf "%s\\0" "$one"; done > args; cat > body\n')
    fake.chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "BENCHWARMERS_KEY": "bwk_secret", "HOME": "/nowhere"}
    subprocess.run(["/bin/sh", "-c", text], cwd=folder, env=environment, check=True, timeout=20)
    address, *rest = (folder / "args").read_text().rstrip("\0").split("\0")
    assert rest[-2:] == ["-d", "@-"]
    return address, rest[1:-2:2], (folder / "body").read_bytes()


def ask_of(text: str, folder: Path) -> Ask:
    """What the gateway reads of a curl command."""
    address, headers, body = posted(text, folder)
    assert "Content-Type: application/json" in headers
    assert any("bwk_secret" in header for header in headers)
    path = address.removeprefix(ADDRESS)
    route = find_route(path)
    assert route is not None
    return route.wire.read_ask(body, route.path, "")


@pytest.mark.parametrize("question", [PLAIN, FULL, PICTURED], ids=["plain", "full", "pictured"])
@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_curl_asks_exactly_this_in_each_format(name: str, question: Question, tmp_path: Path) -> None:
    for image in question.images:
        (tmp_path / image.name).write_bytes(image.data)
    snippet = snippets(question)[name, "curl"]
    if name == "completions" and (question.system or question.images):
        assert not snippet.text
        assert "no place" in str(snippet.why)
        return
    ask = ask_of(snippet.text, tmp_path)
    assert ask.model == question.model
    assert [turn.text for turn in ask.turns if turn.role == "user"] == [HARD]
    assert "".join(turn.text for turn in ask.turns if turn.role == "system") == question.system
    assert ask.nominated == question.nominated
    assert (ask.bench.explorers, ask.bench.timeout_s) == ((0, 2.5) if question is FULL else (None, None))
    pictures = [(one.data, one.mime or "image/png") for one in ask.media]
    assert pictures == [(image.base64, image.mime) for image in question.images]
    assert not ask.stream


@pytest.mark.parametrize("question", [PLAIN, FULL, PICTURED], ids=["plain", "full", "pictured"])
def test_python_is_python_and_takes_the_key_from_the_environment(question: Question) -> None:
    for (name, language), snippet in snippets(question).items():
        if language != "Python" or not snippet.text:
            assert language != "Python" or (name, question) == ("ollama", FULL)
            continue
        tree = ast.parse(snippet.text)
        assert "bwk_" not in snippet.text
        assert 'os.environ.get("BENCHWARMERS_KEY"' in snippet.text
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        assert HARD in texts, name
        assert question.model in texts


def body_in(script: str) -> Any:
    """The object that a script without pictures passes, which is written as JSON."""
    found = re.search(r"await client\.[\w.]+\((.*?)\);\nconsole\.log\(reply", script, re.S)
    assert found, script
    return msgspec.json.decode(found[1])


@pytest.mark.parametrize("question", [PLAIN, FULL], ids=["plain", "full"])
def test_javascript_passes_the_same_body(question: Question) -> None:
    found = snippets(question)
    for one in FORMATS:
        if (snippet := found.get((one.name, "JavaScript"))) is None:
            continue
        assert "process.env.BENCHWARMERS_KEY" in snippet.text
        body = body_in(snippet.text)
        if one.name == "gemini":
            assert body["contents"] == gemini_body(question)["contents"]
            assert body.get("config", {}).get("httpOptions", {}).get("extraBody", {}) == question.wishes
        else:
            assert body == one.body(question) | question.wishes


def test_a_script_reads_its_pictures_from_their_files() -> None:
    text = snippets(PICTURED)["chat", "JavaScript"].text
    assert '"url": "data:image/png;base64," + picture("it\'s a $cat.png")' in text
    assert 'import { readFileSync } from "node:fs";' in text


def test_a_library_that_can_nominate_nobody_says_so() -> None:
    assert not snippets(FULL)["ollama", "Python"].text
    assert snippets(FULL)["ollama", "JavaScript"].text
    assert snippets(PLAIN)["ollama", "Python"].text
