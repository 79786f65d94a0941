"""The claim map on a panel's page: what it shows, and what a click does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchwarmers.dashboard.cards import load_board
from benchwarmers.dashboard.claims import ClaimMap
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.models import ClaimGroup, Verdict
from gateway.models import Panel

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
ONE = "Findings:\n\n- **The lock** is released before the write.\n- The retry has no jitter"
TWO = "1. The lock gets released before the write happens\n2. <script>alert(1)</script> is shown raw"


@pytest.fixture
def panel() -> str:
    """Two members of ben's panel say the same in one line and something else in the other."""
    return make_panel(
        NOON,
        "core",
        "Review this",
        [Played("member", "granite-l", "ok", 3.2, ONE), Played("member", "osprey", "ok", 1.0, TWO)],
        owner="ben",
    )


def claims_of(panel: str, person: str = "ben") -> ClaimMap:
    return load_board(Panel.objects.get(pk=panel), User.objects.get(username=person)).claims


def send(client: Client, panel: str, key: str, **form: str) -> tuple[int, str]:
    answer = client.post(f"/panels/{panel}/claims/{key}/", form, headers=HTMX)
    return answer.status_code, answer.content.decode()


def test_lines_of_answers_are_candidates_in_plain_text_and_alike_ones_are_one(as_person: As, panel: str) -> None:
    page = as_person("ben").get(f"/panels/{panel}/").content.decode()
    assert "3 lines of the answers that may be claims" in page
    assert "The lock is released before the write." in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; is shown raw" in page
    shown = claims_of(panel)
    assert (shown.rows, [len(row.spots) for row in shown.lines]) == ([], [2, 1, 1])
    assert [row.only_one for row in shown.lines] == [False, True, True]


def test_one_click_judges_a_claim_for_all_its_seats(as_person: As, panel: str) -> None:
    status, page = send(as_person("ben"), panel, claims_of(panel).lines[0].key, do="holds")
    assert status == 200
    assert "Claim judged for 2 seats." in page
    assert {verdict.useful for verdict in Verdict.objects.filter(judge_name="ben")} == {True}
    assert [verdict.real for verdict in Verdict.objects.order_by("call")] == [
        ["The lock is released before the write."],
        ["The lock gets released before the write happens"],
    ]
    (row,) = claims_of(panel).rows
    assert (row.mine, row.holds, row.claim.settled, row.only_one) == (True, ["ben"], True, False)


def test_people_disagree_on_a_claim_by_name(as_person: As, panel: str) -> None:
    send(as_person("ben"), panel, claims_of(panel).lines[0].key, do="holds")
    status, page = send(as_person("maya"), panel, claims_of(panel).rows[0].key, do="false")
    assert (status, "People disagree on this one." in page) == (200, True)
    row = claims_of(panel, "maya").rows[0]
    assert (row.holds, row.fails, row.mine, row.split) == (["ben"], ["maya"], False, True)
    send(as_person("maya"), panel, row.key, do="clear")
    assert claims_of(panel, "maya").rows[0].mine is None


def test_claims_in_verdicts_are_grouped_and_a_person_splits_and_joins_them(as_person: As, panel: str) -> None:
    judge("maya", f"{panel}.member1", True, real=("The lock is released before the write",))
    judge("boss", f"{panel}.member2", True, real=("The lock gets released before the write happens",))
    client, (row,) = as_person("ben"), claims_of(panel).rows
    assert (row.suggested, len(row.spots), row.holds) == (True, 2, ["maya", "boss"])
    send(client, panel, row.key, split=f"{panel}.member2")
    rows = claims_of(panel).rows
    assert [[spot.card.seat.alias for spot in one.spots] for one in rows] == [["granite-l"], ["osprey"]]
    assert [one.only_one for one in rows] == [True, True]
    status, page = send(client, panel, rows[1].key, **{"do": "join", "with": rows[0].key})
    assert (status, "Claims joined." in page, ClaimGroup.objects.count()) == (200, True, 1)
    send(client, panel, claims_of(panel).rows[0].key, do="forget")
    assert not ClaimGroup.objects.exists()
    status, page = send(client, panel, claims_of(panel).rows[0].key, do="settle")
    assert (status, claims_of(panel).rows[0].claim.settled) == (200, True)


@pytest.mark.parametrize("form", [{"do": "holds"}, {"split": "x"}])
def test_a_claim_that_moved_meanwhile_is_not_judged(as_person: As, panel: str, form: dict[str, str]) -> None:
    key = claims_of(panel).lines[0].key
    judge("maya", f"{panel}.member1", True, real=("The lock is released before the write",))
    status, page = send(as_person("ben"), panel, key, **form)
    assert (status, "changed while you looked" in page) == (422, True)
    assert not Verdict.objects.filter(judge_name="ben").exists()


@pytest.mark.parametrize("form", [{}, {"do": "x"}, {"do": "join"}, {"do": "join", "with": "x"}, {"split": "x"}])
def test_a_form_that_says_nothing_is_refused(as_person: As, panel: str, form: dict[str, str]) -> None:
    assert send(as_person("ben"), panel, claims_of(panel).lines[0].key, **form)[0] == 422
    assert not ClaimGroup.objects.exists()


def test_without_a_script_the_page_comes_back(as_person: As, panel: str) -> None:
    client = as_person("ben")
    address = f"/panels/{panel}/claims/{claims_of(panel).lines[0].key}/"
    answer = client.post(address, {"do": "holds"})
    assert (answer.status_code, answer["Location"]) == (302, f"/panels/{panel}/#claims")
    again = client.post(address, {"do": "holds"})
    assert again.status_code == 422
    assert "<html" in again.content.decode()


def test_only_who_sees_the_panel_and_may_judge_changes_its_claims(as_person: As, panel: str) -> None:
    key = claims_of(panel).lines[0].key
    assert send(as_person("zoe"), panel, key, do="holds")[0] == 404
    Panel.objects.filter(pk=panel).update(owner=User.objects.get(username="zoe"))
    client = as_person("zoe")
    assert send(client, panel, key, do="holds")[0] == 404
    assert 'name="do"' not in client.get(f"/panels/{panel}/").content.decode()
    assert client.get(f"/panels/{panel}/claims/{key}/").status_code == 405


def test_the_live_fragment_brings_the_map_when_it_moved_and_the_cards_of_a_judged_claim(
    as_person: As, panel: str
) -> None:
    client = as_person("ben")
    seen = re.findall(r'name="seen" value="([^"]+)"', client.get(f"/panels/{panel}/").content.decode())
    key = claims_of(panel).lines[0].key
    answer = client.post(f"/panels/{panel}/claims/{key}/", {"do": "holds", "seen": seen}, headers=HTMX)
    assert re.findall(r'<article[^>]*id="(seat-\d)"', answer.content.decode()) == ["seat-1", "seat-2"]
    live = client.get(f"/panels/{panel}/live/", {"seen": seen}, headers=HTMX).content.decode()
    assert 'id="claims"' in live
    stamp = re.search(r'value="(claims~[^"]+)"', live)
    assert stamp
    assert (
        'id="claims"' not in client.get(f"/panels/{panel}/live/", {"seen": [stamp[1]]}, headers=HTMX).content.decode()
    )
