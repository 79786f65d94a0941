"""One thing that a provider said about a limit: what engine/limit_headers.py and limit_bodies.py read, what pacing
keeps to and what the quota table holds."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

REQUESTS: Final = "requests"
TOKENS: Final = "tokens"
INPUT_TOKENS: Final = "input-tokens"
OUTPUT_TOKENS: Final = "output-tokens"
METRICS: Final = (REQUESTS, TOKENS, INPUT_TOKENS, OUTPUT_TOKENS)

MINUTE: Final = "minute"
HOUR: Final = "hour"
DAY: Final = "day"
MONTH: Final = "month"
RETRY_AFTER: Final = "retry-after"
UNKNOWN: Final = "unknown"
WINDOWS: Final = (MINUTE, HOUR, DAY, MONTH, RETRY_AFTER, UNKNOWN)


class Told(Struct, frozen=True):
    """`alias` is empty where the limit is the whole connection's. `metric` is one of METRICS, `window` one of WINDOWS;
    `retry-after` stands for a wait without a window. `limit` and `remaining` are None where they were not told;
    `reset_at` is in epoch seconds, None when unknown. `source` is the header or field that told; `quota` a provider's
    own name for the limit."""

    connection: str
    alias: str
    metric: str
    window: str
    limit: int | None = None
    remaining: int | None = None
    reset_at: float | None = None
    source: str = ""
    quota: str = ""
