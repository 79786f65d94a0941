"""Which claims of a panel count as true and whose they are, and what the page makes of many panels."""

from __future__ import annotations

import pytest

from benchwarmers.dashboard.contribution_sums import Chair, Judged, Page, Said, make_page, read_claims
from benchwarmers.dashboard.templatetags.intervals import bounds, percent, rate
from collections_app.claim_map import Wording
from collections_app.contribution import ENOUGH_PANELS
from collections_app.intervals import Interval

A, B = Chair("a", "alpha", 900), Chair("b", "beta", None)
LOCK, LOCK_TOO, OTHER = "The lock is released early", "It lets go of the mutex", "Retries have no jitter"
SETTLED = [(7, LOCK, [Wording("a", LOCK, 7), Wording("b", LOCK_TOO, 7)])]


def said(call: str, by: str, *real: str, false: tuple[str, ...] = ()) -> Said:
    return Said(call, by, real, false)


@pytest.mark.parametrize(
    ("verdicts", "true", "false"),
    [
        ([said("a", "maya", LOCK)], "a b", ""),  # settled: the other seat had it in its own words
        ([said("a", "maya", LOCK), said("b", "ben", false=(LOCK_TOO,))], "", ""),  # an even split is neither
        ([said("a", "maya", LOCK), said("b", "maya", LOCK_TOO), said("b", "ben", false=(LOCK_TOO,))], "", ""),
        ([said("a", "maya", LOCK), said("a", "zoe", LOCK), said("b", "ben", false=(LOCK_TOO,))], "a b", ""),
        ([said("a", "maya", false=(LOCK,))], "", "a b"),
        ([said("a", "maya", LOCK, OTHER)], "a a b", ""),
        ([], "", ""),
    ],
)
def test_a_claim_is_what_most_people_say_of_it_for_all_its_seats(verdicts: list[Said], true: str, false: str) -> None:
    got = read_claims(Judged([A, B], SETTLED, verdicts))
    calls = [" ".join(sorted(call for call, claims in one.items() for _ in claims)) for one in got]
    assert calls == [true, false]


def test_sentences_that_nobody_settled_are_one_claim_when_they_are_alike() -> None:
    same = Judged([A, B], said=[said("a", "maya", LOCK), said("b", "maya", "The lock gets released early")])
    assert read_claims(same)[0]["a"] == read_claims(same)[0]["b"]
    other = Judged([A, B], said=[said("a", "maya", LOCK), said("b", "maya", OTHER)])
    assert read_claims(other)[0]["a"] != read_claims(other)[0]["b"]


def page_of(panels: int) -> Page:
    """Alpha finds two, one of them alone; beta finds one of these and says what is not so."""
    verdicts = [said("a", "maya", LOCK, OTHER), said("b", "maya", LOCK_TOO, false=("There is no test",))]
    return make_page(panels + 5, [Judged([A, B], SETTLED, verdicts)] * panels, "core")


def test_enough_panels_give_every_number() -> None:
    page = page_of(40)
    alpha, beta = page.rows
    assert (alpha.added.who, alpha.added.panels, alpha.added.found, alpha.added.alone) == ("alpha", 40, 80, 40)
    assert alpha.added.alone_per_panel is not None
    assert alpha.added.alone_per_panel.share == 1.0
    assert alpha.added.cost_per_claim is not None
    assert alpha.added.cost_per_claim.share == 0.5  # calls
    assert alpha.tokens == tuple(900 * calls for calls in alpha.added.cost_per_claim)
    assert beta.tokens is None  # its provider tells none
    assert alpha.wrong is not None
    assert beta.wrong is not None
    assert (alpha.wrong.chances, beta.wrong.chances) == ((0, 40), (40, 40))
    assert (alpha.wrong.worse, beta.wrong.worse, page.base) == (False, True, 0.5)
    assert page.opinions is not None
    assert (page.panels, page.judged, page.telling) == (45, 40, 40)
    (_, (itself, cell)), _ = page.matrix
    assert itself.agreement is None
    assert cell.agreement is not None
    assert cell.agreement.share is not None
    assert (cell.agreement.either, cell.agreement.share.share, cell.shade) == (80, 0.5, 2)
    assert page == page_of(40)  # loaded again it says the same


def test_too_few_panels_give_counts_alone() -> None:
    page = page_of(ENOUGH_PANELS - 11)
    assert {row.added.alone_per_panel for row in page.rows} == {None}
    assert {row.tokens for row in page.rows} == {None}
    assert page.opinions is None
    cell = page.matrix[0][1][1]
    assert cell.agreement is not None
    assert (cell.agreement.either, cell.agreement.share, cell.shade) == (18, None, 0)


def test_an_answer_that_nobody_judged_is_no_occasion_to_be_wrong() -> None:
    page = make_page(1, [Judged([A, B], SETTLED, [said("a", "maya", false=(LOCK,))])], "core")
    assert {row.added.who: row.wrong and row.wrong.chances for row in page.rows} == {"alpha": (1, 1), "beta": None}


def test_whoever_sat_too_little_comes_last_however_much_it_found() -> None:
    newcomer = Judged([A, Chair("c", "zeta")], said=[said("c", "maya", LOCK, OTHER, "The cache is never emptied")])
    verdicts = [said("a", "maya", LOCK)]
    page = make_page(41, [Judged([A, B], said=verdicts)] * 40 + [newcomer], "core")
    assert [row.added.who for row in page.rows] == ["alpha", "beta", "zeta"]
    assert [name for name, _ in page.matrix] == ["alpha", "beta", "zeta"]


@pytest.mark.parametrize(
    ("value", "times", "shown", "between"),
    [
        (Interval(0.14, 0.052, 0.31), 100, "14", "5.2 to 31"),
        (Interval(0.0, 0.0, 0.0349), 1, "0.0", "0.0 to 0.03"),
        (Interval(float("inf"), 12.04, float("inf")), 1, "∞", "12 to ∞"),
        (Interval(1234.5, 999.6, 4000), 1, "1\u202f234", "1\u202f000 to 4\u202f000"),
    ],
)
def test_rates_are_short(value: Interval, times: int, shown: str, between: str) -> None:
    assert (rate(value, times), bounds(value, times)) == (shown, between)
    assert percent(0.506) == "51%"
