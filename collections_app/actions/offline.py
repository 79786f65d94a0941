"""Takes over offline work: pieces of work done outside the gateway, as evidence of the kind `offline`.

What will be written is decided first and can be shown without writing. A row is known by a digest of all it says, so
the same file a second time changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.verdict import TOPIC, sum_up
from collections_app.aliases import follow_alias
from collections_app.journal import LOCAL, journal, require
from collections_app.models import AliasHistory, Evidence, LanguageModel, Setting, Verdict
from collections_app.offline_file import Row, as_moment
from collections_app.standings_store import rebuild_standings

KIND = "offline"
RIGHT = "collections_app.add_evidence"

Outcome = Literal["write", "known", "refused"]


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of one row. `alias` is what its model is called today, `judge` who judged; `why` says why it is not
    written.
    """

    row: Row
    outcome: Outcome
    why: str = ""
    alias: str = ""
    judge: str = ""
    call: str = ""
    at: datetime | None = None


def plan_offline(rows: Sequence[Row], *, by: str = LOCAL, now: datetime) -> list[Planned]:
    """What importing these rows would do now, row by row. A row without a judge was judged by `by`."""
    models = dict(LanguageModel.objects.values_list("alias", "pk"))
    renamed = dict(AliasHistory.objects.values_list("old", "new"))
    zone = timezone.get_current_timezone()
    planned = [_plan(row, models, renamed, by, zone, now) for row in rows]
    calls = [one.call for one in planned if one.call]
    known = set(Evidence.objects.filter(kind=KIND, call__in=calls).values_list("call", flat=True))
    return [_once(one, known) for one in planned]


def do_import_offline(*, actor: User | None, by: str, rows: Sequence[Row], now: datetime) -> list[Planned]:
    """Write what can be written and return what became of each row.

    :raises NotAllowed: work is taken over in the name of whoever judged it, so this is for admins.
    """
    require(actor, RIGHT, "import verdicts")
    with journal(actor, TOPIC, by=by) as log:
        Setting.objects.select_for_update().first()  # two imports of the same file follow one another
        planned = plan_offline(rows, by=by, now=now)
        writing = [(one, one.at) for one in planned if one.outcome == "write" and one.at is not None]
        if not writing:
            return planned
        models = dict(LanguageModel.objects.values_list("alias", "pk"))
        people = {user.get_username(): user for user in User.objects.all()}
        verdicts = [_verdict(one, at, people) for one, at in writing]
        Evidence.objects.bulk_create(
            [_evidence(one, at, models, said) for (one, at), said in zip(writing, verdicts, strict=True)],
            batch_size=500,
        )
        Verdict.objects.bulk_create([said for said in verdicts if said is not None], batch_size=500)
        rebuild_standings()
        log.note("offline work", f"{len(writing)} of {len(planned)} rows", new=[one.call for one, _ in writing])
    return planned


def _plan(
    row: Row, models: Mapping[str, int], renamed: Mapping[str, str], by: str, zone: tzinfo, now: datetime
) -> Planned:
    alias = row.model if row.model in models else follow_alias(row.model, renamed)
    problems = list(row.problems)
    if row.model and alias not in models:
        problems.append(f"No model is called “{row.model}”.")
    at = as_moment(row.on, zone) if row.on is not None else None
    if at is not None and at > now:
        problems.append(f"{row.on} lies in the future.")
    if problems or at is None:
        return Planned(row, "refused", " ".join(problems))
    judge = row.judge or by
    said = [models[alias], at.isoformat(), row.task, row.useful, row.note, row.real, row.false, judge]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return Planned(row, "write", "", alias, judge, f"{KIND}-{digest[:32]}", at)


def _once(one: Planned, known: set[str]) -> Planned:
    """The row, or that it is there already; what it writes is known to those after it."""
    if one.outcome != "write":
        return one
    if one.call in known:
        return Planned(one.row, "known", "This is recorded already.", one.alias, one.judge, one.call, one.at)
    known.add(one.call)
    return one


def _verdict(one: Planned, at: datetime, people: Mapping[str, User]) -> Verdict | None:
    row = one.row
    if row.useful is None:
        return None
    return Verdict(
        call=one.call,
        judge=people.get(one.judge),
        judge_name=one.judge,
        useful=row.useful,
        note=row.note,
        real=list(row.real),
        false=list(row.false),
        at=at,
    )


def _evidence(one: Planned, at: datetime, models: Mapping[str, int], said: Verdict | None) -> Evidence:
    judgement = sum_up([said] if said else [])
    return Evidence(
        language_model_id=models[one.alias],
        kind=KIND,
        call=one.call,
        task=one.row.task,
        status="",
        useful=judgement.useful,
        judges=judgement.judges,
        real_claims=judgement.real_claims,
        false_claims=judgement.false_claims,
        at=at,
    )
