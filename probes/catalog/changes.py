"""What a refresh changes: of the facts there are and what is said now, those to write and to forget. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

from msgspec import Struct

from collections_app.facts import DECIDING
from probes.catalog.precedence import LISTING, Decided

OF_ONE_FEED: Final = ("limits", "quirk_notes")
"""Fields that FreeLLMAPI alone speaks of: when it does not any more, they are no longer so."""


class Kept(Protocol):
    """What is needed of a fact that there is."""

    @property
    def field(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def evidence(self) -> str: ...


class Changes(Struct, frozen=True):
    """`write` by field, `forget` fields; `deciding` when a call may be decided otherwise by them, `telling` when a
    value is another at all and not its source alone."""

    write: dict[str, Decided]
    forget: tuple[str, ...]
    telling: bool
    deciding: bool


def changes(before: Iterable[Kept], now: Mapping[str, Decided], *, listed: bool, free_at_hand: bool) -> Changes:
    """What is to be done so that the facts are what is said now.

    A listing that could not be had (`listed` False) still counts as it was last read. A field that nobody speaks of any
    more keeps what was said last, except where the one feed that does is at hand.
    """
    known = {fact.field: fact for fact in before}
    write = {
        field: said
        for field, said in now.items()
        if (fact := known.get(field)) is None
        or ((fact.value != said.value or fact.evidence != said.text) and (listed or not _is_listing(fact.evidence)))
    }
    forget = tuple(field for field in OF_ONE_FEED if free_at_hand and field in known and field not in now)
    told = {field for field, said in write.items() if field not in known or known[field].value != said.value}
    told.update(forget)
    return Changes(write, forget, telling=bool(told), deciding=bool(told & set(DECIDING)))


def _is_listing(evidence: str) -> bool:
    return evidence.startswith(LISTING)
