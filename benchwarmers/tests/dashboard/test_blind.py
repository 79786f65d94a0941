"""Judging blind: nothing tells who answered before all of a panel is judged, on no page, fragment, list or file."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client

from benchwarmers.dashboard.contribution_sums import Chair, Judged, Said, make_page
from benchwarmers.dashboard.veil import handle_of, is_covered, see_board
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.actions.claim import do_settle_claim
from collections_app.claim_map import Claim, Wording
from collections_app.models import Verdict
from gateway.models import Panel

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
SECRETS = (
    "granite-l",
    "osprey",
    "wren",
    "heron",
    "harbour",
    "member",
    "explorer",
    "1111",
    "2222",
    "7.7",
    "maya",
    "why-so",
)


@pytest.fixture
def panel() -> str:
    """A panel of ben's with a merged answer, of which maya and boss judged some."""
    seats = [
        Played("member", "granite-l", "ok", 7.7, "- Lorem is the first\n- Dolor stands", first=2.2222, why="why-so"),
        Played("member", "osprey", "error", 7.7, error="429 from harbour"),
        Played("explorer", "wren", "ok", 7.7, "- Lorem is first", first=1.1111, why="why-so"),
        Played("merger", "heron-70b", "ok", 7.7, "As wren says (member granite-l agrees), lorem is first."),
    ]
    made = make_panel(
        NOON, "core", "Which word?", seats, owner="ben", skipped=[{"seat": "x", "alias": "quill-2", "why": "rests"}]
    )
    judge("maya", f"{made}.member1", False, note="maya doubts", false=("Dolor stands",))
    wordings = (Wording(f"{made}.member1", "Lorem is the first"), Wording(f"{made}.explorer", "Lorem is first"))
    boss = User.objects.get(username="boss")
    do_settle_claim(actor=boss, by="maya", panel=made, claims=[Claim(None, wordings[0].text, wordings)], now=NOON)
    return made


@pytest.fixture
def ben(as_person: As) -> Client:
    client = as_person("ben")
    assert client.post("/judge/blind", {"on": "1", "next": "/judge/"})["Location"] == "/judge/"
    return client


def inner(client: Client, address: str, **headers: str) -> str:
    """What a page says, without the frame and without what its reader may be called."""
    text = client.get(address, headers=headers or None).content.decode()
    text = text[text.index("<main") : text.index("</main>")] if "<main" in text else text
    return re.sub(r'class="[^"]*"|csrfmiddlewaretoken"[^>]*|<time.*?</time>', "", text)


