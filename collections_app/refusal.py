"""How an action says no: one exception that carries every reason at once.

A refusal is raised before the first write, so nothing is half done. Admin forms show each reason at its field; an
API answers with `status`; the set-up file finds the line of each field.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

Problem = tuple[str, str]
"""(field, one sentence that says what would be right). The field is empty when no single one is at fault."""


class Refused(Exception):
    """The write would break a rule."""

    status: ClassVar[int] = 400

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(" ".join(sentence for _, sentence in self.problems))


class NotAllowed(Refused):
    """This person may not do that."""

    status = 403


class NotThere(Refused):
    """What should be changed does not exist."""

    status = 404


class Problems:
    """Collects reasons and refuses once, with all of them."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, field: str, sentence: str) -> None:
        """One more reason; an empty sentence is none."""
        if sentence:
            self.found.append((field, sentence))

    def check(self, holds: bool, field: str, sentence: str) -> None:
        """A reason unless the rule holds."""
        if not holds:
            self.found.append((field, sentence))

    def refuse(self) -> None:
        """Raise when there is any reason.

        :raises Refused: with all of them.
        """
        if self.found:
            raise Refused(self.found)
