"""The pages of evidence: the list of collections, the pictures of one, and sums that nobody waits for."""

from __future__ import annotations

import csv
from collections.abc import Callable

import pytest
from django.test import Client

from benchwarmers.dashboard import contribution
from benchwarmers.dashboard.contribution_sums import Row
from benchwarmers.dashboard.evidence_figures import Stood, added, costs, standings
from benchwarmers.tests.dashboard.test_contribution import PAGE, add_panel, get
from collections_app.contribution import Added
from collections_app.intervals import Interval, poisson
from collections_app.models import LanguageModel, Standing

As = Callable[[str], Client]


def row(who: str, found: int, alone: int, tokens: float | None = None) -> Row:
    price = Interval(tokens, tokens / 2, tokens * 2) if tokens else None
    return Row(Added(who, 20, found, alone, poisson(alone, 20), poisson(20, found or 1)), price, None)


def stand(alias: str, judged: int, useful: float, collection: str = "core") -> None:
    Standing.objects.create(
        language_model=LanguageModel.objects.get(alias=alias),
        collection_name=collection,
        offloads=judged * 2,
        judged=judged,
        useful=useful,
    )


def test_the_list_tells_how_useful_each_collection_was(as_person: As) -> None:
    stand("osprey", 6, 3)
    stand("wren", 4, 4)
    stand("wren", 2, 0, collection="quick")
    text = get(as_person("maya"), "/evidence/")
    assert "bench/core 2 20 10 70% 40–89% bench/quick 1 4 2 0% 0–66% bench/practice 0 0 0 not judged" in text


def test_whoever_sees_their_own_panels_is_led_to_their_own_collections(as_person: As) -> None:
    stand("osprey", 6, 3)
    client = as_person("ben")
    assert "No evidence yet" in get(client, "/evidence/")
    add_panel(1)
    text = get(client, "/evidence/")
    assert "bench/core" in text
    assert "50%" not in text
    assert "bench/quick" not in text
    assert client.get("/evidence/nothing/").status_code == 404


def test_the_standing_of_others_work_is_for_those_who_see_it(as_person: As) -> None:
    add_panel(1)
    stand("osprey", 6, 3)
    assert "osprey stands best: 3 of 6 judged answers were useful" in get(as_person("maya"))
    text = get(as_person("ben"))
    assert "Standings" not in text
    assert as_person("ben").get(f"{PAGE}?format=csv&of=standings").content.decode().count("\n") == 1


def test_the_best_stands_first_by_what_bad_luck_does_not_explain() -> None:
    figure = standings(
        [Stood("new", 1, 1, 1.0, 0, 0), Stood("firm", 90, 60, 54.0, 3, 1), Stood("idle", 5, 0, 0.0, 0, 0)]
    )
    assert [one[0] for one in figure.table.rows] == ["firm", "new"]
    assert "firm: 54/60 useful, 80% to 95%" in figure.svg
    assert standings([]).empty.startswith("Nobody has judged")


def test_a_picture_tells_what_only_one_seat_had_and_what_others_had_too() -> None:
    figure = added([row("rich", 10, 7), row("echo", 4, 0), row("none", 0, 0)])
    assert [one[0] for one in figure.table.rows] == ["rich", "echo"]
    assert "rich: 7 true findings, only this seat had it" in figure.svg
    assert "echo: 4 true findings, another had it too" in figure.svg
    assert figure.says.startswith("rich has most of its own: 7 of its 10 true findings. Without any of their own: 1.")


def test_the_cheapest_finding_comes_first() -> None:
    figure = costs([row("dear", 5, 1, 9_000.0), row("cheap", 5, 1, 300.0), row("unknown", 5, 1)])
    assert [one[0] for one in figure.table.rows] == ["cheap", "dear"]
    assert figure.says == "cheap takes least: 300 tokens a true finding."
    assert not costs([row("unknown", 5, 1)]).svg


def test_each_picture_is_a_file(as_person: As) -> None:
    for number in range(20):
        add_panel(number)
    reply = as_person("maya").get(f"{PAGE}?format=csv&of=adds")
    assert list(csv.reader(reply.content.decode().splitlines()))[1][:5] == ["granite-l", "20", "40", "20", "1"]
    assert as_person("maya").get(f"{PAGE}?format=csv&of=nothing").status_code == 404


def test_nobody_waits_for_the_sums_of_many_panels(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contribution, "FEW", 1)
    client = as_person("maya")
    add_panel(1)
    add_panel(2)
    waiting = client.get(PAGE)
    assert waiting.context["page"] is None
    assert f'hx-get="{PAGE}?now=1" hx-trigger="load' in waiting.content.decode()
    part = client.get(f"{PAGE}?now=1", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div id="evidence"')
    assert "From 2 judged panels" in part
    assert "From 2 judged panels" in get(client)
    add_panel(3)
    stale = get(client)
    assert "From 2 judged panels" in stale
    assert "newer ones are being made" in stale
    assert "From 3 judged panels" in get(client, f"{PAGE}?now=1")
