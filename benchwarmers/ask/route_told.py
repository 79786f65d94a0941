"""What is told beside an answer in route mode: who, why they and not another, and what it took."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from benchwarmers.ask.route_talk import Other, Told
from gateway.canon.reply import Reply
from gateway.engine.ranking import by_record
from gateway.engine.route import Opened
from gateway.models import Turn


class _Failed(Struct):
    alias: str
    error: str


class _Field(Struct):
    """What the gateway tells every caller of a turn, as far as the page shows it."""

    alias: str
    call: str
    turn: int
    conversation: str
    failed_over: tuple[_Failed, ...] = ()
    skipped: tuple[Other, ...] = ()
    translation: dict[str, tuple[str, ...]] = {}


def load_told(opened: Opened, reply: Reply) -> Told:
    """What is told of a turn that was answered. One query: its times are those that were recorded."""
    field = msgspec.json.decode(reply.bench or b"{}", type=_Field)
    row = Turn.objects.filter(conversation=field.conversation, number=field.turn).order_by("-pk").first()
    usage = reply.usage
    return Told(
        alias=field.alias,
        call=field.call,
        turn=field.turn,
        why=why_they(opened, field.alias, [one.alias for one in field.failed_over]),
        conversation=field.conversation,
        seconds=row.seconds if row else None,
        first_token_s=row.first_token_s if row else None,
        tokens_in=usage.input if usage else None,
        tokens_out=usage.output if usage else None,
        reasoning=usage.reasoning or None if usage else None,
        tried=tuple(Other(one.alias, one.error) for one in field.failed_over),
        passed=field.skipped,
        left_out=tuple(note for notes in field.translation.values() for note in notes),
    )


def why_they(opened: Opened, alias: str, failed: Sequence[str]) -> str:
    """Why this member took the turn, in a sentence."""
    was, plan = opened.conversation, opened.plan
    if failed:
        return _("Took over after %(others)s had failed.") % {"others": ", ".join(failed)}
    if was.known and alias == was.alias:
        return _("Answers this conversation already, and stays with it.")
    passed = {one.alias: one.why for one in plan.passed}
    if was.known and was.alias in passed:
        return _("Takes the place of %(other)s, which cannot take this turn.") % {"other": was.alias}
    if len(plan.eligible) == 1:
        return _("The only member that can take this turn.")
    if plan.collection.ranking == "bayes":
        return _("Drawn first, by the odds of its record.")
    return _by_record(opened, alias)


def _by_record(opened: Opened, alias: str) -> str:
    plan, snapshot = opened.plan, opened.snapshot
    members = [one for one in plan.collection.members if one in plan.eligible]
    best = by_record(members, snapshot.useful)[0]
    useful = round(snapshot.useful.get(alias, 0.0))
    if alias != best:
        model = snapshot.models.get(best)
        if best in opened.resting or (model is not None and model.retiring):
            return _("%(best)s has the better record, but rests or is to be retired.") % {"best": best}
        return _("Its work is the oldest: a quarter of new conversations go to whom one knows least.")
    if not useful:
        return _("Nobody here has a better record yet.")
    told = ngettext("The best record: %(count)d useful verdict.", "The best record: %(count)d useful verdicts.", useful)
    return told % {"count": useful}
