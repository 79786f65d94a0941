"""What a panel does not carry is named, and refused where the caller is strict."""

import pytest
from msgspec import Raw

from gateway.canon.ask import BenchField, Knobs, OutputFormat, Text, Thought, Turn
from gateway.canon.fault import BadRequest
from gateway.engine.receipt import for_seats, panel_receipt, refuse_losses
from gateway.engine.upstreams import Upstream
from gateway.tests.engine.world import ask, collection, model, plan, snapshot
from gateway.wire.base import Facts
from gateway.wire.openai_chat import CLIENT

TURNS = (Turn("user", (Text("hello"),)),)


def test_a_plain_request_is_carried_whole() -> None:
    asked = ask(turns=TURNS)
    assert panel_receipt(asked) == ()
    assert for_seats(asked).turns == TURNS


def test_everything_that_is_left_out_is_named() -> None:
    asked = ask(
        turns=(*TURNS, Turn("assistant", (Thought("hm"), Text("yes"))), *TURNS),
        knobs=Knobs(temperature=0.0, max_tokens=5),
        output=OutputFormat("json_object"),
        extras={"logit_bias": Raw(b"{}")},
    )
    notes = panel_receipt(asked)
    for word in ("temperature", "max_tokens", "logit_bias", "reasoning"):
        assert sum(word in note for note in notes) == 1, word
    assert len(notes) == 4
    sent = for_seats(asked)
    assert panel_receipt(sent) == ()
    assert sent.turns[1].parts == (Text("yes"),)
    assert sent.output == OutputFormat("json_object")


def test_a_strict_request_is_refused_with_what_would_be_lost() -> None:
    line_up = plan(ask(turns=TURNS), collection("m1"), snapshot(model("m1")))
    upstream = Upstream(CLIENT, "http://127.0.0.1/v1", {}, Facts(served="m1"))
    refuse_losses(ask(turns=TURNS, bench=BenchField(strict=True)), line_up, [upstream])
    formatted = ask(turns=TURNS, output=OutputFormat("json_object"), bench=BenchField(strict=True))
    refuse_losses(formatted, line_up, [upstream])
    lossy = ask(turns=TURNS, knobs=Knobs(seed=1))
    refuse_losses(lossy, line_up, [upstream])
    strict = ask(turns=TURNS, knobs=Knobs(seed=1), bench=BenchField(strict=True))
    with pytest.raises(BadRequest, match="seed was left out"):
        refuse_losses(strict, line_up, [upstream])
    with pytest.raises(BadRequest, match="seed"):
        refuse_losses(strict, line_up, [None])
