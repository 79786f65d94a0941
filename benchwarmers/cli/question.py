"""What is asked: words of the command line, files and stdin put together."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from benchwarmers.cli.base import Failed


def read_prompt(words: Sequence[str], files: Sequence[str]) -> str:
    """The prompt: the words, stdin for `-` or in their place, then each file in a fenced block under its name.

    :raises click.UsageError: nothing is asked.
    """
    said = " ".join(word for word in words if word != "-").strip()
    if "-" in words or not (said or files or sys.stdin.isatty()):
        said = "\n\n".join(part for part in (said, sys.stdin.read().strip()) if part)
    prompt = "\n\n".join([said, *map(_fenced, files)] if said else map(_fenced, files))
    if not prompt.strip():
        raise click.UsageError("The prompt is empty: type it, name a file with -f, or pipe it in.")
    return prompt


def _fenced(name: str) -> str:
    try:
        text = Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise Failed(f"{name} cannot be read: {error.strerror}.") from None
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{Path(name).name}\n{fence}\n{text.rstrip(chr(10))}\n{fence}"


def model_name(collection: str) -> str:
    """The name of a collection as the gateway takes it, with or without its prefix."""
    name = collection.strip()
    if not name:
        raise click.UsageError("The name of the collection is empty.")
    return name if "/" in name else f"bench/{name}"
