"""Models that answer by chance, each in its own way, and a sweep over their looks without a database."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from probes.health.compare import Look, compare, has_changed

FEATURES = ("number", "word", "name", "cutoff", "habit")


class Scripted:
    """`noise` is how often a feature is not what it is most of the time, but one of three others. `like` gives with the
    chance `shared` what another model gives."""

    def __init__(
        self,
        rng: Random,
        noise: Callable[[], float],
        *,
        tokens: str = "31/60/33/38/29",
        like: Any = None,
        shared: float = 0,
    ) -> None:
        self._rng = rng
        self._tokens = tokens
        self._noise = {name: noise() for name in FEATURES}
        self.ways: dict[str, list[str]] = {}
        for name in FEATURES:
            alike = like is not None and rng.random() < shared
            self.ways[name] = like.ways[name] if alike else [f"{name} {rng.random()}" for _ in range(4)]

    def look(self) -> Look:
        rng, answers = self._rng, {}
        for name, (usual, *others) in self.ways.items():
            answers[name] = rng.choice(others) if rng.random() < self._noise[name] else usual
        return Look({**answers, "tokens": self._tokens} if self._tokens else answers, "vendor/one")


def sweep(model: Scripted, before: list[Look]) -> bool:
    """One look, and a second where the first is suspicious. Whether the model was taken to be another."""
    first = model.look()
    compared = compare(first, before)
    if compared is None or not compared.suspicious:
        before.append(first)
        return False
    second = model.look()
    again = compare(second, before)
    if again is not None and has_changed(compared, again):
        return True
    before += [first, second]
    return False


def alarms(model: Scripted, before: list[Look], sweeps: int) -> bool:
    return any(sweep(model, before) for _ in range(sweeps))
