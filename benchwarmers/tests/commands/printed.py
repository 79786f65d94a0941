"""The commands in the shell blocks of the documents."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from benchwarmers.tests.house.tree import ROOT, name, text_files

BLOCK = re.compile(r"^( *)```(?:sh|bash|shell|console)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


class Printed(NamedTuple):
    """One command, its lines joined where a backslash says so. `block` counts the blocks of the page from 0."""

    page: str
    block: int
    text: str


@functools.cache
def printed() -> tuple[Printed, ...]:
    """Those of all pages, as they stand in them."""
    pages = [name(path) for path in text_files() if path.suffix == ".md"]
    return tuple(one for page in pages for one in of_page(page))


@functools.cache
def of_page(page: str) -> tuple[Printed, ...]:
    """Those of one page."""
    text = (ROOT / page).read_text("utf-8")
    blocks = [hit[2] for hit in BLOCK.finditer(text)]
    return tuple(Printed(page, number, command) for number, block in enumerate(blocks) for command in commands(block))


def commands(block: str) -> Iterator[str]:
    """A block's commands. One goes on over a line's end behind a backslash and inside of quotes."""
    held = ""
    for line in block.replace("\\\n", " ").splitlines():
        held = f"{held}\n{line}" if held else line.strip()
        if not _is_open(held):
            if shlex.split(held, comments=True):
                yield held
            held = ""
    assert not held, f"a quote that is not closed: {held}"


def _is_open(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False
