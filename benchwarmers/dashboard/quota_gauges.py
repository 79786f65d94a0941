"""How full each limit is: gauges of what was sent, what is under way and when all of it has left the window. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gateway.engine.pace_counted import Counted, Window
from gateway.models import Quota

AXES: Final = ("rpm", "tpm", "rpd", "tpd", "rpmo", "parallel")
LABELS: Final = {
    "rpm": gettext_lazy("Requests a minute"),
    "tpm": gettext_lazy("Tokens a minute"),
    "rpd": gettext_lazy("Requests a day"),
    "tpd": gettext_lazy("Tokens a day"),
    "rpmo": gettext_lazy("Requests a month"),
    "parallel": gettext_lazy("Calls at once"),
}
METRICS: Final = {
    "requests": gettext_lazy("Requests"),
    "tokens": gettext_lazy("Tokens"),
    "input-tokens": gettext_lazy("Tokens in"),
    "output-tokens": gettext_lazy("Tokens out"),
}
WINDOWS: Final = {
    "minute": gettext_lazy("a minute"),
    "hour": gettext_lazy("an hour"),
    "day": gettext_lazy("a day"),
    "month": gettext_lazy("a month"),
    "retry-after": gettext_lazy("after a wait"),
}
NEARLY: Final = 90
"""Percent from which on a gauge warns."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """`used` of `limit`, of which `held` belong to calls under way. `free_at` is when the window is empty again, None
    where that is not known or nothing is in it. `stated` where a provider says so, and nothing that was counted
    here."""

    label: str
    used: int
    held: int
    limit: int
    free_at: datetime | None = None
    stated: bool = False

    @property
    def share(self) -> int:
        """In whole percent, at most 100."""
        return min(100 * self.used // self.limit, 100) if self.limit else 100

    @property
    def held_share(self) -> int:
        """The part of it that is under way, at its end."""
        return min(100 * self.held // self.limit, self.share) if self.limit else 0

    @property
    def settled_share(self) -> int:
        return self.share - self.held_share

    @property
    def state(self) -> str:
        """full, nearly or empty string."""
        return "full" if self.used >= self.limit else "nearly" if self.share >= NEARLY else ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the ledger says a scope has sent, for windows that were never counted: (requests, tokens) of the last
    minute, the last day and this month."""

    minute: tuple[int, int] = (0, 0)
    day: tuple[int, int] = (0, 0)
    month: tuple[int, int] = (0, 0)


def make_gauges(
    limits: Mapping[str, int | None], counted: Counted | None, ledger: Ledger, open_calls: int
) -> list[Gauge]:
    """A gauge for each limit that is set; what is cold comes from the ledger, without a time."""
    windows = {
        "m": (counted and counted.minute) or Window(*ledger.minute),
        "d": (counted and counted.day) or Window(*ledger.day),
        "o": (counted and counted.month) or Window(*ledger.month),
    }
    gauges = []
    for axis in AXES:
        if not (limit := limits.get(axis)):
            continue
        label = str(LABELS[axis])
        if axis == "parallel":
            gauges.append(Gauge(label, open_calls, open_calls, limit))
            continue
        window = windows[axis[-1]]
        requests = axis[0] == "r"
        used, held = (window.requests, window.held_requests) if requests else (window.tokens, window.held_tokens)
        gauges.append(Gauge(label, used, held, limit, _moment(window.free_at) if used else None))
    return gauges


def stated_gauge(quota: Quota) -> Gauge | None:
    """What a provider said is left, as used of its limit; None where it did not say both."""
    if quota.limit is None or quota.remaining is None or quota.limit <= 0:
        return None
    window = WINDOWS.get(quota.window, _("in a window not told"))
    label = f"{METRICS.get(quota.metric, quota.metric)} {window}"
    return Gauge(label, max(quota.limit - quota.remaining, 0), 0, quota.limit, quota.reset_at, stated=True)


def _moment(at: int) -> datetime | None:
    return datetime.fromtimestamp(at / 1000, UTC) if at > 0 else None
