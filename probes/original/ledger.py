"""Takes over the ledger, and the measurements of models."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from collections_app.models import LanguageModel
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import CallStatus
from gateway.models import Call
from probes.models import ProbeSample
from probes.original import store
from probes.original.cells import BY, batches, count_of, digest, moment_of, number_of, text_of
from probes.original.folder import Folder, Record
from probes.original.names import Aliases
from probes.original.report import Tally

_STATUSES: Final = {status.value: status for status in CallStatus}
_FAILURES: Final = frozenset(FailureClass)
_PROMPTS: Final = {"tiny": "tiny", "small": "tiny", "large": "large", "retry": "tiny"}


def take_ledger(folder: Folder, tally: Tally, models: Aliases) -> None:
    for batch in batches(folder.ledger()):
        marks = {f"{BY}-{digest(record)}": record for _, record in batch}
        known = set(Call.objects.filter(request__in=list(marks)).values_list("request", flat=True))
        tally.known += len(known)
        calls = [_call(record, mark, models) for mark, record in marks.items() if mark not in known]
        good = [call for call in calls if call is not None]
        tally.added += len(good)
        if len(good) < len(calls):
            tally.left.append((batch[0][0], f"{len(calls) - len(good)} lines from here on have no time or no model"))
        store.keep_calls(good)


def _call(record: Record, mark: str, models: Aliases) -> Call | None:
    alias, t = text_of(record, "alias")[:64], record.get("t")
    at = datetime.fromtimestamp(t, UTC) if isinstance(t, int | float) and 0 < t < 2**33 else moment_of(record.get("at"))
    if not alias or at is None:
        return None
    return Call(
        at=at,
        language_model=models.find(alias),
        alias=alias,
        endpoint_name=text_of(record, "endpoint")[:32],
        connection=text_of(record, "connection")[:100],
        served=text_of(record, "served")[:200],
        request=mark,
        caller=text_of(record, "caller")[:150] or BY,
        purpose=text_of(record, "purpose")[:16],
        status=_STATUSES.get(text_of(record, "status"), CallStatus.ERROR),
        attempts=min(count_of(record.get("attempts")) or 0, 1000),
        tokens_in=count_of(record.get("tokens_in")),
        tokens_out=count_of(record.get("tokens_out")),
        reasoning=count_of(record.get("reasoning")),
        seconds=number_of(record.get("seconds")),
    )


def take_probes(folder: Folder, tally: Tally, models: Aliases) -> None:
    for batch in batches(folder.probes()):
        samples: list[ProbeSample] = []
        for line, row in batch:
            model, at = models.find(row.get("model", "")), moment_of(row.get("timestamp"))
            prompt = _PROMPTS.get(row.get("prompt", ""), "")
            if model is None or at is None or not prompt:
                tally.left.append((f"line {line}", "its model, its time or its prompt is not known here"))
                continue
            samples.append(_sample(row, model, at, prompt))
        known = store.known_samples(samples)
        new = [sample for sample in samples if (sample.language_model_id, sample.at, sample.prompt) not in known]
        tally.known += len(samples) - len(new)
        tally.added += len(new)
        store.keep_samples(new)


def _sample(row: dict[str, str], model: LanguageModel, at: datetime, prompt: str) -> ProbeSample:
    answered = number_of(row.get("answered")) > 0
    failure = row.get("failure", "")
    return ProbeSample(
        language_model=model,
        kind="speed" if prompt == "large" or number_of(row.get("n")) > 1 else "availability",
        prompt=prompt,
        at=at,
        answered=answered,
        failure="" if answered else failure if failure in _FAILURES else FailureClass.OTHER,
        detail=row.get("detail", "")[:300],
        seconds=number_of(row.get("p50_s")),
    )
