"""Two hundred panels of six models whose quality is known, each seat judged: what comes of the verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import combinations
from typing import Any

import pytest

from benchwarmers.tests.live.season import HANDS, PANELS, Season, SixProduct, Visitor
from benchwarmers.tests.live.six import BEST, MEMBERS, OTHERS, QUALITY, RELAY, REST_S, SHAPES, WEARY, running_six

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SixProduct]:
    with running_six() as six:
        running = SixProduct(tmp_path_factory.mktemp("season"), six)
        yield running
        running.run.end()


@pytest.fixture(scope="module")
def season(product: SixProduct) -> Season:
    season = Season(product)
    season.play()
    return season


@pytest.fixture(scope="module")
def owner(product: SixProduct) -> Visitor:
    return Visitor(product)


@pytest.mark.parametrize("collection", SHAPES)
def test_the_record_counts_every_verdict(product: SixProduct, season: Season, collection: str) -> None:
    _, record = product.get(f"/bench/record?collection=bench/{collection}")
    told = {alias: (one["useful"], one["judged"]) for alias, one in record["aliases"].items()}
    assert told == {
        alias: (season.useful[where, alias], judged)
        for (where, alias), judged in season.judged.items()
        if where == collection
    }
    assert sum(judged for _, judged in told.values()) == 5 * PANELS


def test_the_standings_have_the_six_by_their_true_quality(season: Season, owner: Visitor) -> None:
    standings = {
        alias: found for (alias, collection, shape), found in owner.standings().items() if collection == shape == "-"
    }
    assert standings.keys() == QUALITY.keys()
    for better, worse in combinations(QUALITY, 2):
        good, bad = standings[better], standings[worse]
        assert good.share > bad.share or (good.low <= bad.high and bad.low <= good.high), (better, worse, standings)
    inside = [alias for alias, found in standings.items() if found.low <= QUALITY[alias] <= found.high]
    assert len(inside) >= 4, standings
    assert all(found.high - found.low < 0.3 for found in standings.values()), standings


@pytest.mark.parametrize(("collection", "shape"), SHAPES.items())
def test_there_is_a_standing_of_each_collection_and_shape(
    season: Season, owner: Visitor, collection: str, shape: str
) -> None:
    standings = owner.standings()
    for alias in MEMBERS:
        for of in ((collection, shape), (collection, "-"), ("-", shape)):
            found = standings[alias, *of]
            assert (found.judged, found.useful) == (PANELS, season.useful[collection, alias])


def test_by_record_those_who_are_no_members_take_turns(season: Season) -> None:
    turns = [season.explored["record", alias] for alias in OTHERS]
    assert sum(turns) == 2 * PANELS
    # whoever is left out is the stalest at the next panel; which of the two who sat follows is drawn by lot, so the
    # three drift apart as a random walk does: by more than ten in one run of fifteen, by thirty in none of a million
    assert max(turns) - min(turns) <= 30, turns
    assert min(turns) >= PANELS // 2 - HANDS, turns


def test_by_belief_the_better_ones_explore_oftener(season: Season) -> None:
    best, middling, worst = (season.explored["bayes", alias] for alias in OTHERS)
    assert best + middling + worst == 2 * PANELS
    assert best > 0.9 * PANELS
    assert middling > 2 * worst


def test_route_mode_gives_three_of_four_new_conversations_to_the_best_member(
    product: SixProduct, season: Season
) -> None:
    went = conversations(product, "record", 100)
    assert went.keys() == set(MEMBERS)  # whose record is oldest gets the fourth
    assert 60 <= went[BEST] <= 94, went


def test_by_belief_route_mode_keeps_to_the_best_once_it_is_clear(product: SixProduct, season: Season) -> None:
    went = conversations(product, "bayes", 40)
    assert went[BEST] >= 36, went


def conversations(product: SixProduct, collection: str, number: int) -> Counter[str]:
    """Who answered so many new conversations."""
    went: Counter[str] = Counter()
    for place in range(number):
        ask = {
            "model": f"bench/{collection}:route",
            "messages": [{"role": "user", "content": f"Conversation {place}"}],
        }
        status, reply = product.post("/v1/chat/completions", ask)
        assert status == 200, reply
        went[reply["bench"]["alias"]] += 1
    return went


@pytest.mark.parametrize(("collection", "shape"), SHAPES.items())
def test_whoever_helped_most_with_such_work_merges(
    product: SixProduct, season: Season, collection: str, shape: str
) -> None:
    useful = {alias: season.useful[collection, alias] for alias in MEMBERS}
    most = max(useful, key=lambda alias: useful[alias])
    assert most == BEST
    bench = product.ask(f"{collection}:merged")["bench"]
    assert bench["merger"]["alias"] == most
    reason = reasons(product, bench["panel"])[bench["merger"]["call"]]
    assert reason["why"] == f"{useful[most]} useful verdicts on {shape}, {useful[most] / PANELS:.0%} of all"
    assert reason["until"].startswith("another member has more of them, or it rests")


def test_verdicts_on_other_work_do_not_choose_who_merges(product: SixProduct, season: Season) -> None:
    seats = product.ask("prose")["bench"]["seats"]
    call = next(seat["call"] for seat in seats if seat["alias"] == MEMBERS[-1])
    product.post("/bench/verdict", {"call": call, "useful": True})
    assert product.ask("prose:merged")["bench"]["merger"]["alias"] == MEMBERS[-1]


WHYS = {
    "record": ("last worked ", "another model's evidence is staler"),
    "bayes": ("its next verdicts are expected to raise the best by ", "more is to be learned of another model"),
}


@pytest.mark.parametrize("collection", SHAPES)
def test_a_panel_tells_why_each_sits_and_when_it_would_lose_its_seat(
    product: SixProduct, season: Season, owner: Visitor, collection: str
) -> None:
    panel = season.panels[collection][-1]
    plan = list(reasons(product, panel).values())
    assert [one["alias"] for one in plan[:3]] == list(MEMBERS)
    for place, one in enumerate(plan[:3], 1):
        assert one["why"] == f"member {place} of bench/{collection}"
        assert "rests after a rate limit" in one["until"]
    why, until = WHYS[collection]
    assert len(plan) == 5
    for one in plan[3:]:
        assert one["why"].startswith(why)
        assert one["until"].startswith(until)
    page = unescape(owner.read(f"/panels/{panel}/"))
    for one in plan:
        assert one["why"] in page
        assert f"until {one['until']}" in page


def reasons(product: SixProduct, panel: str) -> dict[str, Any]:
    """The plan of a panel by call."""
    status, told = product.get(f"/bench/panels/{panel}")
    assert status == 200, told
    return {one["call"]: one for one in told["plan"]}


def test_a_member_told_to_wait_for_long_gives_its_chair_away(product: SixProduct) -> None:
    def line_up(collection: str, **wishes: int) -> tuple[dict[str, str], Any]:
        bench = product.ask(collection, bench=wishes)["bench"]
        return {seat["alias"]: seat["seat"] for seat in bench["seats"]}, bench

    before, bench = line_up("relay")
    assert list(before) == list(RELAY)
    assert (bench["seats"][0]["status"], "skipped" in bench) == ("error", False)

    after, bench = line_up("relay")
    (skipped,) = bench["skipped"]
    assert (skipped["seat"], skipped["alias"]) == ("member", WEARY)
    assert skipped["why"].startswith("rests after a rate limit for another 1 h")
    assert REST_S == 7_200  # of which less than an hour is gone
    assert list(after)[:4] == list(RELAY[1:])
    assert [seat for alias, seat in after.items() if alias in ("crane", "finch")] == ["explorer"]

    few, _ = line_up("relay", seats=2)
    assert few == {"wren": "member", "stork": "member"}  # the next member has the chair

    patient, bench = line_up("patient")
    assert list(patient) == [WEARY, "wren"]  # asks whoever rests
    assert "not asked: its provider asked for a pause" in bench["seats"][0]["error"]
