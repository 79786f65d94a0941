"""Who can be asked how much: only a model whose context window is known to hold a needle's code is asked for it."""

from __future__ import annotations

from typing import Final

import msgspec

from gateway.canon.kinds import TaskShape
from gateway.engine.snapshot import ModelView
from suite.models import TaskVersion
from suite.needles.context import read_recipe

SPARE: Final = 4_096
"""Tokens for the answer and what a model thinks before it."""


def no_room(model: ModelView, version: TaskVersion) -> str:
    """Why the model is not asked this task; empty where it may be, as may all that is no needle."""
    tokens = tokens_of(version)
    return room_for(model, tokens) if tokens else ""


def room_for(model: ModelView, tokens: int) -> str:
    """Why the model is not asked so many tokens; empty where its window is known to hold them. Code makes up to a
    quarter more tokens than the estimate says."""
    needed = tokens * 5 // 4 + SPARE
    if model.context_window is None:
        return "its context window is not known"
    if model.context_window < needed:
        return f"its context window is {model.context_window:,} tokens and {needed:,} are needed"
    return ""


def tokens_of(version: TaskVersion) -> int:
    """The size of a needle by its recipe; 0 where there is none."""
    if version.task.shape != TaskShape.NEEDLE:
        return 0
    try:
        recipe = read_recipe(version.attachments)
    except msgspec.MsgspecError:
        return 0  # somebody edited it; showing it says so
    return recipe.tokens if recipe is not None else 0
