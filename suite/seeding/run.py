"""Seeds tasks from a repository or a package: draws changes, tries whether they matter, and keeps pairs of drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from suite.drafts import Draft
from suite.seeding.alive import Liveness, bed_of
from suite.seeding.draft import draft_pair
from suite.seeding.languages import language
from suite.seeding.pick import Choice, choose
from suite.seeding.site import KINDS, TOKEN_KINDS
from suite.seeding.sources import read_sources

Say = Callable[[str], None]


class Order(Struct, frozen=True):
    """What is wanted: `count` pairs from the code under `root`, whose files are named after `prefix`. `hard` takes
    whole files. `tests` is the command that runs the code's own tests, from `root`; empty for none. `used` names
    sources that have a task already."""

    root: Path
    count: int = 6
    seed: int = 0
    hard: bool = False
    kinds: tuple[str, ...] = ()
    language: str = "python"
    prefix: str = ""
    licence: str = ""
    tests: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()

    @property
    def wanted(self) -> tuple[str, ...]:
        return self.kinds or (KINDS if self.hard else TOKEN_KINDS)


def seed(order: Order, say: Say = lambda line: None) -> list[tuple[Draft, Draft]]:
    """Pairs (bug, control). With tests, those that some test notices come alone while there are enough of them; what
    fills up the rest says in its `why` that no test notices it."""
    tongue = language(order.language)
    sources = read_sources(order.root, tongue.endings, prefix=order.prefix)
    choices = choose(sources, tongue, order.wanted, Random(order.seed), hard=order.hard, used=order.used)  # noqa: S311
    if not order.tests:
        return _pairs(islice(choices, order.count), order)
    return _proven(choices, order, say)


def _pairs(choices: Iterable[Choice], order: Order) -> list[tuple[Draft, Draft]]:
    return [_pair(choice, order) for choice in choices]


def _pair(choice: Choice, order: Order) -> tuple[Draft, Draft]:
    return draft_pair(choice, order.wanted, language=order.language, hard=order.hard, licence=order.licence)


def _proven(choices: Iterable[Choice], order: Order, say: Say) -> list[tuple[Draft, Draft]]:
    alive: list[tuple[Draft, Draft]] = []
    others: list[tuple[Draft, Draft]] = []
    with bed_of(order.root, order.tests) as bed:
        for choice in islice(choices, 3 * order.count):  # enough to find some that matter, and an end
            trial = bed.trial(choice.source.name.removeprefix(order.prefix), choice.planted.source)
            bug, control = _pair(choice, order)
            say(f"{bug.slug}: {trial.liveness}")
            if trial.liveness is Liveness.KILLED:
                alive.append((_proof(bug, "Some test of the code fails with it."), control))
            else:
                doubt = "No test of the code notices it." if trial.liveness is Liveness.SURVIVED else trial.words
                others.append((_proof(bug, f"Look closely: {doubt}"), control))
            if len(alive) == order.count:
                break
    return [*alive, *others][: order.count]


def _proof(bug: Draft, words: str) -> Draft:
    return msgspec.structs.replace(bug, why=f"{bug.why} {words}")
