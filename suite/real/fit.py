"""Lays a change over the file that it was made to: the file after it, the lines that name the bug, and the part that is
shown. Pure."""

from __future__ import annotations

import ast
from typing import Final

from msgspec import Struct

from suite.real.patch import Change, Unfit

MOST_SHOWN: Final = 400
"""Lines of a file that a task shows."""


class Fitted(Struct, frozen=True):
    """The file's lines before and after the fix, the numbers of the lines before it at which the bug stands, and the
    first and last line shown of each, from 1."""

    path: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    lines: tuple[int, ...]
    shown: tuple[int, int]
    shown_after: tuple[int, int]


def fit(change: Change, text: str) -> Fitted:
    """The change on this file.

    :raises Unfit: it was made to another file, or to nothing that runs.
    """
    before = text.replace("\r\n", "\n").split("\n")
    if before and not before[-1]:
        before.pop()
    after = _apply(change, before)
    if any(line.splitlines() != [line] for line in (*before, *after) if line):
        raise Unfit("a line has characters that end a line elsewhere")
    lines = _lines(change, len(before))
    if not lines:
        raise Unfit("no line to name")
    if _says_the_same(before, after):
        raise Unfit("only comments or layout")
    first, last = window(len(before), lines[0], lines[-1])
    last_after = min(len(after), last + len(after) - len(before))
    return Fitted(change.path, tuple(before), tuple(after), lines, (first, last), (first, last_after))


def _apply(change: Change, before: list[str]) -> list[str]:
    """Spaces at the end of a line are nothing: diffs lose them on the way."""
    old = [text for tag, text in change.lines if tag != "+"]
    begin, end = change.start - 1, change.start - 1 + len(old)
    if [line.rstrip() for line in before[begin:end]] != [line.rstrip() for line in old]:
        raise Unfit("the diff does not match the file")
    kept, new = iter(before[begin:end]), []
    for tag, text in change.lines:
        if tag == "+":
            new.append(text)
        else:
            line = next(kept)
            if tag == " ":
                new.append(line)
    return [*before[:begin], *new, *before[end:]]


def _lines(change: Change, length: int) -> tuple[int, ...]:
    """The lines that went; where some only came, those before and after the gap."""
    number, went, gap = change.start, [], 0
    for tag, _ in change.lines:
        if tag == "-":
            went.append(number)
        if tag == "+" and not gap:
            gap = number
        number += tag != "+"
    return tuple(went) or tuple(line for line in (gap - 1, gap) if 1 <= line <= length)


def window(length: int, first: int, last: int) -> tuple[int, int]:
    """The first and last line shown of a file of this length whose change is at these lines: all of it, or as much as
    may be shown with the change in the middle."""
    if length <= MOST_SHOWN:
        return 1, length
    begin = max(1, (first + last) // 2 - MOST_SHOWN // 2)
    end = min(length, begin + MOST_SHOWN - 1)
    return max(1, end - MOST_SHOWN + 1), end


def _says_the_same(before: list[str], after: list[str]) -> bool:
    """Whether both are the same code but for docstrings. What this Python cannot read is taken to differ."""
    try:
        trees = [ast.parse("\n".join(lines)) for lines in (before, after)]
    except (SyntaxError, ValueError, RecursionError):
        return False
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _has_doc(node):
                node.body[0] = ast.Pass()
    return ast.dump(trees[0]) == ast.dump(trees[1])


def _has_doc(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None
