"""What a request may come to use, as it is reserved before anything is known: pure.

An estimate, and meant to be rather too much: at most one reservation may go over a budget, and what was really used
takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from gateway.canon.ask import Ask
from gateway.canon.embedding import EmbedAsk
from gateway.canon.tokens import count_ask, estimate
from gateway.engine.grant import Amounts
from gateway.engine.prices import PICO
from gateway.engine.snapshot import CollectionView, Snapshot

UNSTATED_OUTPUT: Final = 1_000
"""Tokens that an answer is taken for whose length nobody limited."""
_NANO: Final = 1_000


def need_of_turn(ask: Ask, collection: CollectionView, snapshot: Snapshot) -> Amounts:
    """What one member's answer may use."""
    return _need(1, count_ask(ask), _output(ask), _prices(collection.members, snapshot))


def need_of_panel(ask: Ask, collection: CollectionView, snapshot: Snapshot, mode: str) -> Amounts:
    """What the seats that may be filled, and whoever merges, may use together."""
    wishes = ask.bench
    limits = (wishes.explorers, collection.max_explorers, snapshot.max_explorers)
    explorers = 0 if wishes.only else next(limit for limit in limits if limit is not None)
    named = dict.fromkeys(wishes.only or (*collection.members, *ask.nominated))
    chairs = min(wishes.seats or snapshot.max_calls, len(named) + explorers)
    merging = mode == "merged"
    # An explorer or a merger may be any model at all.
    sitting = snapshot.models if explorers or merging else named
    return _need(max(chairs, 1) + merging, count_ask(ask), _output(ask), _prices(sitting, snapshot))


def need_of_embedding(ask: EmbedAsk, collection: CollectionView, snapshot: Snapshot) -> Amounts:
    """What the vectors may use: they have no output."""
    return _need(1, sum(map(estimate, ask.texts)), 0, _prices(collection.members, snapshot))


def _output(ask: Ask) -> int:
    return ask.knobs.max_tokens or UNSTATED_OUTPUT


def _prices(aliases: Iterable[str], snapshot: Snapshot) -> Iterable[Mapping[str, float]]:
    return (model.prices for alias in aliases if (model := snapshot.models.get(alias)) is not None)


def _need(answers: int, given: int, written: int, prices: Iterable[Mapping[str, float]]) -> Amounts:
    """So many answers at the dearest of these prices. A price that nobody knows counts nothing."""
    dearest = max((_pico(price, given, written) for price in prices), default=0)
    return Amounts(1, answers * (given + written), -(-answers * dearest // _NANO))


def _pico(prices: Mapping[str, float], given: int, written: int) -> int:
    return given * round(prices.get("input", 0.0) * PICO) + written * round(prices.get("output", 0.0) * PICO)
