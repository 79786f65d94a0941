"""Diffs, rows and files in a line."""

from __future__ import annotations

import difflib
from typing import Any

BEFORE = "def first(items):\n    for at in range(1, len(items)):\n        return items[at]\n    return None\n"
AFTER = BEFORE.replace("range(1, len", "range(len")


def diff(before: str = BEFORE, after: str = AFTER, path: str = "src/pick.py", context: int = 3) -> str:
    """As git writes it."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"a/{path}", f"b/{path}", n=context, lineterm=""
    )
    return "\n".join([f"diff --git a/{path} b/{path}", *lines, ""])


def row(number: int = 7, **fields: Any) -> dict[str, Any]:
    """A row of the data set that becomes a pair without any network, unless said otherwise."""
    return {
        "instance_id": f"maker__picker-{number}",
        "repo": "maker/picker",
        "base_commit": "0123456789abcdef",
        "created_at": "2025-07-02T10:00:00Z",
        "license": "MIT",
        "language": "python",
        "patch": diff(),
        "problem_statement": "The first item\nis never found.",
        "files": {"src/pick.py": BEFORE},
        **fields,
    }
