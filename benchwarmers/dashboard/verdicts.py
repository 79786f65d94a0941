"""What people said of one call, the form in which a person says it, and the way from that form to the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from collections_app.actions.verdict import do_verdict, do_withdraw_verdict
from collections_app.models import Verdict
from collections_app.refusal import Refused


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the verdict form. `useful` is None until somebody chose; `withdraw` takes the verdict back."""

    useful: bool | None = None
    note: str = ""
    real: str = ""
    false: str = ""
    problems: Sequence[str] = ()
    withdraw: bool = False

    @classmethod
    def of(cls, verdict: Verdict | None) -> Draft:
        """The form as this verdict left it."""
        if verdict is None:
            return cls()
        return cls(verdict.useful, verdict.note, "\n".join(verdict.real), "\n".join(verdict.false))

    @classmethod
    def read(cls, form: QueryDict) -> Draft:
        """The form as it was sent."""
        chosen = form.get("useful", "")
        return cls(
            useful={"yes": True, "no": False}.get(chosen),
            note=form.get("note", ""),
            real=form.get("real", ""),
            false=form.get("false", ""),
            withdraw=chosen == "withdraw",
        )

    @property
    def done(self) -> str:
        """What became of the verdict, in a word."""
        return _("withdrawn") if self.withdraw else _("recorded")

    @property
    def says_more(self) -> bool:
        """True when the folded part of the form must be open."""
        return bool(self.note or self.real or self.false or self.problems)


@dataclass(frozen=True, slots=True)
class Judged:
    """Something that people judge, as one of them sees it: `mine` is that person's verdict."""

    verdicts: Sequence[Verdict]
    mine: Verdict | None
    draft: Draft
    may_judge: bool

    @property
    def others(self) -> list[Verdict]:
        """The verdicts of everybody else."""
        return [verdict for verdict in self.verdicts if verdict != self.mine]

    @property
    def useful(self) -> int:
        """How many found it useful."""
        return sum(verdict.useful for verdict in self.verdicts)

    @property
    def not_useful(self) -> int:
        """How many did not."""
        return len(self.verdicts) - self.useful

    @property
    def split(self) -> bool:
        """True when people disagree."""
        return 0 < self.useful < len(self.verdicts)

    @property
    def said(self) -> list[str]:
        """Changes with any verdict."""
        return [f"{verdict.judge_name} {verdict.at.isoformat()}" for verdict in self.verdicts]


def load_verdicts(calls: Sequence[str]) -> dict[str, list[Verdict]]:
    """Every person's verdict on these calls, oldest first."""
    by_call: dict[str, list[Verdict]] = {call: [] for call in calls}
    for verdict in Verdict.objects.filter(call__in=calls).select_related("judge").order_by("at"):
        by_call[verdict.call].append(verdict)
    return by_call


def verdict_of(person: User, verdicts: Sequence[Verdict]) -> Verdict | None:
    """What this person said, if anything."""
    return next((verdict for verdict in verdicts if verdict.judge_id == person.pk), None)


def record_draft(person: User, call: str, draft: Draft, *, blind: bool = False) -> list[str]:
    """What stood in the way, as sentences; empty when the verdict is recorded, or withdrawn. `blind` says that who
    answered is hidden from this person."""
    if draft.useful is None and not draft.withdraw:
        return [_("Choose useful or not useful.")]
    try:
        _record(person, call, draft, blind)
    except Refused as refused:
        return [sentence for _, sentence in refused.problems]
    return []


def _record(person: User, call: str, draft: Draft, blind: bool) -> None:
    name, now = person.get_username(), timezone.now()
    if draft.useful is None:
        do_withdraw_verdict(actor=person, judge_name=name, call=call, now=now)
    else:
        do_verdict(
            actor=person,
            judge_name=name,
            call=call,
            useful=draft.useful,
            note=draft.note,
            real=[line for line in draft.real.splitlines() if line.strip()],
            false=[line for line in draft.false.splitlines() if line.strip()],
            blank_keeps=False,
            blind=blind,
            now=now,
        )
