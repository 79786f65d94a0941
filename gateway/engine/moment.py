"""What is true at the moment of a decision, beside the snapshot."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Moment(Struct, frozen=True):
    """What is true right now beside the snapshot: `now` in epoch seconds, `last_work` by alias with this second's seats
    in it."""

    now: float
    last_work: Mapping[str, float]
    resting: Mapping[str, float]
