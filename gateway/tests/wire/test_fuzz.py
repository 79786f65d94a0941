"""Whatever a caller sends, a format reads it or refuses it with a sentence; what it has read can go out to every member
and be answered.

`FUZZ_BODIES` is the number of bodies for each format; a long run takes 20,000.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Thought, ToolCall
from gateway.canon.event import Finish, Usage
from gateway.canon.fault import LONGEST, BadRequest, CallerFault, UpstreamFault
from gateway.canon.flatten import flatten
from gateway.canon.reply import Reply, unfold
from gateway.tests.wire.bodies import SHARED, Sent, load_bodies
from gateway.tests.wire.mutate import mutate
from gateway.wire.base import Facts, ServerWire, Stamp
from gateway.wire.registry import CLIENTS, SERVERS

BODIES = int(os.environ.get("FUZZ_BODIES", "1500"))
LONGEST_S = 1.0
FACTS = (
    Facts("served/m"),
    Facts("served/m", stream=False, system_role=False, content_lists=False, plain_tools=True),
    Facts("gemini-3-pro", max_output=10, reasoning_field="reasoning_content", base="http://h/api"),
    Facts("m", options={"max_tokens": Raw(b"5"), "thinking": Raw(b'{"type":"enabled"}'), "text": Raw(b"1")}),
)
STAMP = Stamp("id_1", 1_796_000_000, "bench/core")


def reply_to(ask: Ask) -> Reply:
    """An answer that uses what the caller offered."""
    thought = Thought("hm", Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}'))
    calls = [
        ToolCall(f"c{at}", tool.name, "free" if tool.kind == "custom" else '{"a":1}', tool.kind == "custom")
        for at, tool in enumerate(ask.tools[:3])
    ]
    return Reply((thought, Text("It is."), *calls), "m", "id", Usage(5, 6, reasoning=1), Finish.STOP)


def send_on(ask: Ask, rng: Random, *, sound: bool) -> None:
    """To every member, and an answer back. `sound` says that the caller's bytes were UTF-8."""
    for wire in CLIENTS.values():
        try:
            outgoing = wire.write_ask(ask, rng.choice(FACTS))
        except (CallerFault, UpstreamFault):
            continue
        assert outgoing.path.startswith("/")
        assert all(outgoing.notes)
        if sound:
            assert isinstance(msgspec.json.decode(outgoing.body, type=dict[str, Raw]), dict)
    flatten(ask)
    server, reply = SERVERS[ask.protocol], reply_to(ask)
    assert server.writer(ask, STAMP).whole(reply)
    writer = server.writer(ask, STAMP)
    assert b"".join(map(writer.feed, unfold(reply)))


def try_body(name: str, sent: Sent, body: bytes, rng: Random) -> str:
    """What came of it: `read`, or the status of the refusal."""
    server = SERVERS[name]
    began = time.perf_counter()
    try:
        ask = server.read_ask(body, sent.path, sent.query)
    except CallerFault as fault:
        outcome = _judge(server, fault)
    else:
        assert isinstance(ask, Ask)
        send_on(ask, rng, sound=_is_utf8(body))
        outcome = "read"
    assert time.perf_counter() - began < LONGEST_S
    return outcome


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", list(SERVERS))
def test_a_body_is_read_or_refused_with_a_sentence(name: str) -> None:
    rng = Random(f"fuzz {name}")
    bodies = load_bodies()[name]
    texts = [json.dumps(sent.body) for sent in bodies]
    weights = [1 / (2_000 + len(text)) for text in texts]
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    for number in range(BODIES):
        (at,) = rng.choices(range(len(texts)), weights)
        body = mutate(rng, json.loads(texts[at]))
        began = time.perf_counter()
        try:
            outcomes[try_body(name, bodies[at], body, rng)] += 1
        except Exception as error:
            error.add_note(f"body {number} of {name}, {bodies[at].path}: {body[:3_000]!r}")
            raise
        slowest = max(slowest, time.perf_counter() - began)
    assert outcomes["read"] > BODIES // 20
    assert sum(outcomes.values()) - outcomes["read"] > BODIES // 20
    print(f"{name}: {dict(outcomes)} of {len(bodies)} bodies to begin from, the slowest {slowest * 1000:.0f} ms")


@pytest.mark.parametrize("name", list(SERVERS))
def test_the_bodies_to_begin_from_are_read(name: str) -> None:
    for sent in load_bodies()[name][:2]:
        send_on(SERVERS[name].read_ask(json.dumps(sent.body).encode(), sent.path, sent.query), Random(1), sound=True)


def test_the_folder_of_clients_is_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/clients beside this checkout: only the bodies written here are changed")
    assert all(len(bodies) > 2 for name, bodies in load_bodies().items() if name != "ollama_generate")


def _judge(server: ServerWire, fault: CallerFault) -> str:
    """The status of a refusal that says something."""
    assert 400 <= fault.status < 500
    assert fault.message.strip()
    assert len(fault.message) <= LONGEST + 1
    json.loads(server.error_body(fault))
    return str(fault.status)


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- what was found this way ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(SERVERS))
def test_a_body_must_be_utf8_in_what_nobody_reads_too(name: str) -> None:
    sent = load_bodies()[name][0]
    body = json.dumps({**sent.body, "unread": {"a": "?"}}).encode().replace(b"?", b"\xed\xa0\x80")
    with pytest.raises(BadRequest, match="UTF-8"):
        SERVERS[name].read_ask(body, sent.path, sent.query)


def test_a_refusal_quotes_no_more_than_can_be_read() -> None:
    with pytest.raises(BadRequest) as refused:
        SERVERS["anthropic"].read_ask(b'{"messages":[{"role":"%b","content":"a"}]}' % (b"x" * 100_000))
    assert len(refused.value.message) == LONGEST + 1


@pytest.mark.parametrize("response", [rb'"\ud800"', rb'{"result":"\ud800"}'])
def test_half_a_character_in_a_result_is_refused(response: bytes) -> None:
    part = b'{"functionResponse":{"id":"c","name":"f","response":%b}}' % response
    with pytest.raises(BadRequest):
        SERVERS["gemini"].read_ask(b'{"contents":[{"role":"user","parts":[%b]}]}' % part)


def test_line_separators_are_no_picture() -> None:
    with pytest.raises(BadRequest, match="not base64"):
        SERVERS["ollama"].read_ask('{"messages":[{"role":"user","images":["\u2028\u2029"]}]}'.encode())
