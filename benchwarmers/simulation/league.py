"""A synthetic world: models whose quality is known, collections of them, and judges who err.

All that happens in it comes from one seed, so that every way of seating meets the same requests in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from gateway.canon.kinds import Shape
from gateway.engine.snapshot import CollectionView, EndpointView, ModelView

DAY_S: Final = 86_400.0
START: Final = 1_790_000_000.0
"""When the first request comes, in epoch seconds."""
BREADTH: Final = 0.12
"""How far the models of a collection lie apart, as the deviation of their quality."""
KNACK: Final = 0.06
"""How far a model's quality at one shape lies from its quality at all."""

Quality = Mapping[tuple[str, str], float]


class Judge(NamedTuple):
    """Gives a verdict on a share of all seats, and gets a share of them wrong."""

    name: str
    judges: float
    errs: float


class League(NamedTuple):
    """`quality` is each model's share of useful answers by (alias, shape), over the phases of the season; with one
    phase nothing drifts."""

    models: Mapping[str, ModelView]
    collections: Sequence[CollectionView]
    judges: Sequence[Judge]
    quality: Sequence[Quality]
    panels_a_day: float

    def quality_at(self, progress: float) -> Quality:
        """What holds after this share of the season, from 0 to 1."""
        return self.quality[min(int(progress * len(self.quality)), len(self.quality) - 1)]


def make_league(
    seed: int,
    *,
    models: int = 24,
    collections: int = 4,
    members: int = 8,
    drift: bool = False,
    panels_a_day: float = 40,
) -> League:
    """Collections of one shape each, with members drawn from all models; a third of the models sits nowhere. `drift`
    deals the qualities anew after half of the season, as when providers change what is behind a name."""
    rng = Random(seed)  # noqa: S311 - a seeded simulation
    endpoint = EndpointView(id=1, name="league", base="http://127.0.0.1:9/v1", kind="provider", api="chat")
    aliases = [f"model-{number:02}" for number in range(1, models + 1)]
    views = {
        alias: ModelView(id=number, alias=alias, served=f"maker/{alias}", endpoint=endpoint, tools=True)
        for number, alias in enumerate(aliases, 1)
    }
    shapes = [Shape.GENERAL, Shape.DESIGN, Shape.PROSE, Shape.CODE, Shape.REVIEW]
    playing = aliases[: max(members, models * 2 // 3)]
    made = [
        CollectionView(
            id=number,
            name=f"collection-{number}",
            members=tuple(rng.sample(playing, members)),
            shape=shapes[(number - 1) % len(shapes)],
        )
        for number in range(1, collections + 1)
    ]
    quality = [_qualities(aliases, shapes, rng) for _ in range(2 if drift else 1)]
    judges = [Judge("careful", 0.35, 0.05), Judge("quick", 0.3, 0.12), Judge("tired", 0.15, 0.2)]
    return League(views, made, judges, quality, panels_a_day)


def _qualities(aliases: Sequence[str], shapes: Sequence[str], rng: Random) -> dict[tuple[str, str], float]:
    made: dict[tuple[str, str], float] = {}
    for alias in aliases:
        own = rng.gauss(0.6, BREADTH)
        for shape in shapes:
            made[alias, shape] = min(max(own + rng.gauss(0.0, KNACK), 0.05), 0.95)
    return made
