"""What a panel's page shows of its seats: the line-up with playing times, and one card a seat with its verdicts.

Turns rows into values for the templates; asks the database only through selectors. A card has a stamp that changes
whenever anything on it does, so that a live page fetches only the cards that changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.utils import timezone

from benchwarmers.dashboard.claims import ClaimMap, load_claim_map
from benchwarmers.dashboard.verdicts import Draft, Judged, load_verdicts, verdict_of
from collections_app.models import Verdict
from gateway.canon.kinds import SeatStatus
from gateway.models import Panel, Seat

PLAYING = frozenset({SeatStatus.WAITING.value, SeatStatus.ASKED.value})
MERGER = "merger"
COVERED = "covered"
"""The label of a seat whose reader must not know yet who sat there."""


@dataclass(frozen=True, slots=True)
class Card(Judged):
    """One seat. `played` and `warm` are its bar in percent of the time axis: all, and the wait for the first token.
    `hidden` is True while its reader must not know yet who answered: nothing on it tells then."""

    seat: Seat
    number: int
    scripted: bool
    played: float
    warm: float
    hidden: bool = False

    @property
    def finished(self) -> bool:
        """True once the seat can be judged."""
        return self.seat.status not in PLAYING

    @property
    def kind(self) -> str:
        """member, explorer or merger, or covered."""
        return kind_of(self.seat.label)

    @property
    def stamp(self) -> str:
        """Changes with anything the card shows."""
        seat = self.seat
        shown = [seat.status, seat.seconds, len(seat.answer), len(seat.reasoning), seat.error, seat.alias, self.number]
        shown += self.said
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Board:
    """A panel with all its cards. `longest` is the end of the time axis in seconds; `hidden` is True while its reader
    judges blind and has not judged all of it."""

    panel: Panel
    cards: Sequence[Card]
    longest: float
    judged: int
    tokens: int = field(default=0)
    claims: ClaimMap = field(default_factory=ClaimMap)
    hidden: bool = False

    @property
    def done(self) -> int:
        """How many seats have finished."""
        return sum(card.finished for card in self.cards)

    @property
    def merger(self) -> Card | None:
        """The seat that merged the others' answers, if one was asked."""
        return next((card for card in self.cards if card.kind == MERGER), None)

    @property
    def line(self) -> list[Card]:
        """The seats that answered the question themselves."""
        return [card for card in self.cards if card.kind != MERGER]

    @property
    def seconds(self) -> float | None:
        """How long the panel took, None while it runs or must not be known."""
        panel = self.panel
        if self.hidden:
            return None
        return (panel.finished_at - panel.started_at).total_seconds() if panel.finished_at else None


def load_board(panel: Panel, person: User, *, with_claims: bool = True) -> Board:
    """The panel as this person sees it. Whoever shows one card alone needs no claims."""
    seats = list(panel.seats.select_related("language_model__endpoint").order_by("place"))
    verdicts = load_verdicts([seat.call for seat in seats])
    longest = max([seat.seconds for seat in seats if seat.status not in PLAYING], default=0.0)
    if panel.state == "running":
        longest = max(longest, (timezone.now() - panel.started_at).total_seconds())
    may_judge = person.has_perm("gateway.judge")
    cards = [
        _card(seat, number, verdicts[seat.call], person, may_judge, longest) for number, seat in enumerate(seats, 1)
    ]
    return Board(
        panel=panel,
        cards=cards,
        longest=longest,
        judged=sum(bool(card.verdicts) for card in cards),
        tokens=sum((seat.tokens_in or 0) + (seat.tokens_out or 0) for seat in seats),
        claims=load_claim_map(panel.pk, cards, may_judge) if with_claims else ClaimMap(),
    )


def kind_of(label: str) -> str:
    """What a seat's label says it is: member, explorer, merger or covered."""
    return label.split(" ")[0] if label.startswith(("explorer", MERGER, COVERED)) else "member"


def _card(seat: Seat, number: int, verdicts: list[Verdict], person: User, may_judge: bool, longest: float) -> Card:
    mine = verdict_of(person, verdicts)
    model = seat.language_model
    return Card(
        seat=seat,
        number=number,
        scripted=model is not None and model.endpoint.scripted,
        verdicts=verdicts,
        mine=mine,
        draft=Draft.of(mine),
        may_judge=may_judge,
        played=_percent(seat.seconds, longest),
        warm=_percent(min(seat.first_token_s or 0.0, seat.seconds), longest),
    )


def _percent(seconds: float, longest: float) -> float:
    return round(min(100.0, 100 * seconds / longest), 2) if longest > 0 else 0.0
