"""Whose sealed reasoning goes to whom."""

from __future__ import annotations

import json

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Part, Text, Thought, ToolCall, ToolResult, Turn
from gateway.engine.seals import digest, digests_of, seals_in, without_foreign
from gateway.tests.engine.world import ask
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS

MINE, OTHERS = Raw(b'"mine"'), Raw(b'"theirs"')
OWN = frozenset({digest(MINE)}).__contains__
CALL = ToolCall("c1", "look", "{}", seal=OTHERS)
RESULT = Turn("user", (ToolResult("c1", (Text("done"),)),))


def history(*parts: Part, **extras: Raw) -> Ask:
    """A question, what was answered with these parts, and a word after it."""
    return ask(turns=(*ask().turns, Turn("assistant", parts, extras=extras), RESULT))


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ((Thought("hm", OTHERS), Text("Yes.")), (Text("Yes."),)),
        ((Thought("", OTHERS), CALL), (ToolCall("c1", "look", "{}"),)),
        ((Thought("hm", MINE), CALL), (Thought("hm", MINE), ToolCall("c1", "look", "{}"))),
        ((Thought("open"), Thought("hm", OTHERS), Text("Yes.")), (Thought("open"), Text("Yes."))),
    ],
)
def test_what_another_member_sealed_is_left_out(parts: tuple[Part, ...], kept: tuple[Part, ...]) -> None:
    sent = without_foreign(history(*parts), OWN)
    assert sent.turns[1].parts == kept
    assert (sent.turns[0], sent.turns[2]) == (ask().turns[0], RESULT)


def test_a_request_with_own_seals_alone_is_the_very_same() -> None:
    asked = history(Thought("hm", MINE), Text("Yes."), content=Raw(b"[1]"))
    assert without_foreign(asked, OWN) is asked


def test_the_bytes_a_turn_came_in_are_dropped_with_a_foreign_seal_and_the_rest_is_kept() -> None:
    asked = history(Thought("hm", OTHERS), Text("Yes."), content=Raw(b"[1]"), parts=Raw(b"[2]"), phase=Raw(b'"end"'))
    assert without_foreign(asked, OWN).turns[1].extras == {"phase": Raw(b'"end"')}


def test_a_turn_of_foreign_thoughts_alone_goes_with_them() -> None:
    asked = ask(turns=(*ask().turns, Turn("assistant", (Thought("", OTHERS),)), Turn("user", (Text("And?"),))))
    assert [turn.role for turn in without_foreign(asked, OWN).turns] == ["user", "user"]


def test_a_turn_that_came_empty_stays_as_it_came() -> None:
    asked = ask(turns=(*ask().turns, Turn("assistant"), Turn("assistant", (Thought("", OTHERS), Text("Yes.")))))
    assert without_foreign(asked, OWN).turns[1] == Turn("assistant")


@pytest.mark.parametrize("wire", CLIENTS)
def test_no_member_of_any_protocol_is_sent_a_byte_of_a_foreign_seal(wire: str) -> None:
    asked = history(Thought("secret", Raw(json.dumps("S" * 40).encode())), CALL, content=Raw(b'["SSSS"]'))
    sent = without_foreign(asked, OWN)
    for protocol in CLIENTS:
        body = CLIENTS[wire].write_ask(Ask(protocol, sent.model, sent.turns), Facts("m")).body
        assert b"SSSS" not in body
        assert b"theirs" not in body
        assert b"look" in body


def test_seals_are_found_and_named_by_their_bytes() -> None:
    assert not seals_in(ask())
    assert not seals_in(history(Thought("open"), Text("Yes.")))
    assert seals_in(history(CALL))
    assert list(digests_of((Thought("hm", MINE), Text("x"), CALL, Thought("open")))) == [digest(MINE), digest(OTHERS)]


@pytest.mark.parametrize(
    ("sealed", "back"),
    [
        (b'"AbC+/=="', b'"AbC+\\/\\u003d\\u003d"'),
        (b'"mine"', b' "mine" '),
        (
            b'{"anthropic":{"type":"thinking","signature":"EqQBCkYICRgC"}}',
            b'{"anthropic": {"signature": "EqQBCkYICRgC", "type": "thinking"}}',
        ),
        (
            b'{"x":{"id":"rs_1","encrypted_content":"gAAAAABo0000","status":null,"content":[]}}',
            b'{"x":{"encrypted_content":"gAAAAABo0000","id":"rs_1"}}',
        ),
        (b'{"a":1,"b":2}', b'{"b": 2, "a": 1}'),
    ],
)
def test_a_seal_keeps_its_name_on_its_way_through_a_client(sealed: bytes, back: bytes) -> None:
    assert digest(Raw(sealed)) == digest(Raw(back))


def test_seals_with_other_state_in_them_have_other_names() -> None:
    seals = [b'"mine"', b'"mind"', b'{"a":{"signature":"xyz"}}', b'{"a":{"signature":"xyy"}}', b"{broken", b"7", b"{}"]
    assert len({digest(Raw(seal)) for seal in seals}) == len(seals)
