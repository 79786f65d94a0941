"""Writes figures into the document: each table stands between its marks, and so do machine, date and command; the
picture is drawn anew. Tables of parts that were not measured stay as they are."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench import held
from bench.parts import PARTS
from bench.plot import draw
from bench.processes import ROOT
from bench.report import table

PAGE: Final = ROOT / "docs" / "performance.md"
PICTURE: Final = ROOT / "docs" / "images" / "performance.svg"
FIGURES: Final = ROOT / "docs" / "performance.json"
OPENS: Final = "<!-- bench:{} -->\n"
CLOSES: Final = "<!-- /bench:{} -->"

CROWDED: Final = (
    "**Other programs used the cores meanwhile**: times and rates are several times worse than on a quiet machine, "
    "ratios of processor time somewhat."
)


class NoPlace(Exception):
    """The document has no marks for a part."""


def main(words: list[str]) -> int:
    parser = ArgumentParser("python -m bench page", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=FIGURES, help="what `--json` kept")
    figures = json.loads(parser.parse_args(words).file.read_text("utf-8"))
    PAGE.write_text(written(PAGE.read_text("utf-8"), figures), "utf-8")
    PICTURE.write_text(draw(figures), "utf-8")
    return 0


def written(text: str, figures: Mapping[str, Any]) -> str:
    """The document with these figures in it.

    :raises NoPlace: it has no marks for one of them.
    """
    text = _put(text, "about", _about(figures))
    text = _put(text, "held", "\n" + table(held.COLUMNS, held.rows(figures)) + "\n")
    for name, part in PARTS.items():
        if name in figures:
            text = _put(text, name, "\n" + table(part.columns, figures[name]) + "\n")
    return text


def _about(figures: Mapping[str, Any]) -> str:
    told = (
        f"{figures['machine']}; {figures['cores']}. {figures['at']}, load {figures['load']} when it began. "
        f"`{figures['command']}`."
    )
    return f"{told} {CROWDED}" if figures["crowded"] else told


def _put(text: str, name: str, what: str) -> str:
    opens, closes = OPENS.format(name), CLOSES.format(name)
    marks = re.compile(re.escape(opens) + ".*?" + re.escape(closes), re.DOTALL)
    if not marks.search(text):
        raise NoPlace(f"the document has no marks for {name}")
    return marks.sub(lambda _: f"{opens}{what}\n{closes}", text, count=1)
