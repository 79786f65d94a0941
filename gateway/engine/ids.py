"""Ids of panels and conversations: a letter, the local time to the second, and digits that no other one of that second
has."""

from __future__ import annotations

from datetime import datetime
from random import Random

# Any odd factor maps the numbers 0..65535 onto themselves in another order.
_SCRAMBLE = 40_503


def second_of(now: datetime) -> str:
    """The second in an id, in the time zone that `now` carries."""
    # Twice as fast as strftime, and asked for by every request.
    return f"{now.year:04}{now.month:02}{now.day:02}-{now.hour:02}{now.minute:02}{now.second:02}"


def panel_id(second: str, number: int | None, rng: Random) -> str:
    """`number` counts what was opened in this second over all processes; without one (Redis away) the digits are random
    and longer."""
    return f"p{second}-{_digits(second, number, rng)}"


def conversation_id(second: str, number: int | None, rng: Random) -> str:
    """The same for a conversation in route mode."""
    return f"r{second}-{_digits(second, number, rng)}"


def _digits(second: str, number: int | None, rng: Random) -> str:
    if number is None or number > 0xFFFF:
        return f"{rng.getrandbits(48):012x}"
    return f"{(number * _SCRAMBLE + int(second[-6:])) & 0xFFFF:04x}"
