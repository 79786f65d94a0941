"""A panel that is asked for JSON, over real sockets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, OutputFormat
from gateway.canon.event import Closed, Event, TextDelta, Usage
from gateway.canon.fault import Broken
from gateway.engine.panel import PanelRun
from gateway.models import Panel, Seat
from gateway.tests.engine.rooms import Make, slow, texts
from gateway.tests.engine.upstream import refuses, says
from gateway.tests.engine.world import ask

PERSON = OutputFormat("json_schema", "person", Raw(b'{"type":"object","required":["name"]}'))
ADA = says('text {"name": "Ada"}', "usage 1 2", "end stop")
PROSE = says("text It is Ada.", "usage 100 200", "end stop")


def asked() -> Ask:
    return ask(output=PERSON)


async def streamed(run: PanelRun) -> list[Event]:
    return [event async for event in run.events()]


def bench_of(events: list[Event]) -> Any:
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.bench is not None
    return msgspec.json.decode(closed.bench)


@pytest.mark.parametrize("stream", [True, False])
async def test_the_reply_is_one_document_and_nothing_else(room: Make, stream: bool) -> None:
    one = await room(PROSE, slow(0.1, ADA), ADA)
    run = await one.open(asked())
    events = await streamed(run) if stream else await run.ended()
    assert texts(events) == ['{"name": "Ada"}']
    assert [type(event) for event in events] == [TextDelta, Usage, Closed]
    assert events[1] == Usage(102, 204)
    bench = bench_of(events)
    assert bench["structured"] == {"call": f"{run.id}.member2", "agree": 2, "of": 3}
    assert [seat["answer"] for seat in bench["seats"]] == ["It is Ada.", '{"name": "Ada"}', '{"name": "Ada"}']
    assert "translation" not in bench


async def test_every_seat_is_asked_for_the_format(room: Make) -> None:
    one = await room(ADA, PROSE)
    await (await one.open(asked())).ended()
    formats = [msgspec.json.decode(request.body)["ask"]["output"] for request in one.provider.requests]
    assert [(each["kind"], each["name"]) for each in formats] == [("json_schema", "person")] * 2


async def test_all_answers_are_recorded_as_always(room: Make) -> None:
    one = await room(ADA, PROSE)
    await (await one.open(asked())).ended()
    assert await one.query(lambda: list(Seat.objects.order_by("place").values_list("answer", flat=True))) == [
        '{"name": "Ada"}',
        "It is Ada.",
    ]
    assert (await one.query(Panel.objects.get)).left_out == []


@pytest.mark.parametrize("stream", [True, False])
async def test_a_panel_without_json_is_refused_by_its_id_and_recorded(room: Make, stream: bool) -> None:
    one = await room(PROSE, refuses(401, body=b'{"message": "bad key", "code": ""}'))
    run = await one.open(asked())
    with pytest.raises(Broken, match=run.id) as refused:
        await (streamed(run) if stream else run.ended())
    assert refused.value.status == 502
    assert "m1 (its answer is not JSON); m2 (401: bad key)" in refused.value.message
    assert await one.seats() == [("m1", "ok"), ("m2", "error")]
    assert (await one.panel()).state == "done"


async def test_a_panel_in_words_has_no_structured_key(room: Make) -> None:
    one = await room(ADA)
    assert "structured" not in bench_of(await (await one.open()).ended())
