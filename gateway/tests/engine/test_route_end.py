"""The one fault of a turn that nobody answered, or that broke off."""

from __future__ import annotations

import pytest

from gateway.canon.ask import Text, ToolCall
from gateway.canon.event import Finish
from gateway.canon.fault import Broken, ErrorInReply, NotSent, Rejected, Silent, Unreachable, UpstreamFault
from gateway.canon.reply import Reply
from gateway.engine.route import _settled
from gateway.engine.route_end import Tried, broke_off, empty_reply, nobody_answered

DATA = "aGVsbG8" * 40


def no(status: int, wait: float | None = None, words: str = "no") -> Rejected:
    return Rejected(f"{status}: {words}", upstream_status=status, wait=wait)


def tried(*faults: UpstreamFault) -> list[Tried]:
    return [Tried(f"m{place}", f"line{place}", fault) for place, fault in enumerate(faults, 1)]


@pytest.mark.parametrize(
    ("faults", "status", "wait"),
    [
        ((no(429, 5.0), no(429, 700.0), no(429)), 429, 700.0),
        ((no(429), no(429)), 429, None),
        ((no(400), no(400)), 400, None),
        ((no(404),), 404, None),
        ((no(413, 9.0),), 413, None),
        ((no(429, 5.0), no(400)), 502, None),
        ((no(429, 5.0), Unreachable("gone")), 502, None),
        ((no(500), no(500)), 502, None),
        ((no(529, 3.0),), 502, None),
        ((no(307),), 502, None),
        ((Unreachable("gone"), Silent("nothing in 90 s"), Broken("cut")), 502, None),
        ((NotSent("no key"),), 502, None),
        ((empty_reply(),), 502, None),
        ((ErrorInReply("busy", upstream_status=429, wait=4.0),), 429, 4.0),
    ],
)
def test_a_refusal_that_all_share_is_the_callers_and_anything_else_is_502(
    faults: tuple[UpstreamFault, ...], status: int, wait: float | None
) -> None:
    fault = nobody_answered("bench/core", tried(*faults))
    assert (fault.status, fault.wait, fault.code) == (status, wait, "nobody_answered")
    assert fault.message.startswith("No member of bench/core answered: m1: ")
    assert all(f"m{place}: " in fault.message for place in range(1, len(faults) + 1))


@pytest.mark.parametrize("statuses", [(401, 401), (403, 403), (401, 403)])
def test_refused_credentials_are_the_operators_business(statuses: tuple[int, int]) -> None:
    fault = nobody_answered("bench/core", tried(*map(no, statuses)))
    assert (fault.status, fault.code) == (502, "upstream_credentials")
    assert "the credentials of line1, line2 were refused; its operator must mend them" in fault.message


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        (None, "an empty reply"),
        (Finish.STOP, "an empty reply"),
        (Finish.LENGTH, "an empty reply: its budget of tokens was spent before the first word; allow more"),
        (Finish.CONTENT_FILTER, "an empty reply: its provider's filter withheld the answer"),
    ],
)
def test_an_empty_reply_says_why_where_that_is_known(finish: Finish | None, words: str) -> None:
    assert empty_reply(finish).message == words


def test_of_each_member_200_characters_are_quoted() -> None:
    fault = nobody_answered("bench/core", tried(no(500, words="y" * 900), no(500)))
    assert f"m1: {('500: ' + 'y' * 900)[:200]}; m2: 500: no" in fault.message


def test_what_the_caller_attached_is_in_no_message() -> None:
    fault = no(400, words=f"bad image data:image/png;base64,{DATA}")
    one = Tried("m1", "line1", fault, redact=True)
    assert DATA not in one.error
    assert DATA not in nobody_answered("bench/core", [one]).message
    assert DATA not in broke_off("m1", fault, redact=True).message
    assert DATA in Tried("m1", "line1", fault).error


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Broken("cut", code="broke_off"), 502, "broke_off"),
        (Silent("no answer in 600 s"), 502, "broke_off"),
        (ErrorInReply("busy", upstream_status=503), 503, "broke_off"),
        (ErrorInReply("slow down", upstream_status=429), 429, "broke_off"),
        (empty_reply(), 502, "empty_reply"),
    ],
)
def test_a_turn_that_broke_off_names_its_member_and_has_the_upstreams_status(
    fault: UpstreamFault, status: int, code: str
) -> None:
    told = broke_off("m1", fault, redact=False)
    assert (told.status, told.code) == (status, code)
    assert told.message == f"m1 failed part way through the turn: {fault.message}"


CALL = ToolCall("c1", "look", "{}")


@pytest.mark.parametrize(
    ("parts", "said", "settled"),
    [
        ((Text("Yes."),), Finish.STOP, Finish.STOP),
        ((Text("Yes."),), Finish.TOOL_USE, Finish.STOP),
        ((Text("Yes."),), Finish.LENGTH, Finish.LENGTH),
        ((Text("Yes."),), None, None),
        ((CALL,), Finish.STOP, Finish.TOOL_USE),
        ((CALL,), None, Finish.TOOL_USE),
        ((Text("Look."), CALL), Finish.TOOL_USE, Finish.TOOL_USE),
        ((CALL,), Finish.LENGTH, Finish.LENGTH),
        ((CALL,), Finish.CONTENT_FILTER, Finish.CONTENT_FILTER),
    ],
)
def test_the_finish_says_what_the_reply_holds(
    parts: tuple[Text | ToolCall, ...], said: Finish | None, settled: Finish | None
) -> None:
    assert _settled(Reply(parts=parts, finish=said)).finish is settled
