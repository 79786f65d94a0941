"""Large tasks are not asked by themselves of models whose latest large probe was not answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from suite.keys import whole_prompt
from suite.models import TaskVersion
from suite.speed import LARGE_CHARACTERS


def is_large(version: TaskVersion) -> bool:
    """Whether what it asks is a large question."""
    return len(whole_prompt(version.prompt, version.attachments)) > LARGE_CHARACTERS


def tasks_for(alias: str, versions: Iterable[TaskVersion], failing: Collection[str]) -> list[TaskVersion]:
    """Those that the model may be asked; `failing` are the aliases that are asked no large question."""
    return [version for version in versions if alias not in failing or not is_large(version)]
