"""Seating shown to work: seasons of synthetic models through the real rankings, explorers, plans and standings."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from benchwarmers.simulation.curves import draw_curves
from benchwarmers.simulation.league import make_league
from benchwarmers.simulation.report import write_table
from benchwarmers.simulation.season import Season, play

PANELS = 800
FORTNIGHT = 14


@cache
def season(way: str, seed: int = 1, explorers: int = 2, panels: int = PANELS) -> Season:
    """A month of twenty requests a day to two collections."""
    league = make_league(seed, models=12, collections=2, members=6, panels_a_day=20)
    return play(league, way, panels, seed, explorers=explorers)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bayes_finds_the_best_with_at_most_half_the_regret_of_the_record(seed: int) -> None:
    record, bayes = season("record", seed), season("bayes", seed)
    assert bayes.regret[-1] <= record.regret[-1] / 2
    assert bayes.best_lately > record.best_lately


def test_who_seats_anybody_learns_nothing_and_misses_most() -> None:
    uniform = season("uniform")
    assert season("bayes").regret[-1] < uniform.regret[-1] / 2
    half = uniform.regret[PANELS // 2]
    assert uniform.regret[-1] - half == pytest.approx(half, rel=0.2)


def test_bayes_learns_so_its_regret_flattens() -> None:
    first, last = 0.0, 0.0
    for seed in (1, 2, 3):
        regret = season("bayes", seed).regret
        first += regret[PANELS // 4]
        last += regret[-1] - regret[-PANELS // 4]
    assert last < first / 2


@pytest.mark.parametrize("way", ["record", "bayes"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_model_gets_a_seat_at_least_once_a_fortnight(way: str, seed: int) -> None:
    found = season(way, seed)
    assert found.longest_gap_days <= FORTNIGHT
    assert min(found.seats.values()) >= PANELS / 20 / FORTNIGHT
    assert sum(found.seats.values()) == 3 * PANELS


def test_without_explorers_the_ranking_alone_still_tries_all_members() -> None:
    found = season("bayes", explorers=0)
    league = make_league(1, models=12, collections=2, members=6, panels_a_day=20)
    members = {alias for collection in league.collections for alias in collection.members}
    assert {alias for alias, seats in found.seats.items() if seats} == members
    assert found.regret[-1] < season("record", explorers=0).regret[-1]


def test_a_season_is_played_again_from_its_seed() -> None:
    again = play(make_league(1, models=12, collections=2, members=6, panels_a_day=20), "bayes", 60, 1)
    assert again == season("bayes", panels=60)
    assert again != season("bayes", seed=2, panels=60)


def test_when_the_models_change_what_was_known_of_them_is_unlearned() -> None:
    league = make_league(4, models=12, collections=2, members=6, drift=True, panels_a_day=20)
    assert league.quality_at(0.49) != league.quality_at(0.5)
    found = play(league, "bayes", PANELS, 4, half_life_days=5)
    change = PANELS // 2
    just_after = found.regret[change + 100] - found.regret[change]
    at_last = found.regret[-1] - found.regret[-101]
    assert at_last < just_after


def test_the_command_says_and_draws_how_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate_seating", panels=40, out=tmp_path / "made", verbosity=0)
    said = capsys.readouterr().out
    table = (tmp_path / "made" / "seating.md").read_text()
    assert said.startswith(table)
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE) == ["way", "record", "bayes", "uniform"]
    drawn = ElementTree.fromstring((tmp_path / "made" / "seating.svg").read_text())  # noqa: S314 - our own drawing
    words = {node.text for node in drawn.iter() if node.text}
    assert {"record", "bayes", "uniform", "requests", "regret"} <= words


@pytest.mark.parametrize(
    ("options", "words"),
    [({"panels": 0}, "--panels"), ({"explorers": 3}, "--explorers"), ({"half_life": 0.0}, "--half-life")],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, float], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("simulate_seating", **options)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("simulate_seating", panels=2, out=tmp_path / "taken")


def test_curves_keep_to_their_frame_and_escape_their_names() -> None:
    drawn = draw_curves("A <b>", "x", "y", {"one & two": [1.0, 4.0, 2.0], "flat": [0.0, 0.0, 0.0]})
    root = ElementTree.fromstring(drawn)  # noqa: S314
    paths = [node.get("d", "") for node in root.iter("{http://www.w3.org/2000/svg}path")]
    numbers = [float(number) for path in paths for number in re.findall(r"[\d.]+", path)]
    assert all(0 <= number <= 720 for number in numbers)
    assert "one & two" in {node.text for node in root.iter()}


def test_the_table_has_a_row_a_season() -> None:
    made = Season("bayes", [0.5, 1.0], 0.25, 3.04, {"a": 2, "b": 4})
    assert write_table([made]).splitlines()[2] == "| bayes | 1 | 0.500 | 25% | 3.0 days | 2 to 4 |"
