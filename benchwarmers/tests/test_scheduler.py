"""Tests that share an installation are found to do so."""

from __future__ import annotations

from benchwarmers.tests.house.tree import ROOT, name, python_files
from benchwarmers.tests.scheduler import group_of


def test_the_group_of_a_module_is_read_from_its_text() -> None:
    assert group_of(str(ROOT), "benchwarmers/tests/live/test_story.py") == "live"
    assert group_of(str(ROOT), "benchwarmers/tests/test_scheduler.py") == ""


def test_every_group_stands_where_it_is_looked_for() -> None:
    marked = [name(path) for path in python_files() if "xdist_" + "group(" in path.read_text("utf-8")]
    tests = [path for path in marked if path.rpartition("/")[2].startswith("test_")]
    assert tests
    assert [path for path in tests if not group_of(str(ROOT), path)] == []
