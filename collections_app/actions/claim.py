"""Settles which sentences of a panel's seats are one claim, and judges such a claim for all of its seats at once.

What a person thinks of a claim is written into that person's verdicts on the seats, through the one action for
verdicts. Which panels a person sees is for the caller to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from collections_app.actions.verdict import TOPIC, do_verdict, find_verdict
from collections_app.claim_map import Claim, Wording
from collections_app.claims import LONGEST_CLAIM, MOST_CLAIMS, collapse
from collections_app.journal import journal, require
from collections_app.models import ClaimGroup, ClaimSeat, Verdict
from collections_app.refusal import NotThere, Refused

RIGHT = "gateway.judge"


def load_settled(panel: str) -> list[tuple[int, str, list[Wording]]]:
    """The settled claims of a panel as the map takes them, oldest first."""
    groups = ClaimGroup.objects.filter(panel=panel).prefetch_related("seats").order_by("id")
    return [
        (group.pk, group.text, [Wording(seat.call, seat.text, group.pk) for seat in group.seats.all()])
        for group in groups
    ]


def do_settle_claim(*, actor: User | None, by: str, panel: str, claims: Sequence[Claim], now: datetime) -> ClaimGroup:
    """Say that all the wordings of these claims are one claim; the first one's words stand for it.

    :raises Refused: no claim was given.
    """
    require(actor, RIGHT, "settle claims")
    wordings = [one for claim in claims for one in claim.wordings]
    if not wordings:
        raise Refused([("claim", "Name at least one claim.")])
    with journal(actor, TOPIC, by=by) as log:
        known = next((claim.group for claim in claims if claim.group is not None), None)
        group = ClaimGroup.objects.filter(panel=panel, pk=known).first() if known is not None else None
        if group is None:
            text = collapse(claims[0].text, LONGEST_CLAIM)
            group = ClaimGroup.objects.create(panel=panel, text=text, by=by, at=now)
        moved = [one for one in wordings if _move(one, group)]
        if moved:
            log.note("claim", panel, group.text, new=[f"{one.call}: {one.text}" for one in moved])
        _empty(panel).delete()
    return group


def do_split_claim(*, actor: User | None, by: str, panel: str, claim: Claim, call: str, now: datetime) -> ClaimGroup:
    """Say that what this seat says is another claim than what the others of the claim say. Both are settled then.

    :raises Refused: the seat is not one of several seats of the claim.
    """
    require(actor, RIGHT, "split claims")
    apart = tuple(one for one in claim.wordings if one.call == call)
    rest = tuple(one for one in claim.wordings if one.call != call)
    if not apart or not rest:
        raise Refused([("call", f"{call} is not one of several seats that made this claim.")])
    with journal(actor, TOPIC, by=by):
        do_settle_claim(actor=actor, by=by, panel=panel, claims=[Claim(claim.group, claim.text, rest)], now=now)
        return do_settle_claim(actor=actor, by=by, panel=panel, claims=[Claim(None, apart[0].text, apart)], now=now)


def do_forget_claim(*, actor: User | None, by: str, panel: str, group: int) -> None:
    """Undo what people settled about a claim; its sentences are grouped by likeness again.

    :raises NotThere: the panel has no such claim.
    """
    require(actor, RIGHT, "forget claims")
    with journal(actor, TOPIC, by=by) as log:
        row = ClaimGroup.objects.filter(panel=panel, pk=group).first()
        if row is None:
            raise NotThere([("claim", "This claim is not settled any more.")])
        log.note("claim", panel, row.text, old=[str(seat) for seat in row.seats.all()])
        row.delete()


def do_judge_claim(
    *,
    actor: User | None,
    judge_name: str,
    panel: str,
    claim: Claim,
    holds: bool | None,
    blind: bool = False,
    now: datetime,
) -> ClaimGroup:
    """Write into this person's verdicts on all seats of the claim that it holds or is false; None takes either back.

    A seat that this person has not judged yet becomes useful by a claim that holds and not useful by a false one. The
    claim is settled by that. `blind` says that who answered is hidden from this person.

    :raises NotThere: a seat has no evidence.
    :raises Refused: a verdict has no room for another claim.
    """
    require(actor, RIGHT, "judge claims")
    with journal(actor, TOPIC, by=judge_name):
        group = do_settle_claim(actor=actor, by=judge_name, panel=panel, claims=[claim], now=now)
        for call in sorted(claim.calls):  # in one order for everybody, so that two judges cannot lock each other out
            texts = [one.text for one in claim.wordings if one.call == call]
            _judge_seat(actor, judge_name, call, texts, holds, blind, now)
    return group


def _judge_seat(
    actor: User | None, judge_name: str, call: str, texts: Sequence[str], holds: bool | None, blind: bool, now: datetime
) -> None:
    before = find_verdict(actor, judge_name, call)
    if before is None and holds is None:
        return
    real, false = (list(before.real), list(before.false)) if before else ([], [])
    if holds is None:
        real, false = _without(real, texts), _without(false, texts)
    elif holds:
        real, false = _with(real, texts, call), _without(false, texts)
    else:
        real, false = _without(real, texts), _with(false, texts, call)
    do_verdict(
        actor=actor,
        judge_name=judge_name,
        call=call,
        useful=_useful(before, holds),
        note=before.note if before else "",
        real=real,
        false=false,
        blank_keeps=False,
        blind=blind,
        now=now,
    )


def _useful(before: Verdict | None, holds: bool | None) -> bool:
    return before.useful if before else bool(holds)


def _with(claims: list[str], texts: Sequence[str], call: str) -> list[str]:
    """One of the seat's wordings is enough."""
    if any(text in claims for text in texts):
        return claims
    if len(claims) >= MOST_CLAIMS:
        raise Refused([("claim", f"Your verdict on {call} has {MOST_CLAIMS} such claims already; take one out first.")])
    return [*claims, texts[0]]


def _without(claims: Iterable[str], texts: Sequence[str]) -> list[str]:
    return [claim for claim in claims if claim not in texts]


def _move(one: Wording, group: ClaimGroup) -> bool:
    """Put the sentence into the group; False when it was there."""
    seat, made = ClaimSeat.objects.get_or_create(call=one.call, text=one.text, defaults={"group": group})
    if made or seat.group_id == group.pk:
        return made
    seat.group = group
    seat.save(update_fields=["group"])
    return True


def _empty(panel: str) -> QuerySet[ClaimGroup]:
    return ClaimGroup.objects.filter(panel=panel, seats__isnull=True)
