"""A newcomer's afternoon: ask, judge, look it up, and see the bench line up differently for it."""

import time
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


def explorer_of(reply: Any) -> Any:
    return next(seat for seat in reply["bench"]["seats"] if seat["seat"] == "explorer")


def judge(product: Product, call: str, **more: object) -> Any:
    return product.post("/bench/verdict", {"call": call, "useful": True, **more})


def test_a_verdict_is_recorded_and_changes_who_explores_next(product: Product) -> None:
    first = explorer_of(product.ask("fast"))
    second = explorer_of(product.ask("fast"))
    assert first["alias"] != second["alias"]
    third = explorer_of(product.ask("fast"))
    fourth = explorer_of(product.ask("fast"))
    assert len({seat["alias"] for seat in (first, second, third, fourth)}) == 4

    # The stalest is the first one again, unless it has just been judged: then the second is.
    status, told = judge(product, first["call"], note="checked against the docs", real=["the limit is per process"])
    assert (status, told["ok"]) == (200, True)
    time.sleep(0.05)
    assert explorer_of(product.ask("fast"))["alias"] == second["alias"]

    _, record = product.get("/bench/record?collection=bench/fast")
    assert record["aliases"][first["alias"]]["useful"] == 1
    assert record["aliases"][first["alias"]]["judged"] == 1


def test_a_verdict_can_be_given_the_moment_the_reply_is_there(product: Product) -> None:
    for _ in range(5):
        seat = product.ask("fast")["bench"]["seats"][0]
        status, told = judge(product, seat["call"])
        assert status == 200, told


def test_seats_wait_for_a_verdict_until_they_have_one(product: Product) -> None:
    seats = product.ask("fast")["bench"]["seats"]
    calls = [seat["call"] for seat in seats]
    assert product.post("/bench/pending", {"calls": calls})[1] == {"pending": calls}

    judge(product, calls[0])

    assert product.post("/bench/pending", {"calls": calls})[1] == {"pending": calls[1:]}


def test_turns_reach_a_member_as_turns(product: Product) -> None:
    turns = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "One?"},
        {"role": "assistant", "content": "1"},
        {"role": "user", "content": "Two?"},
    ]
    reply = product.post("/v1/chat/completions", {"model": "bench/fast", "messages": turns, "temperature": 0.3})[1]

    sent = product.provider.asked["says-quick"][-1]
    assert [(turn["role"], turn["content"]) for turn in sent["messages"]] == [
        (turn["role"], turn["content"]) for turn in turns
    ]
    assert "temperature" not in sent  # each seat samples as its own options say
    assert reply["bench"]["seats"][0]["answer"] == "quick"
