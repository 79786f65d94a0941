"""How many calls a connection may have at once after it said that it had too many: additive growth, one cut a
rate-limit episode. Pure; pace_lua.py has the same for all processes together.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

FORGOTTEN_MS: Final = 3_600_000
FIRST_FROM: Final = 10
"""As many calls at once the first cut supposes at least: that one of a few calls was refused tells little of how many
are too many, and often concerns one model of many on the connection. So a panel of five stays whole."""


class Adapted(Struct, frozen=True):
    """`limit` calls at once, since `cut_at`; forgotten at `until`. `won` counts the answers since the limit was last
    moved, `used` says that it was reached since."""

    limit: int
    cut_at: int
    until: int
    won: int = 0
    used: bool = False


def live(state: Adapted | None, now: int) -> Adapted | None:
    """The state, while it is remembered."""
    return state if state is not None and state.until > now else None


def after_refusal(state: Adapted | None, now: int, sent_at: int, in_flight: int) -> Adapted | None:
    """The limit after a call sent at `sent_at` was refused, with `in_flight` open calls, itself among them. None: it
    stays as it is, since the call was sent before the last cut, or was the only one, and tells nothing new."""
    known = live(state, now)
    if known is not None and (sent_at <= known.cut_at or in_flight <= 1):
        return None
    open_calls = max(in_flight, FIRST_FROM if known is None else known.limit)
    return Adapted(max(1, open_calls // 2), now, now + FORGOTTEN_MS)


def after_start(state: Adapted, in_flight: int) -> Adapted:
    """A call begins, or is held back, with `in_flight` open calls: was the limit reached?"""
    if state.used or in_flight < state.limit:
        return state
    return Adapted(state.limit, state.cut_at, state.until, state.won, used=True)


def after_answer(state: Adapted, sent_at: int) -> Adapted:
    """An answer came: the limit grows by one for each limit's worth of them, if it was ever in the way."""
    if not state.used or sent_at <= state.cut_at:
        return state
    if state.won + 1 < state.limit:
        return Adapted(state.limit, state.cut_at, state.until, state.won + 1, used=True)
    return Adapted(state.limit + 1, state.cut_at, state.until)
