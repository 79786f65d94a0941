"""What an idle installation weighs, in proportional memory (`python -m bench start` prints it)."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from benchwarmers.tests.up.running import Running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]
CEILING_MB = 260


@pytest.mark.skipif(sys.platform != "linux", reason="proportional memory is read from Linux's /proc")
def test_everything_idle_stays_light(tmp_path: Path) -> None:
    run = Running(tmp_path, measured=False)
    try:
        answered = run.wait_until_whole()
        time.sleep(2)
        weights = {name: process.memory_full_info().pss for name, process in run.children().items()}
        weights["up"] = psutil.Process(run.process.pid).memory_full_info().pss
    finally:
        run.end()
    told = {name: round(weight / 1e6, 1) for name, weight in weights.items()}
    total = sum(weights.values()) / 1e6
    sys.stdout.write(f"\nfirst answer after {answered:.1f} s; idle {total:.0f} MB: {told}\n")
    assert total < CEILING_MB, told
