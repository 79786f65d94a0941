"""Whether a failed or empty attempt is made again, and how."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Raw

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import Finish, Usage
from gateway.canon.fault import BadRequest, Broken, Fault, NotSent, Rejected, Silent, Unreachable
from gateway.canon.reply import Reply
from gateway.engine.retry import larger_budget, retry_wait
from gateway.wire.base import Facts

FACTS = Facts(served="m")
LONG = Reply(finish=Finish.LENGTH)


def refused(status: int, message: str = "", wait: float | None = None) -> Rejected:
    return Rejected(message, upstream_status=status, wait=wait)


@pytest.mark.parametrize(
    "fault",
    [refused(400), refused(401), refused(404), Broken("cut"), Silent("late"), NotSent("no key"), BadRequest("no")],
    ids=lambda fault: type(fault).__name__,
)
def test_what_cannot_get_better_is_not_tried_again(fault: Fault) -> None:
    assert retry_wait(fault, 0, Random(1)) is None


@pytest.mark.parametrize(("wait", "expected"), [(0.2, 0.2), (1, 1), (60, 60), (60.1, None), (61, None), (86_400, None)])
def test_a_stated_wait_is_kept_up_to_a_minute_and_final_beyond(wait: float, expected: float | None) -> None:
    assert retry_wait(refused(429, wait=wait), 0, Random(1)) == expected


@pytest.mark.parametrize(("held_s", "expected"), [(0.4, 34), (26, 34), (27, None), (300, None)])
def test_stated_waits_come_to_a_minute_at_most_with_those_before(held_s: float, expected: float | None) -> None:
    assert retry_wait(refused(429, wait=34), 1, Random(1), held_s) == expected
    assert retry_wait(refused(503), 1, Random(1), held_s) is not None


@pytest.mark.parametrize("wait", [None, 0.0])
@pytest.mark.parametrize(("tries", "longest"), [(0, 0.5), (1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (9, 8.0)])
def test_an_unstated_wait_doubles_up_to_eight_seconds(wait: float | None, tries: int, longest: float) -> None:
    waits = [retry_wait(refused(503, wait=wait), tries, Random(seed)) for seed in range(200)]
    assert all(found is not None and 0.75 * longest <= found <= longest for found in waits)
    assert len(set(waits)) > 100


def test_a_lost_connection_is_tried_again() -> None:
    assert retry_wait(Unreachable("reset"), 0, Random(1)) is not None


@pytest.mark.parametrize(
    ("options", "used", "cap", "grown"),
    [
        ({"max_tokens": b"100"}, None, None, ("max_tokens", 200)),
        ({"max_completion_tokens": b"100"}, None, None, ("max_completion_tokens", 200)),
        ({"max_tokens": b"100"}, None, 150, ("max_tokens", 150)),
        ({"max_tokens": b"100"}, None, 100, None),
        ({"max_tokens": b"100"}, None, 50, None),
        ({}, 4_096, None, ("max_tokens", 8_192)),
        ({}, None, None, None),
        ({}, 0, None, None),
        ({"max_tokens": b'"many"'}, 30, None, ("max_tokens", 60)),
        ({"max_tokens": b"null"}, 30, None, ("max_tokens", 60)),
    ],
)
def test_a_budget_spent_before_the_first_word_is_doubled(
    options: dict[str, bytes], used: int | None, cap: int | None, grown: tuple[str, int] | None
) -> None:
    facts = Facts(served="m", options={name: Raw(value) for name, value in options.items()}, max_output=cap)
    reply = Reply(finish=Finish.LENGTH, usage=None if used is None else Usage(output=used))
    found = larger_budget(facts, reply)
    if grown is None:
        assert found is None
    else:
        assert found is not None
        assert int(bytes(found.options[grown[0]])) == grown[1]


def test_the_other_options_stay_when_a_budget_grows() -> None:
    facts = Facts(served="m", options={"max_tokens": Raw(b"5"), "top_p": Raw(b"0.5")})
    found = larger_budget(facts, LONG)
    assert found is not None
    assert bytes(found.options["top_p"]) == b"0.5"
    assert bytes(facts.options["max_tokens"]) == b"5"


@pytest.mark.parametrize(
    ("reply", "again"),
    [
        (Reply(finish=Finish.LENGTH), True),
        (Reply((Thought("hm"),), finish=Finish.LENGTH), True),
        (Reply((Text("The sky"),), finish=Finish.LENGTH), False),
        (Reply((ToolCall("1", "go", "{}"),), finish=Finish.LENGTH), False),
        (Reply(finish=Finish.STOP), False),
        (Reply(finish=Finish.LENGTH, fault=Broken("cut")), False),
    ],
)
def test_only_a_spent_budget_without_a_word_is_given_a_larger_one(reply: Reply, again: bool) -> None:
    facts = Facts(served="m", options={"max_tokens": Raw(b"5")})
    assert (larger_budget(facts, reply) is not None) is again
