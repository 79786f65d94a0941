"""Pieces of Markdown that the pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTE = "<!-- Made by `python -m benchwarmers.tests.house.reference`; change the code, not this page. -->"


def page(title: str, *parts: str) -> str:
    """A whole page: the note that it is made, its title, and its parts with a blank line between two."""
    return "\n\n".join((NOTE, f"# {title}", *parts)) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table. A bar in a cell is written so that it ends no cell."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(text: str) -> str:
    """Text as code; nothing for nothing."""
    return f"`{text}`" if text else ""


def one_line(text: str) -> str:
    """A text of several lines in one."""
    return " ".join(text.split())
