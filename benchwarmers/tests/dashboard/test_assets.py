"""What the pages ship: nothing from another host, nothing inline, and the files of others as they were."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STATIC = ROOT / "benchwarmers" / "static"
OWN = sorted((STATIC / "benchwarmers").rglob("*.*"))
FILE = "file.html"
TEMPLATES = [path for path in sorted((ROOT / "templates").rglob("*.html")) if "admin" not in path.parts]


def test_the_files_of_others_are_listed_with_their_digests() -> None:
    listed = tomllib.loads((STATIC / "vendor" / "VENDOR.toml").read_text())["file"]
    for entry in listed:
        digest = hashlib.sha256((STATIC / "vendor" / entry["path"]).read_bytes()).hexdigest()
        assert digest == entry["sha256"], entry["path"]
        assert (STATIC / "vendor" / entry["licence_file"]).is_file()
    known = {entry["path"] for entry in listed} | {entry["licence_file"] for entry in listed} | {"VENDOR.toml"}
    assert {path.name for path in (STATIC / "vendor").iterdir() if path.is_file()} <= known | {"uPlot.js", "uPlot.css"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_have_no_inline_code_style_or_foreign_host(path: Path) -> None:
    text = path.read_text()
    if path.name == FILE:  # opened from a disk, it has its one sheet with it, and a policy with that sheet's digest
        text = text.replace("<style>{{ style|safe }}</style>", "", 1)
    assert not re.search(r"\sstyle=|\son\w+=|<style|hx-on", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert "|safe" not in text
    assert "autoescape off" not in text


@pytest.mark.parametrize("path", [path for path in OWN if path.suffix in {".css", ".js"}], ids=lambda path: path.name)
def test_own_files_are_short_and_ask_nobody_else(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 400
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    assert "eval(" not in text


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes() -> list[dict[str, str]]:
    text = (STATIC / "benchwarmers" / "css" / "tokens.css").read_text()
    blocks = re.findall(r"\{[^{}]*--ground:[^{}]*\}", text)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks]


TEXT_PAIRS = [
    *((ink, paper) for ink in ("ink", "ink-2", "kit") for paper in ("ground", "sheet", "sunk", "code", "kit-wash")),
    *((ink, paper) for ink in ("yes", "err") for paper in ("ground", "sheet")),
    ("ink", "yes-wash"),
    ("ink", "err-wash"),
    ("err", "err-wash"),
    ("on-kit", "kit"),
    ("on-bib", "bib"),
    ("sheet", "ink"),
    ("sheet", "yes"),
    ("sheet", "err"),
]
MARK_PAIRS = [(mark, paper) for mark in ("bib-edge", "kit", "err", "ink") for paper in ("sheet", "ground", "sunk")]


def test_the_dark_theme_is_written_the_same_twice_and_every_theme_has_every_colour() -> None:
    light, by_system, by_choice, strong, strong_dark = themes()
    assert by_system == by_choice
    assert light.keys() == by_choice.keys() == strong.keys() == strong_dark.keys()
    assert len({tuple(one.values()) for one in (light, by_choice, strong, strong_dark)}) == 4


@pytest.mark.parametrize(("theme", "text", "marks"), [(0, 4.5, 3), (1, 4.5, 3), (3, 7, 4.5), (4, 7, 4.5)])
def test_colours_keep_their_contrast_in_every_theme(theme: int, text: float, marks: float) -> None:
    colours = themes()[theme]
    weak = [(a, b) for a, b in TEXT_PAIRS if contrast(colours[a], colours[b]) < text]
    weak += [(a, b) for a, b in MARK_PAIRS if contrast(colours[a], colours[b]) < marks]
    assert weak == []
