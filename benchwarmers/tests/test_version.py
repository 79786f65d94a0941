"""Which program this is, told from files alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchwarmers.version import read_version

ONE, TWO = "1" * 40, "2" * 40
LINE = f"{ONE} {TWO} Ann Other <ann@example.org> 1764400000 +0200\tcommit: Say so\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "benchwarmers"\nversion = "4.5.6"\n')
    return tmp_path


def git(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / ".git" / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_without_a_clone_there_is_a_version_alone(root: Path) -> None:
    told = read_version(root)
    assert (told.number, told.commit, told.at) == ("4.5.6", "", None)


def test_a_clone_tells_its_commit_and_when_it_came(root: Path) -> None:
    git(root, HEAD="ref: refs/heads/main\n", refs__heads__main=f"{TWO}\n", logs__HEAD=LINE)
    told = read_version(root)
    assert (told.short, told.at) == (TWO[:10], datetime.fromtimestamp(1_764_400_000, UTC))


def test_packed_references_and_lone_commits_are_read(root: Path) -> None:
    git(root, HEAD="ref: refs/heads/main\n", packed_refs=f"# pack-refs\n{ONE} refs/heads/main\n")
    assert read_version(root).commit == ONE
    git(root, HEAD=TWO)
    assert (read_version(root).commit, read_version(root).at) == (TWO, None)


def test_a_log_of_another_commit_tells_no_time(root: Path) -> None:
    git(root, HEAD=ONE, logs__HEAD=LINE)
    assert read_version(root).at is None


def test_nonsense_is_no_commit(root: Path) -> None:
    git(root, HEAD="nothing of the kind")
    assert read_version(root).commit == ""


@pytest.mark.parametrize("beside", [None, "[project]\nname = 'other'\nversion = '9.9'\n", "[tool.x]\n", "no = = toml"])
def test_an_installed_copy_tells_the_version_it_was_installed_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str | None
) -> None:
    """Whatever another package left beside it."""
    monkeypatch.setattr("importlib.metadata.version", {"benchwarmers": "4.5.7"}.__getitem__)
    if beside is not None:
        (tmp_path / "pyproject.toml").write_text(beside)
    assert read_version(tmp_path).number == "4.5.7"
