"""When a panel's shape is asked of a picker, and what a line-up makes of what it says."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.canon.kinds import Shape
from gateway.engine.picker_plan import Picked
from gateway.tests.engine.world import ask, collection, model, plan, snapshot

BENCH = [model("m1"), model("m2", role="code"), model("m3", vision=True)]


@pytest.mark.parametrize(
    ("members", "facts", "asked", "undecided"),
    [
        (("m1",), {}, ask(), True),
        (("m1",), {"shape": "review"}, ask(), False),
        (("m1",), {"max_explorers": 0}, ask(), False),
        (("m3",), {}, ask(images=1), False),
    ],
    ids=["nothing is set", "the collection has one", "nobody explores", "there are images"],
)
def test_a_picker_is_wanted_only_where_nothing_else_decides(
    members: tuple[str, ...], facts: dict[str, Any], asked: Any, undecided: bool
) -> None:
    assert plan(asked, collection(*members, **facts), snapshot(*BENCH)).undecided is undecided


def test_what_the_picker_says_admits_the_roles_of_that_shape() -> None:
    seats = collection("m1", max_explorers=1)
    coded = plan(ask(), seats, snapshot(*BENCH[:2]), picked=Picked(Shape.CODE, "jury, 0.97"))
    assert (coded.shape, coded.shape_by, coded.undecided) == (Shape.CODE, "jury, 0.97", False)
    assert [seat.alias for seat in coded.seats] == ["m1", "m2"]
    assert [seat.alias for seat in plan(ask(), seats, snapshot(*BENCH[:2])).seats] == ["m1"]
