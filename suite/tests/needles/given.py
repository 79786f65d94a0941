"""A package of invented code, as large as wanted, and what a test hides in it."""

from __future__ import annotations

from pathlib import Path

from probes.tests.jobs.given import NOW
from suite.models import TaskVersion
from suite.needles.draft import Order, drafts
from suite.needles.draw import Haystack
from suite.seeding.sources import Source, read_sources
from suite.store import keep_task

ODD = '''
def reconcile_ledgers(book, other):
    """Only this one raises LookupError in a while loop."""
    seen = []
    while book:
        entry = book.pop()
        if entry not in other:
            raise LookupError(entry)
        seen.append(entry)
    return seen, other
'''


def plain(name: str) -> str:
    """A function like a hundred others."""
    return f"""
def {name}(value, scale):
    total = 0
    for item in value:
        total = total + item * scale
        if total > scale:
            total = total - scale
        else:
            total = total + 1
    return total
"""


def package(files: int, prefix: str = "hay") -> list[Source]:
    """Files with three plain functions each; the first has the odd one too."""
    made = []
    for at in range(files):
        text = "".join(plain(f"compute_{word}_{at:03d}") for word in ("north", "south", "west"))
        made.append(Source(f"{prefix}/part_{at:03d}.py", text + (ODD if at == 0 else "")))
    return made


def haystack(files: int = 60) -> Haystack:
    return Haystack(package(files))


def kept(root: Path) -> TaskVersion:
    """The odd function as a task, hidden half deep in 4,000 tokens of the package in this folder."""
    hay = Haystack(read_sources(root, (".py",), prefix=f"{root.name}/"))
    (draft,) = drafts(hay, Order({root.name: "1.0"}, (4_000,), 1))
    task, _ = keep_task(draft, by="maya", now=NOW, reviewed=True)
    return task.versions.get(current=True)
