"""What the pages of people share: an action tried, its refusal told where the person looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest

from collections_app.refusal import Refused

T = TypeVar("T")


def tried(request: HttpRequest, act: Callable[[], T], done: str = "") -> T | None:
    """Do it and say `done` on the next page, if anything; or say there why not, and return None."""
    try:
        found = act()
    except Refused as refusal:
        for _, sentence in refusal.problems:
            messages.error(request, sentence)
        return None
    if done:
        messages.success(request, done)
    return found


def problems_of(act: Callable[[], T]) -> tuple[T | None, dict[str, list[str]]]:
    """What came of it, or the sentences of the refusal by field; those of no field under `all`."""
    try:
        return act(), {}
    except Refused as refusal:
        found: dict[str, list[str]] = {}
        for field, sentence in refusal.problems:
            found.setdefault(field or "all", []).append(sentence)
        return None, found
