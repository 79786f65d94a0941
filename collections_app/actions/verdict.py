"""Records what people say of a call, and takes it back.

One verdict a person and call. Evidence is only ever added to: a verdict, and its withdrawal, append a row that replaces
the current one of its call and carries the mean over all judges. Whose panel it is, and whether this person may judge
it, is for the caller to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from collections_app.claims import LONGEST_NOTE, collapse, tidy_claims
from collections_app.journal import journal, require
from collections_app.models import Evidence, Verdict
from collections_app.refusal import NotThere, Problems
from collections_app.standings_store import move_standings

TOPIC = "verdicts"


def do_verdict(
    *,
    actor: User | None,
    judge_name: str,
    call: str,
    useful: bool,
    note: str = "",
    real: Sequence[str] | None = None,
    false: Sequence[str] | None = None,
    blank_keeps: bool,
    blind: bool = False,
    now: datetime,
) -> Verdict:
    """Record the verdict of `judge_name` on the call, in place of an earlier one; the same again writes nothing.

    `blind` says that who answered was hidden from this person; a verdict keeps it while `useful` stays what it was.
    With `blank_keeps` an empty note or list of claims keeps the earlier one, otherwise it clears it. A claim that is
    kept gives way when it is now said to be the opposite.

    :raises NotThere: no evidence of such a call.
    :raises Refused: values of the wrong kind.
    """
    require(actor, "gateway.judge", "record verdicts")
    problems = Problems()
    problems.check(isinstance(useful, bool), "useful", "useful is true or false.")
    problems.check(isinstance(note, str), "note", "note is text.")
    for name, claims in (("real", real), ("false", false)):
        fits = isinstance(claims or [], list | tuple) and all(isinstance(claim, str) for claim in claims or ())
        problems.check(fits, name, f"{name} is a list of sentences.")
    problems.refuse()
    holds, fails = tidy_claims(real), tidy_claims(false)
    for claim in holds:
        problems.check(claim not in fails, "real", f"“{claim}” cannot both hold and be false.")
    problems.refuse()
    said: dict[str, Any] = {"useful": useful, "note": collapse(note, LONGEST_NOTE), "real": holds, "false": fails}
    with journal(actor, TOPIC, by=judge_name) as log:
        current = _lock_current(call)
        row = find_verdict(actor, judge_name, call)
        before = {field: getattr(row, field) for field in said} if row else {}
        if blank_keeps and row is not None:
            said = _keep(before, said)
        if row is not None and before == said:
            return row
        if row is None:
            row = Verdict.objects.create(call=call, judge=actor, judge_name=judge_name, blind=blind, at=now, **said)
            log.note("verdict", call, new=said)
        else:
            log.note_fields("verdict", call, before, said)
            if said["useful"] != before["useful"]:
                row.blind = blind
            for field, value in said.items():
                setattr(row, field, value)
            row.judge, row.at = actor, now
            row.save()
        _append_evidence(current, now)
    return row


def do_withdraw_verdict(*, actor: User | None, judge_name: str, call: str, now: datetime) -> bool:
    """Take a verdict back, as if this person had never judged. False when there was none: a second time writes nothing.

    :raises NotThere: no evidence of such a call.
    """
    require(actor, "gateway.judge", "withdraw verdicts")
    with journal(actor, TOPIC, by=judge_name) as log:
        current = _lock_current(call)
        row = find_verdict(actor, judge_name, call)
        if row is None:
            return False
        log.note("verdict", call, old=_said(row))
        row.delete()
        _append_evidence(current, now)
    return True


def find_verdict(actor: User | None, judge_name: str, call: str) -> Verdict | None:
    """The verdict of this person on the call; without a person, the one that nobody in particular gave by that name."""
    rows = Verdict.objects.filter(call=call)
    mine = rows.filter(judge=actor) if actor else rows.filter(judge__isnull=True, judge_name=judge_name)
    return mine.order_by("id").first()


@dataclass(frozen=True)
class Judgement:
    """What all verdicts on one call come to. `useful` is their mean, null without any; a claim two people made
    counts once.
    """

    useful: float | None
    judges: int
    real_claims: int
    false_claims: int


def sum_up(verdicts: Sequence[Verdict]) -> Judgement:
    """The verdicts of all judges on one call as one judgement."""
    votes = [1.0 if row.useful else 0.0 for row in verdicts]
    return Judgement(
        useful=sum(votes) / len(votes) if votes else None,
        judges=len(votes),
        real_claims=len({claim.casefold() for row in verdicts for claim in row.real}),
        false_claims=len({claim.casefold() for row in verdicts for claim in row.false}),
    )


def _lock_current(call: str) -> Evidence:
    """The current row of this call. Its first row is locked, so that two judges add up instead of passing each
    other.
    """
    Evidence.objects.select_for_update().filter(call=call).order_by("id").first()
    row = Evidence.objects.filter(call=call, current=True).order_by("-id").first() if call else None
    if row is None:
        raise NotThere([("call", f"There is no call “{call}” to judge; take the id from the bench object of a reply.")])
    return row


def _append_evidence(current: Evidence, now: datetime) -> None:
    judgement = sum_up(list(Verdict.objects.filter(call=current.call)))
    Evidence.objects.filter(call=current.call, current=True).update(current=False)
    replacing = Evidence.objects.create(
        language_model_id=current.language_model_id,
        collection_id=current.collection_id,
        collection_name=current.collection_name,
        kind=current.kind,
        shape=current.shape,
        call=current.call,
        task=current.task,
        status=current.status,
        useful=judgement.useful,
        judges=judgement.judges,
        real_claims=judgement.real_claims,
        false_claims=judgement.false_claims,
        at=now,
    )
    move_standings(current, replacing)


def _said(row: Verdict) -> dict[str, Any]:
    return {"useful": row.useful, "note": row.note, "real": row.real, "false": row.false}


def _keep(before: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """What is said now, and of what was said before that which it leaves blank and does not turn round."""
    kept = {"note": said["note"] or before["note"]}
    for field, opposite in (("real", "false"), ("false", "real")):
        kept[field] = said[field] or [claim for claim in before[field] if claim not in said[opposite]]
    return {**said, **kept}
