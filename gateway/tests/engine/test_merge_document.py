"""Merged panels that are asked for JSON."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gateway.canon.ask import OutputFormat
from gateway.canon.fault import Broken
from gateway.tests.engine.merging import MERGED, bench_of, both, merge_requests, merged, streamed
from gateway.tests.engine.rooms import Make, texts
from gateway.tests.engine.upstream import Script, refuses, says
from gateway.tests.engine.world import ask

BAD_KEY = refuses(401, body=b'{"message": "bad key", "code": ""}')
PERSON = OutputFormat("json_schema", "person", msgspec.Raw(b'{"type":"object","required":["name"]}'))
ADA = says('text {"name": "Ada"}', "end stop")
BOB = says('text {"name": "Bob"}', "usage 1 1", "end stop")


def as_json() -> Any:
    return ask(model=MERGED, output=PERSON)


@pytest.mark.parametrize("stream", [True, False])
async def test_where_json_is_asked_for_the_reply_is_the_mergers_document(room: Make, stream: bool) -> None:
    one = await room(both(ADA, says('text {"name":', 'text  "Eve"}', "end stop")), BOB)
    run = await merged(one, as_json())
    events = await (streamed(run) if stream else run.ended())
    assert texts(events) == ['{"name": "Eve"}']
    bench = bench_of(events)
    assert bench["reply"] == "merged"
    assert "structured" not in bench
    (request,) = merge_requests(one)
    assert msgspec.json.decode(request.body)["ask"]["output"]["name"] == "person"


@pytest.mark.parametrize(
    ("merger", "note"),
    [
        (says("text It is Eve.", "end stop"), "m1 gave no document of the format that was asked for"),
        (says('text {"age": 3}', "end stop"), "m1 gave no document of the format that was asked for"),
        (BAD_KEY, "m1 failed: 401: bad key"),
    ],
    ids=["prose", "does not fit", "refused"],
)
async def test_else_it_is_the_document_of_the_seats(room: Make, merger: Script, note: str) -> None:
    one = await room(both(ADA, merger), BOB, BOB)
    run = await merged(one, as_json())
    events = await run.ended()
    assert texts(events) == ['{"name": "Bob"}']
    bench = bench_of(events)
    assert (bench["reply"], bench["note"]) == ("all", note)
    assert bench["structured"] == {"call": f"{run.id}.member2", "agree": 2, "of": 3}


async def test_without_any_document_the_request_fails(room: Make) -> None:
    one = await room(both(says("text Eve.", "end stop"), says("text Eve!", "end stop")))
    run = await merged(one, as_json())
    with pytest.raises(Broken, match=run.id):
        await run.ended()
