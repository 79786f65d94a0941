"""Which worker runs which test: those of one `xdist_group` go to the same, for they share an installation that takes
long to start.

pytest-xdist 3.8 tells the group by a suffix of the test's id, which pytest 9.2 no longer lets it add; so the group is
read from the module's own text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdist.scheduler.loadscope import LoadScopeScheduling

_GROUP = re.compile(r"xdist_group\(\"([\w-]+)\"\)")


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # untyped base
    """The groups as they come, and every other test by itself."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(str(self.config.rootpath), nodeid.partition("::")[0]) or nodeid


@cache
def group_of(root: str, path: str) -> str:
    """The group of all tests of a module, by its path below the root; empty for none."""
    found = _GROUP.search((Path(root) / path).read_text("utf-8"))
    return found[1] if found else ""
