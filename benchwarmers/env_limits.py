"""Reads from the environment how long a connection may take to say what it wants, and how many there may be.

Standard library only, like `env`, which calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchwarmers import env_values as value

HEAD_S = 20.0
BODY_S = 60.0
IDLE_S = 75.0
CONNECTIONS = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """`head_s`: from the first byte of a request, or from the opening of its connection, to the end of its headers.
    `body_s`: to the end of its body, with a second more for each `connections.SLOWEST` bytes that came. `idle_s`: from
    one request to the next. `connections`: open at once, in one web process."""

    head_s: float = HEAD_S
    body_s: float = BODY_S
    idle_s: float = IDLE_S
    connections: int = CONNECTIONS


def read_limits(env: Mapping[str, str]) -> Limits:
    """What the variables say.

    :raises BadSetting: one of them is no number, or out of bounds.
    """
    return Limits(
        head_s=value.seconds("BENCH_HEAD_S", env.get("BENCH_HEAD_S", str(HEAD_S))),
        body_s=value.seconds("BENCH_BODY_S", env.get("BENCH_BODY_S", str(BODY_S))),
        idle_s=value.seconds("BENCH_IDLE_S", env.get("BENCH_IDLE_S", str(IDLE_S))),
        connections=value.count("BENCH_CONNECTIONS", env.get("BENCH_CONNECTIONS", str(CONNECTIONS)), 16, 1_000_000),
    )
