"""Tests that share an installation are found to do so."""

from __future__ import annotations

from types import SimpleNamespace

from benchwarmers.tests.house.tree import ROOT, name, python_files
from benchwarmers.tests.scheduler import group_of, in_order


def test_the_group_of_a_module_is_read_from_its_text() -> None:
    assert group_of(str(ROOT), "benchwarmers/tests/live/test_story.py") == "live"
    assert group_of(str(ROOT), "benchwarmers/tests/test_scheduler.py") == ""


def test_every_group_stands_where_it_is_looked_for() -> None:
    marked = [name(path) for path in python_files() if "xdist_" + "group(" in path.read_text("utf-8")]
    tests = [path for path in marked if path.rpartition("/")[2].startswith("test_")]
    assert tests
    assert [path for path in tests if not group_of(str(ROOT), path)] == []


def test_groups_come_first_and_the_largest_before_the_others() -> None:
    live, crash, alone = "benchwarmers/tests/live/test_story.py", "benchwarmers/tests/jobs/test_crash.py", __file__
    names = [f"{alone}::one", f"{crash}::one", f"{live}::one", f"{alone}::two", f"{live}::two"]
    items = [SimpleNamespace(nodeid=name) for name in names]
    assert [item.nodeid for item in in_order(items, str(ROOT))] == [names[at] for at in (2, 4, 1, 0, 3)]
