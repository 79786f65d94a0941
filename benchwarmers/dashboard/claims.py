"""The claim map as a panel's page shows it: each claim with the seats that made it and what people think of it.

Built from a panel's cards, which have the answers and the verdicts; the database is asked only for what people settled.
Lines of answers are models' text and are shown as plain text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collections_app.actions.claim import load_settled
from collections_app.claim_map import Claim, Wording, map_claims, read_points
from collections_app.models import Verdict

if TYPE_CHECKING:
    from benchwarmers.dashboard.cards import Card

MERGER = "merger"


@dataclass(frozen=True, slots=True)
class Spot:
    """One seat of a claim, with its own words. `suggested` is True until somebody settled that it belongs there."""

    card: Card
    texts: Sequence[str]
    suggested: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One claim. `holds` and `fails` name the people who said so; `mine` is what this person said, None for nothing.
    `only_one` is True when one seat alone saw what others could have seen.
    """

    claim: Claim
    spots: Sequence[Spot]
    holds: Sequence[str]
    fails: Sequence[str]
    mine: bool | None
    only_one: bool

    @property
    def key(self) -> str:
        """Names the claim as it is shown."""
        return self.claim.key

    @property
    def split(self) -> bool:
        """True when people disagree."""
        return bool(self.holds and self.fails)

    @property
    def reworded(self) -> bool:
        """True when a seat said it in other words."""
        return any(text != self.claim.text for spot in self.spots for text in spot.texts)

    @property
    def suggested(self) -> bool:
        """True when likeness alone puts several seats together."""
        return len(self.spots) > 1 and not self.claim.settled


@dataclass(frozen=True, slots=True)
class ClaimMap:
    """A panel's claims. `rows` were said by people, `lines` stand in answers only."""

    rows: Sequence[Row] = ()
    lines: Sequence[Row] = ()
    may_judge: bool = False
    problems: Sequence[str] = field(default=())

    @property
    def stamp(self) -> str:
        """Changes with anything the map shows."""
        shown = [(row.key, row.claim.text, row.holds, row.fails, row.only_one) for row in (*self.rows, *self.lines)]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]

    def find(self, key: str) -> Row | None:
        """The claim of this name, if it still stands like that."""
        return next((row for row in (*self.rows, *self.lines) if row.key == key), None)


def load_claim_map(panel: str, cards: Sequence[Card], may_judge: bool) -> ClaimMap:
    """The claims of the panel with these cards, as the person of the cards sees them."""
    said = [
        Wording(card.seat.call, text)
        for card in cards
        for verdict in card.verdicts
        for text in (*verdict.real, *verdict.false)
    ]
    lines = [
        Wording(card.seat.call, text, line=True)
        for card in cards
        if card.finished and card.kind != MERGER
        for text in read_points(card.seat.answer)
    ]
    answered = sum(card.seat.status == "ok" and card.kind != MERGER for card in cards)
    by_call = {card.seat.call: card for card in cards}
    claims = map_claims(load_settled(panel), said, lines)
    rows = [_row(claim, by_call, answered) for claim in claims]
    return ClaimMap(
        rows=[row for row in rows if not row.claim.is_line and row.spots],
        lines=sorted((row for row in rows if row.claim.is_line), key=lambda row: -len(row.spots)),
        may_judge=may_judge,
    )


def _row(claim: Claim, by_call: dict[str, Card], answered: int) -> Row:
    spots = [
        Spot(
            card=by_call[call],
            texts=[one.text for one in claim.wordings if one.call == call],
            suggested=any(
                one.call == call and (one.group is None or one.group != claim.group) for one in claim.wordings
            ),
        )
        for call in claim.calls
        if call in by_call
    ]
    verdicts = [(verdict, spot.texts) for spot in spots for verdict in spot.card.verdicts]
    holds = dict.fromkeys(verdict.judge_name for verdict, texts in verdicts if _names(verdict.real, texts))
    fails = dict.fromkeys(verdict.judge_name for verdict, texts in verdicts if _names(verdict.false, texts))
    own = [(spot.card.mine, spot.texts) for spot in spots if spot.card.mine is not None]
    players = [spot for spot in spots if spot.card.kind != MERGER]
    return Row(
        claim=claim,
        spots=spots,
        holds=list(holds),
        fails=list(fails),
        mine=_opinion(own),
        only_one=answered > 1 and len(players) == 1,
    )


def _opinion(own: Sequence[tuple[Verdict | None, Sequence[str]]]) -> bool | None:
    if any(verdict and _names(verdict.real, texts) for verdict, texts in own):
        return True
    return False if any(verdict and _names(verdict.false, texts) for verdict, texts in own) else None


def _names(claims: Sequence[str], texts: Sequence[str]) -> bool:
    return any(text in claims for text in texts)