def told(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def handle(panel: str, call: str) -> str:
    return handle_of(User.objects.get(username="ben"), panel, f"{panel}.{call}")


def test_nothing_on_any_page_tells_who_answered(ben: Client, panel: str) -> None:
    pages = ["/judge/", "/judge/?whose=all", f"/panels/{panel}/", f"/panels/{panel}/?diff=1,2", "/panels/"]
    pages += [f"/judge/?at={handle(panel, call)}" for call in ("member1", "explorer", "merger", "member2")]
    for address in pages:
        assert told(inner(ben, address)) == [], address
    for address in (f"/panels/{panel}/live/", "/judge/", "/judge/?part=rail", "/panels/"):
        assert told(inner(ben, address, **HTMX)) == [], address
    rows = ben.get("/panels/?format=csv").content.decode().splitlines()[1]
    assert told(rows) == []
    assert ",,4,3,0," in rows  # no seconds, three answers of four seats, none judged by ben


def test_the_answers_themselves_are_there_and_the_merged_one_names_seats_by_number(ben: Client, panel: str) -> None:
    page = inner(ben, f"/panels/{panel}/")
    assert "Dolor stands" in page
    person = User.objects.get(username="ben")
    board = see_board(Panel.objects.get(pk=panel), person, blind=True)
    number = {card.seat.call: card.number for card in board.cards}
    one, other = number[handle(panel, "explorer")], number[handle(panel, "member1")]
    assert f"As Seat {one} says (Seat {other} agrees), lorem is first." in page


def test_the_order_is_each_readers_own_and_stays(ben: Client) -> None:
    made = [
        make_panel(NOON, "core", "x", [Played("member", "wren", "ok", 1.0, f"{n}") for n in range(6)], number=number)
        for number in range(4)
    ]

    def order(name: str) -> list[list[str]]:
        person = User.objects.get(username=name)
        boards = [see_board(Panel.objects.get(pk=panel), person, blind=True) for panel in made]
        return [[card.seat.answer for card in board.cards] for board in boards]

    assert order("maya") == order("maya")
    assert order("maya") != order("boss")
    assert len({tuple(one) for one in order("maya")}) > 1


def test_in_the_queue_the_seats_of_a_panel_stand_together_in_no_order_that_tells(ben: Client, panel: str) -> None:
    addresses, at = [], "/judge/"
    while at:
        page = ben.get(at).content.decode()
        addresses += re.findall(r"/judge/(p[^/]+)/verdict", page)[:1]
        following = re.search(r'rel="next" href="([^"]+)"', page)
        at = following[1].replace("&amp;", "&") if following else ""
    calls = [handle(panel, call) for call in ("member1", "explorer", "merger")]
    assert addresses == [*sorted(calls), handle(panel, "member2")]


def test_whoever_judges_blind_goes_on_to_the_end_of_a_panel_first(ben: Client, panel: str) -> None:
    made = make_panel(NOON, "core", "y", [Played("member", "tern-mini", "ok", 1.0, "b")], owner="ben", number=1)
    order = sorted(handle(panel, call) for call in ("member1", "explorer", "merger"))
    led = [ben.post(f"/judge/{call}/verdict", {"useful": "yes"})["Location"] for call in (order[1], order[2], order[0])]
    assert led == [f"/judge/?at={order[2]}", f"/judge/?at={order[0]}", "/judge/"]
    assert f"{made}." in ben.get("/judge/").content.decode()


def test_verdicts_say_that_they_were_blind_until_the_panel_is_uncovered(ben: Client, panel: str) -> None:
    for call in ("member1", "explorer"):
        answer = ben.post(f"/panels/{panel}/seats/{handle(panel, call)}/verdict", {"useful": "yes"}, headers=HTMX)
        assert told(re.sub(r'class="[^"]*"', "", answer.content.decode())) == []
    last = ben.post(f"/panels/{panel}/seats/{handle(panel, 'merger')}/verdict", {"useful": "no"}, headers=HTMX)
    assert (last.status_code, last["HX-Refresh"]) == (204, "true")
    page = inner(ben, f"/panels/{panel}/")
    assert {"granite-l", "osprey", "wren", "heron", "maya"} <= set(told(page))
    assert set(Verdict.objects.filter(judge_name="ben").values_list("blind", flat=True)) == {True}
    ben.post(f"/panels/{panel}/seats/{panel}.member1/verdict", {"useful": "yes", "note": "now with a note"})
    assert Verdict.objects.get(judge_name="ben", call=f"{panel}.member1").blind
    ben.post(f"/panels/{panel}/seats/{panel}.member1/verdict", {"useful": "no"})
    assert not Verdict.objects.get(judge_name="ben", call=f"{panel}.member1").blind
    assert not Verdict.objects.get(judge_name="maya").blind


def test_a_page_that_shows_the_panel_otherwise_is_told_to_load_anew(ben: Client, panel: str) -> None:
    seen = re.findall(r'name="seen" value="([^"]+)"', ben.get(f"/panels/{panel}/").content.decode())
    quiet = ben.get(f"/panels/{panel}/live/", {"seen": seen}, headers=HTMX)
    assert (quiet.status_code, "<article" in quiet.content.decode()) == (200, False)
    ben.post("/judge/blind", {"on": "0"})
    assert ben.get(f"/panels/{panel}/live/", {"seen": seen}, headers=HTMX)["HX-Refresh"] == "true"


def test_a_claim_is_judged_and_split_without_knowing_whose_it_is(ben: Client, panel: str) -> None:
    page = ben.get(f"/panels/{panel}/").content.decode()
    action = re.search(rf'action="(/panels/{panel}/claims/[^"]+)"', page)
    assert action
    answer = ben.post(action[1], {"do": "holds"}, headers=HTMX).content.decode()
    assert told(re.sub(r'class="[^"]*"|<time.*?</time>', "", answer)) == []
    said = Verdict.objects.filter(judge_name="ben")
    assert {one.call.rpartition(".")[2]: one.blind for one in said} == {"member1": True, "explorer": True}
    page = ben.get(f"/panels/{panel}/").content.decode()
    action = re.search(rf'action="(/panels/{panel}/claims/[^"]+)"', page)
    assert action
    assert handle(panel, "explorer") in page
    ben.post(action[1], {"split": handle(panel, "explorer")})
    assert "Split into two claims." in ben.get(f"/panels/{panel}/").content.decode()


def test_undoing_a_blind_verdict_covers_the_panel_again(ben: Client, panel: str) -> None:
    for call in ("member1", "explorer", "merger"):
        ben.post(f"/judge/{handle(panel, call)}/verdict", {"useful": "yes"})
    assert "heron-70b" in inner(ben, f"/judge/?at={panel}.merger")
    answer = ben.post("/judge/undo", headers=HTMX)
    assert answer["HX-Push-Url"] == f"/judge/?at={handle(panel, 'merger')}"
    assert told(re.sub(r'class="[^"]*"|<time.*?</time>', "", answer.content.decode())) == []


def test_judging_whole_panels_at_once_is_blind_too(ben: Client, panel: str) -> None:
    ben.post("/panels/-/act", {"panel": [panel], "verb": "useful"})
    assert Verdict.objects.filter(judge_name="ben", blind=True).count() == 3


def test_who_may_not_judge_has_no_cover(as_person: As) -> None:
    made = make_panel(NOON, "core", "mine", [Played("member", "wren", "ok", 1.0, "yes")], owner="zoe")
    client = as_person("zoe")
    assert client.post("/judge/blind", {"on": "1"}).status_code == 403
    assert "wren" in client.get(f"/panels/{made}/").content.decode()
    assert "/judge/blind" not in client.get(f"/panels/{made}/").content.decode()


@pytest.mark.parametrize(
    ("running", "seats", "covered"),
    [
        (False, [], False),
        (False, [("ok", False)], True),
        (False, [("ok", True), ("empty", False)], True),
        (False, [("ok", True), ("error", False)], False),
        (False, [("error", False)], False),
        (True, [("ok", True), ("asked", False)], True),
        (False, [("ok", True), ("asked", False)], False),
    ],
)
def test_a_panel_is_covered_until_every_answer_is_judged(
    running: bool, seats: list[tuple[str, bool]], covered: bool
) -> None:
    assert is_covered(running, seats) == covered


def test_the_evidence_tells_how_many_verdicts_were_blind() -> None:
    verdicts = [Said("a", "maya", (), (), blind=True), Said("a", "ben", (), ()), Said("b", "ben", (), (), blind=True)]
    page = make_page(1, [Judged([Chair("a", "wren"), Chair("b", "osprey")], said=verdicts)], "core")
    assert "Of 3 verdicts 2 were given blind." in render_to_string("evidence/_blind.html", {"page": page})
