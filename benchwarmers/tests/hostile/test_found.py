"""What campaigns have found, each once: an input that a parser did not read and did not refuse in its own words, or
over which it sat for minutes."""

from __future__ import annotations

import json
from random import Random

import pytest

from benchwarmers.tests.hostile.fuzz.base import Target
from benchwarmers.tests.hostile.fuzz.files import PATCH, ROW, TASK
from benchwarmers.tests.hostile.fuzz.targets import all_targets

DEEP = b"[" * 100_000 + b"]" * 100_000
DIGITS = b"9" * 5_000
SLOWEST_S = 20.0
"""What is found below went on for much longer, or did not come back."""
TARGETS: dict[str, Target] = {target.name: target for target in all_targets()}


def task(**fields: object) -> bytes:
    return json.dumps({**TASK, **fields}).encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "request anthropic",
            b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a","tool_calls":[1]}]}',
        ),
        ("request gemini", b'{"contents":[{"role":"user","parts":[{"text":"a"}],"tool_calls":[1],"content":3}]}'),
        ("request openai_responses", b'{"model":"m","input":[{"role":"user","content":"a","tool_calls":7,"parts":7}]}'),
        ("request ollama", b'{"model":"m","messages":[{"role":"user","content":"a","parts":7,"content as sent":[7]}]}'),
        ("texts shown", b"0" * 60_000),
        ("error openai_chat", b"<" * 250_000),
        ("error openai_chat", b"<script " * 30_000),
        ("error gemini", b"<style>a</styl" * 20_000),
        ("reply openai_chat", b'data: {"error": {"code": "%b", "message": "m"}}\n\n' % DIGITS),
        ("reply gemini", b'{"error": {"code": "%b", "message": "m"}}' % DIGITS),
        ("set-up file", b"[settings]\nmax_calls = " + DIGITS),
        ("set-up file", b"a = " + DEEP),
        ("set-up file", b"[[" + b"x" * 50_000 + b"]]\n"),
        ("offline file", b"x" * 50_000 + b"\n1\n"),
        ("offline file", DEEP),
        ("task folder", DEEP),
        ("task folder", task(attach=7)),
        ("task folder", task(attach=["a\0b"])),
        ("task folder", task(attach=["/"])),
        ("task folder", task(attach=["x" * 5_000])),
        ("tests of promptfoo", b"prompts: [a]\ntests: [%b]" % (b"x" * 5_000)),
        ("task folder", task(shape="x" * 20_000)),
        ("key of a task", task(must_find=[{"any_of": ["\ud800"]}])),
        ("key of a task", task(must_find=["a"], score_in="\ud800")),
        ("key of a task", task(score_in="x" * 20_000)),
        ("key of a task", task(must_find=[{"regex": "(" * 5_000 + ")" * 5_000, "label": "x"}])),
        ("key of a task", task(must_find=[{"regex": "a{99999999999999999999}", "label": "x"}])),
        ("tests of promptfoo", b"prompts: [a]\ntests: " + DEEP[:600]),
        ("tests of promptfoo", b"prompts: [a]\ntests: [{vars: {a: " + DIGITS + b"}}]"),
        ("tests of promptfoo", b"prompts: [a]\ntests: [{assert: [{type: regex, value: '%b'}]}]" % (b"(" * 5_000)),
        ("rows of fixes", DEEP),
        ("rows of fixes", b'{"a": 1}\n' + DEEP),
        ("rows of fixes", json.dumps([{**ROW, "created_at": "x" * 20_000}]).encode()),
        ("patch", PATCH.replace("-3,5", "-" + "9" * 5_000).encode()),
        ("sign-in providers", DEEP),
        ("sign-in providers", b"[\xff]"),
        ("original config/endpoints.json", DEEP),
        ("original config/extra-openai-models.yaml", DEEP[:600]),
        ("original metrics/offloads.jsonl", DEEP),
        ("original perf/history.csv", b"a,b\n\xff,1\n"),
        ("original perf/history.csv", b'a,b\n"' + b"x" * 200_000),
        ("answer of a task", b"- one two " + b"[" * 60_000),
        ("answer of a task", b"===== FILE: a.py =" + b" " * 60_000 + b"x"),
        ("answer of a task", b"===== a.py\nx\n" * 15_000),
        ("command line", DEEP),
        ("command line", b"event:\ndata: " + DEEP + b"\n\n"),
        ("environment", b"BENCH_PORT=" + DIGITS),
        ("environment", b"BENCHWARMERS_TIME_ZONE=" + b"Europe/" * 400),
    ],
)
def test_it_is_read_or_refused_now(name: str, data: bytes) -> None:
    assert TARGETS[name].try_one(data, Random(0), SLOWEST_S)
