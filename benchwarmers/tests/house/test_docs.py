"""The documentation names what the code has, and nothing that it has not."""

from __future__ import annotations

import re

from benchwarmers.tests.house.tree import ROOT, name, text_files

VARIABLE = re.compile(r"\b(?:BENCH(?:WARMERS)?_[A-Z][A-Z0-9_]*|DATABASE_URL|REDIS_URL|XDG_DATA_HOME)\b")
READERS = tuple(
    f"benchwarmers/{name}.py"
    for name in ("env", "env_backup", "env_limits", "env_mail", "env_programs", "env_sign_in", "database")
)
# Read by the vault, under a name made at run time.
ELSEWHERE = {"BENCHWARMERS_KEY_"}


def read_by_code() -> set[str]:
    return {found for reader in READERS for found in VARIABLE.findall((ROOT / reader).read_text())}


def documented() -> set[str]:
    table = (ROOT / "docs/settings.md").read_text()
    return {found for line in table.splitlines() if line.startswith("| `") for found in VARIABLE.findall(line[:60])}


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    assert read_by_code() - documented() == set()
    assert documented() - read_by_code() - ELSEWHERE - clients() == set()


def clients() -> set[str]:
    """Variables of the command line, which talks to a server from anywhere."""
    return {
        found
        for path in text_files()
        if path.suffix == ".py" and name(path).startswith(("benchwarmers/cli", "gateway/"))
        for found in VARIABLE.findall(path.read_text())
    }


def test_every_make_target_is_documented() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(re.findall(r"`make ([a-z]+)(?: [A-Z]+=\w+)?`", (ROOT / "docs/development.md").read_text()))
    assert targets - told == set()
    assert told - targets == set()


def test_every_dependency_says_why() -> None:
    wished = {
        hit[0]
        for source in ("requirements.in", "requirements-dev.in")
        for line in (ROOT / source).read_text().splitlines()
        if (hit := re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line))
    }
    told = set(re.findall(r"^\| `([^`]+)`", (ROOT / "docs/design/dependencies.md").read_text(), re.MULTILINE))
    assert wished - told == set()
    assert told - wished == set()
