"""Panel ids: `p`, the local time to the second, and digits that no other panel of that second has."""

from __future__ import annotations

from datetime import datetime
from random import Random

# Any odd factor maps the numbers 0..65535 onto themselves in another order.
_SCRAMBLE = 40_503


def second_of(now: datetime) -> str:
    """The second in an id, in the time zone that `now` carries."""
    return now.strftime("%Y%m%d-%H%M%S")


def panel_id(second: str, number: int | None, rng: Random) -> str:
    """`number` counts the panels of this second over all processes; without one (Redis away) the digits are random and
    longer."""
    if number is None or number > 0xFFFF:
        return f"p{second}-{rng.getrandbits(48):012x}"
    return f"p{second}-{(number * _SCRAMBLE + int(second[-6:])) & 0xFFFF:04x}"
