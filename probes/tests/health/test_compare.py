"""When is it another model? Row by row, and over a thousand scripted models."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from probes.health.compare import BASELINE, Differs, Look, compare, has_changed
from probes.tests.health.scripted_looks import Scripted, alarms

USUAL = {"number": "427", "word": "blorvin", "name": "elias thorne", "cutoff": "2024-06", "habit": "111 bold"}
COUNTED = {**USUAL, "tokens": "31/60/33"}
OTHER = {"number": "73", "word": "zanto", "name": "mara voss", "cutoff": "2023-10", "habit": "---"}
STEADY = [Look(COUNTED, "vendor/one")] * 3


def test_the_first_looks_are_only_looked_at() -> None:
    for number in range(BASELINE):
        assert compare(Look(OTHER), [Look(USUAL)] * number) is None


def test_the_same_look_is_as_ever() -> None:
    found = compare(STEADY[0], STEADY)
    assert found is not None
    assert (found.distance, found.differs, found.suspicious) == (0.0, (), False)
    assert found.weight < 0


@pytest.mark.parametrize(
    ("now", "served", "suspicious"),
    [
        ({**OTHER, "tokens": "44/91/40"}, "vendor/two", True),
        ({**OTHER, "tokens": "44/91/40"}, "vendor/one", True),
        ({**OTHER, "tokens": "31/60/33"}, "vendor/one", True),  # of one family: the tokenizer is the same
        (OTHER, "", True),  # a provider that counts nothing and does not name itself
        ({**COUNTED, "number": "73", "word": "zanto", "tokens": "44/91/40"}, "vendor/two", True),
        ({**COUNTED, "tokens": "44/91/40"}, "vendor/one", False),  # counts differently, and says all the same
        (COUNTED, "vendor/two", False),  # has another name, and says all the same
        ({**COUNTED, "number": "73"}, "vendor/one", False),
        ({**COUNTED, "number": "73", "habit": "---"}, "vendor/one", False),
        (COUNTED, "vendor/one-2026-11-20", False),  # a date is no other model
    ],
)
def test_what_is_clearly_outside_is_suspicious(now: dict[str, str], served: str, suspicious: bool) -> None:
    found = compare(Look(now, served), STEADY)
    assert found is not None
    assert found.suspicious is suspicious


def test_what_differs_is_told_by_its_most_frequent_value_before() -> None:
    before = [*STEADY, Look({**COUNTED, "number": "7"}, "vendor/one")]
    found = compare(Look({**COUNTED, "number": "73"}, "vendor/one"), before)
    assert found is not None
    assert found.differs == (Differs("number", "427", "73"),)
    assert 0 < found.distance < 0.5


def test_a_feature_that_always_varies_tells_nothing() -> None:
    before = [Look({**COUNTED, "number": str(at)}, "vendor/one") for at in range(10)]
    found = compare(Look({**COUNTED, "number": "99"}, "vendor/one"), before)
    assert found is not None
    assert found.distance == 0.0


def test_what_was_not_seen_before_or_now_counts_for_nothing() -> None:
    found = compare(Look({**USUAL, "tokens": "1/2/3", "odd": "x"}), [Look(USUAL)] * 3)
    assert found is not None
    assert found.differs == ()


def test_only_two_looks_that_say_so_make_it_another() -> None:
    calm, odd = compare(STEADY[0], STEADY), compare(Look({**OTHER, "tokens": "44/91/40"}, "vendor/one"), STEADY)
    assert calm is not None
    assert odd is not None
    assert [has_changed(*pair) for pair in ((odd, odd), (odd, calm), (calm, odd), (calm, calm))] == [True] + [False] * 3


@pytest.mark.parametrize("least_most", [(0.0, 0.1), (0.0, 0.3), (0.3, 0.3)])
def test_a_model_that_only_varies_raises_no_alarm_in_a_thousand_runs(least_most: tuple[float, float]) -> None:
    raised = []
    for seed in range(1000):
        rng = Random(seed)
        if alarms(Scripted(rng, lambda rng=rng: rng.uniform(*least_most)), [], sweeps=12):  # type: ignore[misc]
            raised.append(seed)
    assert raised == []


@pytest.mark.parametrize(
    ("noise", "tokens", "shared"),
    [
        (0.0, "44/91/40/52/37", 0.1),
        (0.05, "44/91/40/52/37", 0.1),
        (0.1, "44/91/40/52/37", 0.05),
        (0.0, "31/60/33/38/29", 0.0),  # the same tokenizer
        (0.05, "31/60/33/38/29", 0.0),
        (0.05, "", 0.0),  # nobody counts
    ],
)
def test_another_model_is_noticed_within_two_looks(noise: float, tokens: str, shared: float) -> None:
    noticed = 0
    for seed in range(1000):
        rng = Random(seed)
        first = Scripted(rng, lambda: noise, tokens=tokens and "31/60/33/38/29")
        looks: list[Look] = [first.look() for _ in range(6)]
        another: Any = Scripted(rng, lambda: noise, tokens=tokens, like=first, shared=shared)
        noticed += alarms(another, looks, sweeps=2)
    assert noticed >= 990
