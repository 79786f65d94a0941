"""The world these tests share: two endpoints, a handful of models, and short ways to say what is asked of whom."""

from __future__ import annotations

from random import Random
from typing import Any

from gateway.canon.ask import Ask, Media, Text, Turn
from gateway.engine.moment import Moment
from gateway.engine.picker_plan import Picked
from gateway.engine.plan import PanelPlan, plan_panel
from gateway.engine.snapshot import Caller, CollectionView, EndpointView, ModelView, Snapshot

NOW = 1_796_000_000.0
ANTHILL = EndpointView(id=1, name="anthill", base="http://anthill.test/v1", kind="provider", api="chat", default=True)
HIVE = EndpointView(id=2, name="hive", base="http://hive.test/v1", kind="hub", api="chat")
LOCAL = Caller("local")
IMAGE = Media("image", data="aGVsbG8=", mime="image/png")


def model(alias: str, **facts: Any) -> ModelView:
    """A general model of a family of its own, on the anthill."""
    given: dict[str, Any] = {"id": 100 + len(alias), "served": f"lab/{alias}", "endpoint": ANTHILL}
    return ModelView(alias=alias, **(given | facts))


def collection(*members: str, **facts: Any) -> CollectionView:
    given: dict[str, Any] = {"id": 1, "name": "core", "members": members}
    return CollectionView(**(given | facts))


def snapshot(*models: ModelView, **facts: Any) -> Snapshot:
    """Everything known: these models, and no collections unless given."""
    return Snapshot(models={one.alias: one for one in models}, **facts)


def ask(text: str = "Why is the sky blue?", images: int = 0, **facts: Any) -> Ask:
    given: dict[str, Any] = {
        "protocol": "openai_chat",
        "model": "bench/core",
        "turns": (Turn("user", (Text(text), *[IMAGE] * images)),),
    }
    return Ask(**(given | facts))


def plan(
    asked: Ask,
    seats: CollectionView,
    known: Snapshot,
    last_work: dict[str, float] | None = None,
    seed: int = 1,
    picked: Picked | None = None,
) -> PanelPlan:
    return plan_panel(asked, seats, known, Moment(NOW, last_work or {}, known.cooling), Random(seed), picked)


def sitting(planned: PanelPlan) -> list[str]:
    return [seat.alias for seat in planned.seats]


def skips(planned: PanelPlan) -> dict[str, tuple[str, str]]:
    """(seat, why) by alias."""
    return {skip.alias: (skip.seat, skip.why) for skip in planned.skipped}
