"""Reading and judging answers by a program, as far as its person may, and blind where they want it so."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.tests.api.given import Program, journal
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, make_panel
from benchwarmers.tests.pages.shades import Proposes, make_shadow
from benchwarmers.tests.pages.talks import Took, make_talk
from collections_app.models import Verdict
from gateway.models import Panel, Reading, Seat

SHAPE = {"call", "model", "at", "prompt", "seat", "alias", "status", "seconds", "answer", "error"}
SAID = {"useful", "note", "real", "false"}


@pytest.fixture
def ben(bens_panel: str) -> Program:
    return Program("ben")


@pytest.fixture
def pair(world: None) -> str:
    answers = [Played("member", "granite-l", "ok", 3.2, "A"), Played("member", "osprey", "ok", 1.0, "B")]
    return make_panel(NOON, "core", "Which?", answers, owner="ben", number=7)


def test_a_seat_is_told_with_its_answer(ben: Program, bens_panel: str) -> None:
    told = ben.get(f"/api/gateway-seat?call={bens_panel}.member1")
    assert told.keys() == {"ok", "finished", "hidden", "calls"} | SHAPE | SAID
    assert (told["model"], told["alias"], told["answer"], told["prompt"]) == (
        *("bench/core", "granite-l", "To sit on.", "What is a bench for?"),
    )
    assert (told["useful"], told["real"]) == (None, [])
    assert "429" in ben.get(f"/api/gateway-seat?call={bens_panel}.member2")["error"]


def test_a_long_prompt_is_cut(ben: Program, bens_panel: str) -> None:
    Panel.objects.update(prompt="x" * 30_000)
    assert len(ben.get(f"/api/gateway-seat?call={bens_panel}.member1")["prompt"]) == 20_000


def test_a_verdict_is_recorded_changed_and_taken_back(ben: Program, bens_panel: str) -> None:
    call = f"{bens_panel}.member1"
    said = {"useful": True, "note": " Found  it. ", "real": ["It is\nlong."], "false": "Wrong.\nAlso wrong."}
    told = ben.post("/api/verdict", {"call": call, **said})
    assert told["recorded"] == {
        "useful": True,
        "note": "Found it.",
        "real": ["It is long."],
        "false": ["Wrong.", "Also wrong."],
    }
    ben.post("/api/verdict", {"call": call, "useful": False})
    row = Verdict.objects.get()
    assert (row.useful, row.note, row.real, row.judge_name, row.blind) == (False, "", [], "ben", False)
    assert ben.post("/api/verdict", {"call": call, "withdraw": True})["recorded"]["useful"] is None
    assert not Verdict.objects.exists()
    assert {(who, thing) for who, thing, *_ in journal()} == {("ben", "verdict")}


@pytest.mark.parametrize(("said", "words"), [
    ({}, "useful: Choose useful or not useful."),
    ({"useful": "yes"}, "useful: It is true or false"),
    ({"useful": True, "withdraw": True}, "withdraw: "),
    ({"useful": True, "real": ["a"], "false": ["a"]}, "cannot both hold and be false"),
    ({"useful": True, "real": [1]}, "real: "),
    ({"useful": True, "stars": 5}, "stars: There is no such field"),
])  # fmt: skip
def test_a_verdict_that_says_nothing_is_refused(
    ben: Program, bens_panel: str, said: dict[str, Any], words: str
) -> None:
    assert words in ben.refused("/api/verdict", {"call": f"{bens_panel}.member1", **said})
    assert not Verdict.objects.exists()


def test_a_seat_that_runs_cannot_be_judged(ben: Program, bens_panel: str) -> None:
    Seat.objects.filter(call=f"{bens_panel}.member1").update(status="asked")
    assert "not finished" in ben.refused("/api/verdict", {"call": f"{bens_panel}.member1", "useful": True})


def test_what_others_asked_is_not_there_unless_one_may_see_all(bens_panel: str) -> None:
    call = f"{bens_panel}.member1"
    Panel.objects.update(owner=None, caller="somebody")
    for named in (call, f"{bens_panel}.member9", "nonsense", "r1.shadow1", "r1.shadowx"):
        Program("ben").get(f"/api/gateway-seat?call={named}", 404)
        Program("ben").refused("/api/verdict", {"call": named, "useful": True}, 404)
    boss = Program("boss")
    boss.get(f"/api/gateway-seat?call={call}")
    boss.get(f"/api/gateway-seat?call={call}")
    assert Reading.objects.get().reader_name == "boss"
    assert not Verdict.objects.exists()
    for query in ("", "?call=", f"?call={call}&blind=yes"):
        boss.get(f"/api/gateway-seat{query}", 400)


def test_who_judges_blind_is_told_who_answered_once_all_is_judged(pair: str) -> None:
    ben = Program("ben")
    told = ben.get(f"/api/gateway-seat?call={pair}.member1&blind=1")
    assert told["hidden"] is True
    assert "granite-l" not in str(told)
    assert f"{pair}.member1" not in str(told)
    assert (told["answer"], told["seconds"]) == ("A", 0.0)
    after = ben.post("/api/verdict", {"call": told["call"], "useful": True, "blind": True})
    assert after["call"] == told["call"]
    other = ben.get(f"/api/gateway-seat?call={pair}.member2&blind=1")["call"]
    assert ben.post("/api/verdict", {"call": other, "useful": False, "blind": True})["call"] == f"{pair}.member2"
    assert ben.get(f"/api/gateway-seat?call={pair}.member1&blind=1")["alias"] == "granite-l"
    assert list(Verdict.objects.values_list("blind", flat=True)) == [True, True]


def test_a_member_and_a_shadow_of_a_conversation_are_judged_too(world: None) -> None:
    talk = make_talk(NOON, "core", "Fix the build", [Took("osprey", tools=("Edit",))] * 3, owner="ben")
    make_shadow(talk, 2, "wren", Proposes("I would look first.", (("Read", "{}"),)))
    ben = Program("ben")
    member = ben.get(f"/api/gateway-seat?call={talk}.1")
    assert (member["alias"], member["seat"], member["prompt"]) == ("osprey", "member", "Fix the build")
    shadow = ben.get(f"/api/gateway-seat?call={talk}.shadow2")
    assert (shadow["alias"], shadow["seat"]) == ("wren", "shadow")
    assert (shadow["answer"], [call["name"] for call in shadow["calls"]]) == ("I would look first.", ["Read"])
    for call in (member["call"], shadow["call"]):
        assert ben.post("/api/verdict", {"call": call, "useful": True})["recorded"]["useful"] is True
        Program("zoe").get(f"/api/gateway-seat?call={call}", 404)
    ben.get(f"/api/gateway-seat?call={talk}.2", 404)
