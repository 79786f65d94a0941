"""A panel of five members, each behind another API, all of them the practice squad of this installation itself."""

import json
import time
from typing import Any

import pytest

from benchwarmers.tests.live.product import SQUAD, Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]

SUM = "What is 17 + 25?"


def seats_in_database(product: Product, calls: list[str], wait_s: float = 10) -> dict[str, dict[str, Any]]:
    """The fields of these seats by alias, once all have ended."""
    until = time.monotonic() + wait_s
    while True:
        rows = json.loads(product.manage("dumpdata", "gateway.seat", "--pks", ",".join(calls)))
        seats = {row["fields"]["alias"]: row["fields"] for row in rows}
        if (len(seats) == len(calls) and all(seat["finished_at"] for seat in seats.values())) or (
            time.monotonic() > until
        ):
            return seats


def streamed(product: Product, **fields: Any) -> list[Any]:
    """The chunks of a streamed reply."""
    ask = {"messages": [{"role": "user", "content": SUM}], "stream": True, **fields}
    status, headers, body = product.request("POST", "/v1/chat/completions", json.dumps(ask).encode())
    assert status == 200, body
    assert headers["content-type"].startswith("text/event-stream")
    lines = [line.removeprefix("data: ") for line in body.decode().splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_five_apis_answer_as_one_panel(product: Product) -> None:
    reply = product.ask("five", SUM)
    seats = {seat["alias"]: seat for seat in reply["bench"]["seats"]}
    assert list(seats) == [f"{api}-terse" for api in SQUAD]
    assert {seat["status"] for seat in seats.values()} == {"ok"}, seats
    assert {seat["answer"] for seat in seats.values()} == {"42"}
    assert reply["usage"]["completion_tokens"] == 5
    rows = seats_in_database(product, [seat["call"] for seat in seats.values()])
    assert {row["finish"] for row in rows.values()} == {"stop"}
    assert all(row["tokens_in"] > 3 and row["tokens_out"] == 1 for row in rows.values()), rows


def test_five_apis_answer_as_one_stream(product: Product) -> None:
    chunks = streamed(product, model="bench/five", stream_options={"include_usage": True})
    text = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])
    bench = next(chunk["bench"] for chunk in chunks if "bench" in chunk)
    assert [(seat["alias"], seat["status"], seat["answer"]) for seat in bench["seats"]] == [
        (f"{api}-terse", "ok", "42") for api in SQUAD
    ]
    assert all(seat["call"] in text for seat in bench["seats"])
    assert chunks[-1]["usage"]["completion_tokens"] == 5


def test_thoughts_arrive_in_the_seats_whatever_the_api(product: Product) -> None:
    reply = product.ask("thinkers", SUM)
    rows = seats_in_database(product, [seat["call"] for seat in reply["bench"]["seats"]])
    assert set(rows) == {f"{api}-thinker" for api in SQUAD}
    for alias, row in rows.items():
        assert row["status"] == "ok", alias
        assert row["answer"] == "17 + 25 = 42, checked twice.", alias
        assert "It holds a calculation, 17 + 25." in row["reasoning"], alias
        assert row["reasoning"].count("calculation") == 1, alias
