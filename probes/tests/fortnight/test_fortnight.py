"""Fourteen days of everything that happens to models, and what is left at their end."""

from __future__ import annotations

from itertools import groupby

import pytest

from collections_app.models import LanguageModel
from probes.models import ProbeSample
from probes.tests.fortnight.days import Diary, allow, follow, moment, play, restore, retry, settle_in, work
from probes.tests.fortnight.outside import DAYS, PLAYED

NOON = {6: retry("haggles"), 9: allow("allowed"), 10: restore("odd"), 11: follow("prefixed")}

EXPECTED: dict[str, tuple[str, int | None, list[tuple[str, int, int]]]] = {
    # alias: status at the end, the day it was retired, its alerts as (kind, first day, last day)
    "steady": ("healthy", None, []),
    "dies": ("retired", 3, []),
    "hiccups": ("healthy", None, []),
    "vanishes": ("retired", 7, [("retiring", 4, 6)]),
    "blinks": ("healthy", None, [("retiring", 5, 5)]),
    "drowns": ("retired", 9, [("retiring", 3, 8)]),
    "busy": ("throttled", None, []),
    "shy": ("healthy", None, []),
    "odd": ("healthy", 10, [("retiring", 8, 9), ("retiring", 11, 11)]),
    "haggles": ("healthy", None, []),
    "labours": ("slow", None, []),
    "rationed": ("throttled", None, []),
    "locked": ("sign in again", None, []),
    "twin-one": ("healthy", None, []),
    "twin-two": ("healthy", None, []),
    "south": ("", None, [("connection", 5, 7)]),
    "faraway": ("healthy", None, [("retiring", 5, 9)]),
    "prefixed": ("healthy", None, [("registration", 6, 10)]),
    "pricey": ("no longer free", None, [("went paid", 5, 13)]),
    "allowed": ("healthy", None, [("went paid", 5, 8)]),
    "swapped": ("healthy", None, [("changed", 9, 13)]),
}


def spans(kinds: dict[int, str]) -> list[tuple[str, int, int]]:
    """Runs of days with the same kind of alert."""
    days = sorted(kinds)
    runs = groupby(days, key=lambda day: (kinds[day], day - days.index(day)))
    return [(kind, (run := list(found))[0], run[-1]) for (kind, _), found in runs]


@pytest.fixture
def diary(db: None) -> Diary:
    """The fortnight, in which `labours` answers a caller every noon."""
    settle_in()

    def noon(day: int) -> None:
        if day in NOON:
            NOON[day](moment(day, 12))
        work("labours", moment(day, 12))

    return play(range(DAYS), noon)


def test_everything_ends_as_it_should(diary: Diary) -> None:
    models = {row.alias: row for row in LanguageModel.objects.all()}
    found = {
        alias: (
            ("retired" if models[alias].retired else models[alias].status) if alias in models else "",
            diary.retired.get(alias),
            spans(diary.alerts.get(alias, {})),
        )
        for alias in EXPECTED
    }
    assert found == EXPECTED
    assert set(EXPECTED) == {one.alias for one in PLAYED} | {"south"}
    assert set(diary.alerts) <= set(EXPECTED)
    assert {row.retired_by for row in models.values() if row.retired} == {"auto"}
    assert {alias: models[alias].retired_why for alias in ("dies", "vanishes", "drowns")} == {
        "dies": "structural again on 2026-03-05 (no such model)",
        "vanishes": "not listed since 2026-03-06",
        "drowns": "no answer since 2026-03-04, asked on 8 days: capacity on 2026-03-11 (too many requests)",
    }
    assert models["prefixed"].served == "attic.lab/prefixed"
    assert {alias: row.evidence_since for alias, row in models.items() if row.evidence_since} == {
        "swapped": moment(9, 4)
    }
    asked = ProbeSample.objects.filter(language_model=models["pricey"], at__gt=moment(5, 7))
    assert not asked.exists()  # nobody pays for what nobody allowed
