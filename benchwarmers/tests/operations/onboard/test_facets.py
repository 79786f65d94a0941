"""What of the candidates an address shows."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from benchwarmers.operations.onboard.facets import NEW_GROUP, Facets, read_names, show
from probes.onboarding.candidates import Candidate

ROWS = (
    Candidate("hub", "groq.fast", "groq", inputs=("text", "image")),
    Candidate("den", "maker/slow", "den (direct)", free=False),
    Candidate("den", "maker/x:free", "den (direct)", free=True, new=True),
    Candidate("hub", "mistral.big", "mistral", inputs=("text", "pdf")),
    Candidate("den", "odd name", "den (direct)"),
)


def shown(address: str, size: int = 100, under_way: frozenset[tuple[str, str]] = frozenset()) -> list[str]:
    page = show(ROWS, Facets.read(QueryDict(address)), under_way, size)
    return [line.candidate.served for group in page.groups for line in group.lines]


@pytest.mark.parametrize(
    ("address", "served"),
    [
        ("", ["maker/x:free", "groq.fast", "maker/slow", "odd name", "mistral.big"]),
        ("q=MAKER", ["maker/x:free", "maker/slow"]),
        ("q=den+slow", ["maker/slow"]),
        ("endpoint=hub", ["groq.fast", "mistral.big"]),
        ("group=mistral", ["mistral.big"]),
        ("free=1", ["maker/x:free"]),
        ("new=1", ["maker/x:free"]),
        ("takes=pdf", ["mistral.big"]),
        ("takes=smell&page=x", ["maker/x:free", "groq.fast", "maker/slow", "odd name", "mistral.big"]),
        ("q=none", []),
    ],
)
def test_facets_narrow_and_new_ones_come_first(address: str, served: list[str]) -> None:
    assert shown(address) == served


def test_groups_keep_together_under_their_names() -> None:
    page = show(ROWS, Facets(), frozenset())
    assert [group.name for group in page.groups] == [NEW_GROUP, "groq", "den (direct)", "mistral"]


def test_pages_know_their_neighbours_and_a_page_too_far_is_the_last() -> None:
    assert shown("page=2", size=2) == ["maker/slow", "odd name"]
    page = show(ROWS, Facets.read(QueryDict("page=2&q=m")), frozenset(), 2)
    assert (page.newer, page.older, page.count, page.of) == ("?q=m", "", 4, 5)
    assert shown("page=99", size=2) == ["mistral.big"]


def test_what_is_ticked_stays_ticked_though_it_is_not_shown() -> None:
    facets = Facets.read(QueryDict("q=slow&item=den+maker/slow&item=hub+groq.fast&item=hub+gone"))
    page = show(ROWS, facets, frozenset())
    assert [(line.value, line.ticked) for group in page.groups for line in group.lines] == [("den maker/slow", True)]
    assert [line.value for line in page.elsewhere] == ["hub groq.fast"]


def test_what_is_under_way_or_has_an_odd_name_has_no_box() -> None:
    page = show(ROWS, Facets(ticked=frozenset({("den", "maker/slow")})), frozenset({("den", "maker/slow")}))
    barred = {line.candidate.served: line for group in page.groups for line in group.lines if line.bar}
    assert set(barred) == {"maker/slow", "odd name"}
    assert not barred["maker/slow"].ticked


def test_names_in_boxes_are_read_once_and_nonsense_is_passed_over() -> None:
    assert read_names(["den a/b", "den a/b", "den", "", "hub c d"]) == [("den", "a/b"), ("hub", "c d")]
