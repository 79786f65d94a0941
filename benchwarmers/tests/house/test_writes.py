"""Writes to the database happen in actions, which journal, in the engine's batches, and in the stores of background
work. Whoever else writes is on a
short list, with why that needs no line in the change log or where it gets one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from benchwarmers.tests.house.tree import ROOT, name, python_files

WRITERS = ("collections_app/actions/", "gateway/engine/batch")
STORES = re.compile(r"(?:probes|suite)/(\w+/)?store\w*\.py")
REVIEWED = {
    "collections_app/journal.py": "the change log itself",
    "collections_app/models/setting.py": "makes the one row with its defaults when there is none",
    "collections_app/standings_store.py": "sums of the evidence, which can be made anew at any time",
    "collections_app/vault_rotation.py": "the same secrets under another key",
    "benchwarmers/dashboard/account.py": "a password, noted by the page",
    "benchwarmers/people/factors.py": "an action, beside the library's tables it writes",
    "benchwarmers/people/second_factor.py": "which code was used last",
    "benchwarmers/people/sessions.py": "which sessions there are; the action that ends some notes it",
    "benchwarmers/first_start.py": "the first owner, before there is anybody to name",
    "benchwarmers/dashboard/readings.py": "the log of readings itself, for usage",
    "benchwarmers/traces.py": "describes this server to a collector; no row",
    "gateway/readings.py": "the log of readings itself",
    "gateway/sharing.py": "an action, beside the panels it writes",
    "gateway/engine/recovery.py": "closes the panels of a process that died",
    "gateway/engine/retention.py": "deletes what is too old, and notes how much",
    "gateway/engine/retention_rules.py": "what hangs on a row that is too old",
    "probes/retention.py": "what hangs on a row that is too old",
    "gateway/engine/usage_shares.py": "sums of usage by day, which can be made anew at any time",
    "gateway/engine/usage_store.py": "sums of the ledger, which can be made anew at any time",
}
ALWAYS = frozenset(
    {"save", "create", "acreate", "asave", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
    | {"create_user", "create_superuser", "set_password"}
)
SOMETIMES = frozenset({"update", "delete", "aupdate", "adelete"})
"""Dictionaries and caches have them too; on rows they are called with keywords alone, or with nothing."""
LINKS = frozenset({"groups", "collections", "members", "permissions", "user_permissions"})
LINKING = frozenset({"add", "remove", "set", "clear"})


def writes(source: str) -> Iterator[str]:
    """What in a module's source writes rows, as far as its form tells."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        verb, owner = node.func.attr, node.func.value
        linked = isinstance(owner, ast.Attribute) and owner.attr in LINKS and verb in LINKING
        if verb in ALWAYS or linked or (verb in SOMETIMES and not node.args):
            yield f"{node.lineno}: {ast.unparse(node)[:80]}"


def test_only_actions_batches_and_the_reviewed_write() -> None:
    found = {
        name(path): told
        for path in python_files(tests=False)
        if not name(path).startswith(WRITERS)
        and not STORES.fullmatch(name(path))
        and (told := list(writes(path.read_text("utf-8"))))
    }
    assert {path: told for path, told in found.items() if path not in REVIEWED} == {}
    assert {path for path in REVIEWED if (ROOT / path).exists()} - set(found) == set()


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Panel.objects.filter(pk=1).update(state='done')", True),
        ("row.save(update_fields=['x'])", True),
        ("Panel.objects.all().delete()", True),
        ("Panel.objects.bulk_create(rows)", True),
        ("person.groups.set(wanted)", True),
        ("person.set_password('x')", True),
        ("headers.update({'a': 1})", False),
        ("cache.delete(key)", False),
        ("seen.add(1)", False),
        ("sorted(rows)", False),
    ],
)
def test_a_write_is_told_from_what_only_looks_like_one(line: str, counts: bool) -> None:
    assert bool(list(writes(line))) == counts
