"""When what was sent leaves a window, to the millisecond."""

from __future__ import annotations

import pytest

from gateway.engine.pace_rules import BUCKET_MS, DAY_MS, MINUTE_MS, Blocked, Claim, Estimate, Limits, rules_for
from gateway.engine.pace_windows import History, Windows

BEGIN = 1_796_000_000_000 // BUCKET_MS * BUCKET_MS


@pytest.mark.parametrize(
    ("limits", "sent", "free"),
    [
        (Limits(rpm=1), BEGIN, BEGIN + MINUTE_MS),
        (Limits(rpd=1), BEGIN, BEGIN + BUCKET_MS + DAY_MS),
        (Limits(rpd=1), BEGIN + BUCKET_MS - 1, BEGIN + BUCKET_MS + DAY_MS),
        (Limits(tpd=30), BEGIN + 1, BEGIN + BUCKET_MS + DAY_MS),
    ],
)
def test_a_call_counts_until_its_piece_of_the_window_is_over_and_no_longer(
    limits: Limits, sent: int, free: int
) -> None:
    windows, rules = Windows(), rules_for("corner", "m1", limits, {})
    for scope in rules.scopes:
        windows.warm(scope, History(), sent)

    def take(name: str, now: int) -> object:
        return windows.take(Claim(name, rules, Estimate(10, 10), now + MINUTE_MS, False), now)

    assert take("first", sent) is None
    blocked = take("second", free - 1)
    assert isinstance(blocked, Blocked)
    assert blocked.wait_ms == 1
    assert take("third", free) is None
