"""How fast models answered in their latest speed sweep, as the page shows it: a row a model. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from probes.questions import LARGE
from suite.speed import Speed


class Pace(Struct, frozen=True):
    """One model; None where the sweep did not ask so. `bar` is its median for the large prompt as a share of the
    slowest one's, from 0 to 100."""

    model: str
    tiny: Speed | None
    large: Speed | None
    bar: float = 0.0

    @property
    def trouble(self) -> str:
        """Why answers failed, the large prompt first."""
        return next((one.worst for one in (self.large, self.tiny) if one and one.worst), "")


def paces(speeds: Iterable[Speed]) -> list[Pace]:
    """The fastest with the large prompt first; who answered none comes last."""
    by_model: dict[str, dict[bool, Speed]] = {}
    for one in speeds:
        by_model.setdefault(one.model, {})[one.prompt == LARGE.name] = one
    every = [(model, its.get(False), its.get(True)) for model, its in by_model.items()]
    slowest = max((large.p50 or 0.0 for _, _, large in every if large), default=0.0)
    found = [
        Pace(model, tiny, large, 100 * large.p50 / slowest if large and large.p50 and slowest else 0.0)
        for model, tiny, large in every
    ]
    return sorted(found, key=lambda one: (not one.bar, one.bar, one.model))
