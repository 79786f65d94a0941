"""Import contracts, migrations, locks and vendored files."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

from benchwarmers.tests.house import lock
from benchwarmers.tests.house.tree import ROOT

OURS = ("benchwarmers", "gateway", "collections_app", "probes", "suite")


def test_imports_go_one_way() -> None:
    ended = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout


def test_an_import_against_the_direction_would_be_noticed() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in contracts if contract["type"] == "layers")["layers"]
    named = [re.sub(r"[() ]", "", layer) for layer in layers]
    assert named.index("benchwarmers") < named.index("gateway.engine") < named.index("collections_app")
    assert named[-2:] == ["gateway.wire", "gateway.canon"]


@pytest.mark.django_db
def test_every_model_change_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_migrations_of_each_app_are_one_line() -> None:
    loader = MigrationLoader(None)
    for app in OURS:
        leaves = loader.graph.leaf_nodes(app)
        assert len(leaves) <= 1, leaves
        names = sorted(key[1] for key in loader.disk_migrations if key[0] == app)
        assert [int(one[:4]) for one in names] == list(range(1, len(names) + 1)), names


@pytest.mark.parametrize("locked", lock.LOCKS)
def test_a_lock_was_made_from_today_s_wishes(locked: str) -> None:
    text = (ROOT / locked).read_text()
    assert text.startswith(lock.head(lock.LOCKS[locked])), "run `make lock`"
    pinned = {re.sub(r"[-_.]+", "-", one).lower() for one in re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)}
    wished = {
        re.sub(r"[-_.]+", "-", hit[0]).lower()
        for source in lock.LOCKS[locked]
        for line in (ROOT / source).read_text().splitlines()
        if (hit := re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line))
    }
    assert wished - pinned == set()


@pytest.mark.parametrize("locked", lock.LOCKS)
def test_every_pin_has_hashes_and_comes_from_the_index(locked: str) -> None:
    for block in re.split(r"\n(?=[A-Za-z0-9])", (ROOT / locked).read_text())[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]
        assert "://" not in block, block.splitlines()[0]


def test_both_locks_agree() -> None:
    pins = [set(re.findall(r"^([^\s#]+==[^\s;]+)", (ROOT / one).read_text(), re.MULTILINE)) for one in lock.LOCKS]
    assert pins[0] - pins[1] == set()


def vendored() -> list[Path]:
    return sorted(ROOT.glob("*/static/vendor/VENDOR.toml"))


@pytest.mark.parametrize("register", vendored(), ids=lambda path: path.parts[-4])
def test_vendored_files_are_what_was_recorded(register: Path) -> None:
    entries = tomllib.loads(register.read_text())["file"]
    listed = {entry["path"] for entry in entries} | {entry["licence_file"] for entry in entries} | {register.name}
    assert {
        path.relative_to(register.parent).as_posix() for path in register.parent.rglob("*") if path.is_file()
    } == listed
    for entry in entries:
        assert entry["version"], entry["path"]
        assert entry["licence"], entry["path"]
        assert hashlib.sha256((register.parent / entry["path"]).read_bytes()).hexdigest() == entry["sha256"], entry[
            "path"
        ]
