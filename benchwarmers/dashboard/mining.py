"""Making tasks of the claims that people judged: who may, and what becomes of the panels that were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.utils import timezone

from gateway.models import Panel
from suite.actions import do_mine_panel
from suite.mining import NothingToMine

RIGHT = "suite.change_task"


@dataclass
class Mining:
    """How many drafts were made, and of each panel of which none was why."""

    made: int = 0
    refused: list[str] = field(default_factory=list)


def may_mine(person: User) -> bool:
    """Whether this person reviews tasks, and so may have some made."""
    return person.has_perm(RIGHT)


def mine_panels(person: User, panels: Sequence[Panel]) -> Mining:
    """Keep drafts of the claims of these panels, each by itself."""
    done = Mining()
    for panel in panels:
        try:
            done.made += len(do_mine_panel(actor=person, panel=panel, now=timezone.now()).drafts)
        except NothingToMine as why:
            done.refused.append(str(why))
    return done
