"""Sizes, names, docstrings, and what no file may contain."""

from __future__ import annotations

import ast
import re
import statistics
from pathlib import Path

import pytest

from benchwarmers.tests.house.tree import ROOT, files, name, python_files, text_files

CEILING = 400
MEDIAN = 120
VAGUE = re.compile(r"(?:^|_)(?:utils?|helpers?|managers?|handlers?|services?|misc|common)(?:_|$)")
VAGUE_CLASS = re.compile(r"(?:Utils?|Helpers?|Manager|Handler|Service)$")


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_longer_than_the_ceiling() -> None:
    assert {name(path): lines(path) for path in python_files() if lines(path) > CEILING} == {}


def test_the_median_module_is_short() -> None:
    assert statistics.median(lines(path) for path in python_files(tests=False)) <= MEDIAN


def test_every_module_says_what_it_is_for() -> None:
    silent = [name(path) for path in python_files() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]
    assert silent == []


def test_no_module_and_no_class_has_a_vague_name() -> None:
    assert [name(path) for path in python_files() if VAGUE.search(path.stem)] == []
    vague = [
        f"{name(path)}: {node.name}"
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and VAGUE_CLASS.search(node.name)
    ]
    assert vague == []


def test_a_broad_except_stands_only_in_the_outermost_loops() -> None:
    outermost = {
        "gateway/api/consumer.py",
        "gateway/engine/recorder.py",
        "gateway/mcp/server.py",
        "probes/jobs/run.py",
    }
    broad = {
        name(path)
        for path in python_files(tests=False)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}))
    }
    assert broad - outermost == set()


def test_the_canon_knows_no_any() -> None:
    canon = [path for path in python_files(tests=False) if name(path).startswith("gateway/canon/")]
    assert canon
    assert [name(path) for path in canon if re.search(r"\bAny\b", path.read_text("utf-8"))] == []


def test_tests_are_plain_functions() -> None:
    classes = [
        f"{name(path)}: {node.name}"
        for path in python_files()
        if "tests" in path.parts and path.name.startswith("test_")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test")
    ]
    assert classes == []


# Spelt in pieces, so that this file does not contain what it forbids.
FORBIDDEN = {
    "a path of one machine": re.compile("/" + r"(?:root|work|home/[a-z]+|Users/[a-z]+)" + "/"),
    "a package index other than the public one": re.compile(
        r"(?:index" + r"-url|extra" + r"-index|arti" + r"factory|\bnexus\.|dev" + r"pi)", re.IGNORECASE
    ),
    "a key": re.compile(
        r"(?:\bsk-(?:ant|proj|or)-[A-Za-z0-9_-]{20,}|\bAIza[A-Za-z0-9_-]{35}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bAKIA[A-Z0-9]{16}\b"
        r"|-----BEGIN [A-Z ]*PRIVATE" + " KEY-----)"
    ),
    "a word about how it was written": re.compile(
        r"\b(?:sub" + r"agents?|claude" + r" code wrote|as an" + r" ai\b|the" + r" brief\b|co-authored" + r"-by)",
        re.IGNORECASE,
    ),
    "an unfinished mark": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_contains(what: str) -> None:
    found = []
    for path in text_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name(path)}: {hit[0]}" for hit in [FORBIDDEN[what].search(text)] if hit]
    assert found == []


def test_nothing_large_or_private_is_tracked() -> None:
    assert [name(path) for path in files() if path.stat().st_size > 1_000_000] == []
    private = re.compile(r"(?:\.sqlite3|\.db|\.env|\.pem|secret-key|vault-key|\.pyc)$")
    assert [name(path) for path in files() if private.search(path.name)] == []


def test_the_fixed_top_level_stands() -> None:
    for wanted in ("benchwarmers", "gateway", "collections_app", "probes", "suite", "templates", "manage.py"):
        assert (ROOT / wanted).exists(), wanted
    for wanted in ("docker-compose.yml", "requirements.txt", "Makefile", "LICENSE", "pyproject.toml", ".ci/run"):
        assert (ROOT / wanted).is_file(), wanted
