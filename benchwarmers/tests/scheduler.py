"""Which worker runs which test, and in which order: those of one `xdist_group` go to the same, for they share an
installation that takes long to start; so do those of one file, which share what is made for a module.

Groups take longest, so they begin first, those with most tests before the others. Then come the files as they are.

pytest-xdist 3.8 tells the group by a suffix of the test's id, which pytest 9.2 no longer lets it add; so the group is
read from the module's own text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from xdist.scheduler.loadscope import LoadScopeScheduling

_GROUP = re.compile(r"xdist_group\(\"([\w-]+)\"\)")


class _Named(Protocol):
    @property
    def nodeid(self) -> str: ...


Item = TypeVar("Item", bound=_Named)


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # untyped base
    """The groups, then the files, each as they come."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # the order of the collection holds

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return group_of(str(self.config.rootpath), path) or path


def in_order(items: Sequence[Item], root: str) -> list[Item]:
    """The tests with those of groups first, the largest group before the others."""
    groups = [group_of(root, item.nodeid.partition("::")[0]) for item in items]
    sizes = Counter(groups)
    pairs = sorted(zip(groups, items, strict=True), key=lambda pair: (-sizes[pair[0]], pair[0]) if pair[0] else (0, ""))
    return [item for _, item in pairs]


@cache
def group_of(root: str, path: str) -> str:
    """The group of all tests of a module, by its path below the root; empty for none."""
    found = _GROUP.search((Path(root) / path).read_text("utf-8"))
    return found[1] if found else ""
