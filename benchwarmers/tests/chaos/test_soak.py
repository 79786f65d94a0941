"""The soak tells a leak from a process that breathes."""

from __future__ import annotations

from random import Random

from benchwarmers.tests.chaos.soak import EVERY_S, MB, Sample, judge, slopes


def samples(rise_mb: float, seed: int = 1, descriptors: int = 0) -> list[Sample]:
    """An hour of a process of about 150 MB that collects its garbage now and then."""
    rng = Random(seed)
    found = []
    for number in range(720):
        breath = (number % 40) * 0.05 + rng.gauss(0, 0.4)
        memory = round((150 + breath + rise_mb * number / 720) * MB)
        found.append(Sample(number * EVERY_S, memory, 60 + rng.randint(-5, 5) + descriptors * number // 720, 9))
    return found


def test_a_process_that_breathes_does_not_rise() -> None:
    found = {f"web-{seed}": slopes(samples(0.0, seed)) for seed in range(5)}
    assert judge(found) == []


def test_a_leak_of_some_megabytes_an_hour_is_told_with_its_bounds() -> None:
    found = {"web-1": slopes(samples(4.0))}
    (told,) = judge(found)
    assert told.startswith("web-1: memory rises by ")
    assert 3.0 < found["web-1"]["memory"].low < 4.0 < found["web-1"]["memory"].high < 5.0


def test_a_leak_of_descriptors_is_told() -> None:
    (told,) = judge({"web-1": slopes(samples(0.0, descriptors=60))})
    assert told.startswith("web-1: descriptors rises by ")
