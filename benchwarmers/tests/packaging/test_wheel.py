"""The wheel has all that runs and nothing else."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from benchwarmers.tests.house.tree import ROOT, files, name, text_files
from benchwarmers.tests.packaging.conftest import make_wheel

PACKAGES = ("benchwarmers/", "gateway/", "collections_app/", "probes/", "suite/")
NUMBER = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def told(wheel: Path, file: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"benchwarmers-{NUMBER}.dist-info/{file}").decode()


def test_the_wheel_has_every_file_that_runs_and_no_test(wheel: Path) -> None:
    runs = {name(path) for path in files() if "tests" not in path.parts and name(path).startswith(PACKAGES)}
    pages = {f"benchwarmers/{name(path)}" for path in files() if name(path).startswith("templates/")}
    assert {file for file in names(wheel) if ".dist-info/" not in file} == runs | pages


@pytest.mark.parametrize(
    "kept",
    [
        "benchwarmers/templates/base.html",
        "benchwarmers/static/benchwarmers/css/base.css",
        "benchwarmers/static/vendor/htmx-2.min.js",
        "probes/catalog/shipped.json.gz",
        "suite/starter/starter-array-bug/task.json",
        "gateway/migrations/0001_initial.py",
    ],
)
def test_what_is_no_module_is_there_too(wheel: Path, kept: str) -> None:
    assert kept in names(wheel)


def test_it_needs_what_the_requirements_ask_for(wheel: Path) -> None:
    wished = re.findall(r"^([A-Za-z0-9._-]+)", (ROOT / "requirements.in").read_text(), re.MULTILINE)
    needed = email.message_from_string(told(wheel, "METADATA")).get_all("Requires-Dist") or []
    assert sorted(re.split(r"[^A-Za-z0-9._-]", need)[0] for need in needed) == sorted(wished)


def test_it_brings_both_programs(wheel: Path) -> None:
    entry = "benchwarmers.cli.main:main"
    assert told(wheel, "entry_points.txt").split() == [
        *("[console_scripts]", "bench", "=", entry),
        *("benchwarmers", "=", entry),
    ]


def test_the_version_stands_in_one_place() -> None:
    """Besides the history of changes, which begins with it."""
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == NUMBER  # type: ignore[index]
    repeated = re.compile(rf"(?<![\d.]){re.escape(NUMBER)}(?![\d.])")
    shipped = (path for path in text_files() if "tests" not in path.parts)
    assert [name(path) for path in shipped if repeated.search(path.read_text())] == ["CHANGELOG.md", "pyproject.toml"]


def test_the_source_package_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    make = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with tarfile.open(tmp_path / f"benchwarmers-{NUMBER}.tar.gz") as archive:
        # The first releases of Python 3.11 have no filter, those from 3.12 on complain where none is named.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        archive.extractall(tmp_path)  # noqa: S202 the filter is named above
    source = tmp_path / f"benchwarmers-{NUMBER}"
    assert not [path for path in source.rglob("tests") if path.is_dir()]
    assert names(make_wheel(source, tmp_path / "again")) == names(wheel)
