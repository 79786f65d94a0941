"""Every kind of fault once, under load: nothing acknowledged is lost, and everything is there again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchwarmers.tests.chaos.place import running
from benchwarmers.tests.chaos.report import as_table
from benchwarmers.tests.chaos.run import run
from benchwarmers.tests.chaos.schedule import KINDS, every_kind_once

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("chaos"), pytest.mark.timeout(900)]
SEED = 11
SLACK = 4.0
MOST_S = 600.0


def test_nothing_is_lost_whatever_is_killed_or_paused(tmp_path: Path) -> None:
    with running(tmp_path) as place:
        found = asyncio.run(run(place, every_kind_once(SEED), SEED, MOST_S, SLACK))
    assert found.wrong == [], as_table(found)
    assert len(found.faults) == len(KINDS)
    assert len(found.journal.answered) > 50
    assert found.journal.calls
    assert found.journal.panels
