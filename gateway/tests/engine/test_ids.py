"""Ids of panels: readable, and never the same twice."""

from __future__ import annotations

import re
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from gateway.engine.ids import panel_id, second_of


@pytest.mark.parametrize("second", ["20261129-000000", "20261129-235959"])
def test_every_number_of_a_second_has_digits_of_its_own(second: str) -> None:
    rng, form = Random(1), re.compile(rf"p{second}-[0-9a-f]{{4}}")
    made = {panel_id(second, number, rng) for number in range(65_536)}
    assert len(made) == 65_536
    assert all(map(form.fullmatch, made))


def test_neighbouring_numbers_do_not_look_alike() -> None:
    first, second = (panel_id("20261129-120000", number, Random(1))[-4:] for number in (1, 2))
    assert first[:2] != second[:2]


@pytest.mark.parametrize("number", [None, 65_536, 10**9])
def test_without_a_number_an_id_has_twelve_random_digits(number: int | None) -> None:
    rng = Random(1)
    made = {panel_id("20261129-120000", number, rng) for _ in range(1_000)}
    assert len(made) == 1_000
    assert all(re.fullmatch(r"p20261129-120000-[0-9a-f]{12}", one) for one in made)


def test_the_second_is_told_in_the_time_zone_of_the_moment() -> None:
    moment = datetime(2026, 11, 29, 23, 30, 5, tzinfo=ZoneInfo("UTC"))
    assert second_of(moment) == "20261129-233005"
    assert second_of(moment.astimezone(ZoneInfo("Europe/Berlin"))) == "20261130-003005"
