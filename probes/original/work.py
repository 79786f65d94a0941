"""Takes over pieces of work and what was thought of them: the newest line of a call stands, a line without a call is
a piece of its own."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from collections_app.claims import LONGEST_NOTE, collapse, tidy_claims
from collections_app.models import Evidence, LanguageModel, Verdict
from collections_app.offline_file import LONGEST_TASK
from gateway.canon.kinds import SeatStatus, Shape
from gateway.models import Seat
from probes.original import store
from probes.original.cells import BY, day_of, digest, text_of
from probes.original.folder import Folder, Record
from probes.original.names import Aliases
from probes.original.report import Tally

_ASKED: Final = re.compile(r"^(?P<task>.*) \(bench/(?P<collection>[a-z0-9-]+)(?::\w+)?(?:, (?P<shape>\w+))?\)$", re.S)
_SHAPES: Final = frozenset(Shape)


def take_work(folder: Folder, tally: Tally, models: Aliases) -> None:
    latest: dict[str, tuple[int, Record]] = {}
    for line, record in folder.offloads():
        latest[text_of(record, "call")[:64] or f"{BY}-{digest(record)}"] = (line, record)
    known = set(Evidence.objects.filter(call__in=list(latest)).values_list("call", flat=True)) if latest else set()
    at_of = dict(Seat.objects.filter(call__in=list(latest)).values_list("call", "finished_at"))
    evidence: list[Evidence] = []
    verdicts: list[Verdict] = []
    for call, (line, record) in latest.items():
        model, at = models.find(text_of(record, "model")), at_of.get(call) or day_of(record.get("date"))
        if call in known:
            tally.known += 1
        elif model is None:
            tally.left.append((f"line {line}", f"there is no model {text_of(record, 'model') or '(none)'}"))
        elif at is None:
            tally.left.append((f"line {line}", "it has no date"))
        else:
            tally.added += 1
            said = _verdict(record, call, at)
            evidence.append(_evidence(record, call, at, model, said))
            verdicts += [said] if said else []
    store.keep_work(evidence, verdicts)


def _verdict(record: Record, call: str, at: datetime) -> Verdict | None:
    useful = record.get("useful")
    if not isinstance(useful, bool):
        return None
    false = tidy_claims([claim for claim in record.get("false") or () if isinstance(claim, str)])
    real = tidy_claims([claim for claim in record.get("real") or () if isinstance(claim, str)])
    return Verdict(
        call=call,
        judge_name=BY,
        useful=useful,
        note=collapse(text_of(record, "note"), LONGEST_NOTE),
        real=[claim for claim in real if claim not in false],
        false=false,
        at=at,
    )


def _evidence(record: Record, call: str, at: datetime, model: LanguageModel, said: Verdict | None) -> Evidence:
    task = text_of(record, "task")
    asked = _ASKED.match(task)
    shape = (asked["shape"] or "") if asked else ""
    return Evidence(
        language_model=model,
        collection_name=asked["collection"][:32] if asked else "",
        kind=kind_of(call),
        shape=shape if shape in _SHAPES else "",
        call=call,
        task=(asked["task"] if asked else task)[:LONGEST_TASK].strip(),
        status=SeatStatus.OK if asked else "",
        useful=None if said is None else float(said.useful),
        judges=0 if said is None else 1,
        real_claims=0 if said is None else len(said.real),
        false_claims=0 if said is None else len(said.false),
        at=at,
    )


def kind_of(call: str) -> str:
    """What kind of evidence a call of the original is."""
    if call.startswith(f"{BY}-"):
        return "offline"
    label = call.rpartition(".")[2]
    if label.startswith(("member", "explorer")):
        return "seat"
    return "merger" if label.startswith("merge") else "route"
