"""The model of what a load needs: every limit can be the one that is met, and a busier loop makes wait longer."""

from __future__ import annotations

import dataclasses
import json
from random import Random

import pytest

from bench.scale.model import BUSY, CALLERS, FIGURES, LOADS, Load, Slopes, needs, slopes_of, told, waits

SLOPES = Slopes(
    turn_ms=0.5,
    event_us=20,
    stream_kb=20,
    web_mb=100,
    store_ms=0.2,
    rows=2,
    redis_ms=0.05,
    scripts=2,
    recorder_rows_per_s=10_000,
)


@pytest.mark.parametrize(
    ("load", "by", "webs", "meets"),
    [
        (Load("quick", 1_000, 1, 0), {}, 1, "processor"),
        (Load("loud", 1_000, 1_000, 300), {}, 11, "processor"),
        (Load("silent", 25_000, 1_000_000, 0), {}, 3, "connections"),
        (Load("written", 1_000, 0.1, 0), {"turn_ms": 0.01, "recorder_rows_per_s": 1_000}, 34, "recorder"),
    ],
)
def test_the_limit_that_is_met_first_says_how_many(load: Load, by: dict[str, float], webs: int, meets: str) -> None:
    found = needs(load, dataclasses.replace(SLOPES, **by))
    assert (found.webs, found.meets) == (webs, meets)


def test_what_a_load_needs_adds_up() -> None:
    found = needs(Load("plain", 600, 2, 10), SLOPES)
    assert found.cores == pytest.approx(300 * 0.0005 + 6_000 * 0.00002)
    assert found.webs == 1
    assert found.memory_gb == pytest.approx(0.1 + 600 * 20 * 1024 / 1e9)
    assert (found.rows_per_s, found.scripts_per_s) == (600, 600)
    assert found.store_cores == pytest.approx(0.06)
    assert found.redis_percent == pytest.approx(1.5)
    assert found.store_lines == 3


def test_a_busier_loop_makes_wait_longer() -> None:
    told = [waits(share, 0.1, 5.0, 1_000, 50_000, Random(7)) for share in (0.3, 0.6, 0.9)]
    assert told == sorted(told)
    assert told[0] < told[2]


def test_the_figures_that_are_kept_carry_ten_thousand_streams() -> None:
    by = slopes_of(json.loads(FIGURES.read_text()))
    found = needs(LOADS[-1], by)
    assert LOADS[-1].streams == CALLERS
    assert found.cores / found.webs <= BUSY
    assert found.redis_percent < 100 * BUSY
    assert LOADS[0].name in told(json.loads(FIGURES.read_text()))
