"""What a conversation's page shows beside its turns: sums, and a card with verdicts for each member that answered.

A card has a stamp that changes whenever anything on it does, so that a live page fetches only the cards that changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from benchwarmers.dashboard.conversations import Share, Sums, answered, load_shares, sum_of
from benchwarmers.dashboard.shadows import count_shadows
from benchwarmers.dashboard.talk_strip import draw_strip, load_marks
from benchwarmers.dashboard.verdicts import Draft, Judged, load_verdicts, verdict_of
from gateway.models import Conversation


@dataclass(frozen=True, slots=True)
class Member(Judged):
    """One member's part of the conversation. `number` counts from 1 in the order in which they came in."""

    share: Share
    number: int

    @property
    def finished(self) -> bool:
        """Members may be judged as soon as they have answered once."""
        return True

    @property
    def stamp(self) -> str:
        """Changes with anything the card shows."""
        shown = [repr(self.share), *self.said]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation with the cards of all who answered, how many of its turns were shadowed, and the picture of the
    newest turns."""

    conversation: Conversation
    members: Sequence[Member]
    sums: Sums
    shadows: int
    strip: str


def load_talk(conversation: Conversation, person: User) -> Talk:
    """The conversation as this person sees it."""
    shares = load_shares([conversation.pk])[conversation.pk]
    members = answered(shares)
    verdicts = load_verdicts([share.call for share in members])
    may_judge = person.has_perm("gateway.judge")
    cards = []
    for number, share in enumerate(members, 1):
        said = verdicts[share.call]
        mine = verdict_of(person, said)
        cards.append(Member(said, mine, Draft.of(mine), may_judge, share, number))
    strip = draw_strip(load_marks([conversation.pk])[conversation.pk], [share.alias for share in members])
    shadows = count_shadows([conversation.pk]).get(conversation.pk, 0)
    return Talk(conversation, cards, sum_of(shares), shadows, strip)
