"""The log of an evaluation in the JSON form of Inspect (version 2 of its schema), one log a model. Pure.

A sample is one attempt: its id the task, its epoch the how manyeth of this model to this task. What was no answer is a
sample with an error and no score, but for a refusal, which Inspect knows as a stop by a content filter.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import Struct

from gateway.canon.kinds import AttemptOutcome
from suite.exports.answers import Answer, Span
from suite.exports.lines import usd
from suite.scoring import SCORER, first_line

VERSION: Final = 2
TASK: Final = "benchwarmers-suite"
PROVIDER: Final = "benchwarmers"


def file_name(span: Span) -> str:
    """As Inspect names its logs, so that its viewer finds them: when, the task, an id."""
    return f"{span.last.astimezone(UTC):%Y-%m-%dT%H-%M-%S}+00-00_{TASK}_{_id('log', span.model)}.json"


class Sums(Struct):
    """What a log says before its samples, for its reader looks no further than these."""

    samples: int = 0
    scored: int = 0
    credit: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0


def sums_of(answers: Iterable[Answer]) -> Sums:
    """Over one model's answers."""
    sums = Sums()
    for one in answers:
        sums.samples += 1
        sums.scored += one.credit is not None
        sums.credit += one.credit or 0.0
        sums.tokens_in += one.tokens_in or 0
        sums.tokens_out += one.tokens_out or 0
    return sums


def inspect_log(span: Span, sums: Sums, answers: Iterable[Answer]) -> Iterator[str]:
    """The text of one model's log, in pieces. `answers` are this model's, and `sums` theirs."""
    head = {
        "version": VERSION,
        "status": "success",
        "eval": _spec(span),
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": _results(sums),
        "stats": _stats(span, sums),
    }
    yield _json(head)[:-1] + ',"samples":[\n'
    epochs: Counter[str] = Counter()
    for number, one in enumerate(answers):
        yield ("," if number else "") + _json(_sample(one, epochs)) + "\n"
    yield "]}\n"


def _spec(span: Span) -> dict[str, Any]:
    return {
        "eval_id": _id("eval", span.model, span.last.isoformat()),
        "run_id": _id("run", span.last.isoformat()),
        "created": _time(span.last),
        "task": TASK,
        "task_id": _id("task"),
        "task_version": SCORER,
        "dataset": {"name": TASK, "samples": span.tasks, "shuffled": False},
        "model": f"{PROVIDER}/{span.model}",
        "config": {},
    }


def _results(sums: Sums) -> dict[str, Any]:
    metrics = {"mean": {"name": "mean", "value": sums.credit / sums.scored}} if sums.scored else {}
    unscored = sums.samples - sums.scored
    score = {"name": "suite", "scorer": "suite", "scored_samples": sums.scored, "unscored_samples": unscored}
    return {
        "total_samples": sums.samples,
        "completed_samples": sums.scored,
        "scores": [{**score, "metrics": metrics}],
    }


def _stats(span: Span, sums: Sums) -> dict[str, Any]:
    used = {"input_tokens": sums.tokens_in, "output_tokens": sums.tokens_out}
    return {
        "started_at": _time(span.first),
        "completed_at": _time(span.last),
        "model_usage": {f"{PROVIDER}/{span.model}": {**used, "total_tokens": sum(used.values())}},
    }


def _sample(one: Answer, epochs: Counter[str]) -> dict[str, Any]:
    epochs[one.asked.task] += 1
    key = one.asked.key
    sample: dict[str, Any] = {
        "id": one.asked.task,
        "epoch": epochs[one.asked.task],
        "input": one.asked.sent,
        "target": [_name(clause) for clause in key.get("must_find") or ()],
        "messages": [_message("user", one.asked.sent, "input", one.id)],
        "output": _output(one),
        "metadata": {
            "digest": one.asked.digest,
            "shape": one.asked.shape,
            "origin": one.asked.origin,
            "control": one.asked.control,
            "contamination": one.asked.contamination,
            "outcome": one.outcome,
            "pass": one.suite_pass,
            "drawn": one.asked.drawn,
        },
        "uuid": _id("sample", str(one.id), one.at.isoformat()),
        "completed_at": _time(one.at),
    }
    if one.seconds:
        sample |= {"total_time": one.seconds, "started_at": _time(one.at - timedelta(seconds=one.seconds))}
    if one.answered:
        sample["messages"].append(_message("assistant", one.text, "generate", one.id))
    elif one.outcome is not AttemptOutcome.REFUSED:
        words = ": ".join(filter(None, (one.outcome, one.failure, one.detail)))
        sample["error"] = {"message": words, "traceback": "", "traceback_ansi": ""}
    if one.score is not None:
        sample["scores"] = {"suite": _score(one)}
    return sample


def _score(one: Answer) -> dict[str, Any]:
    said = one.score or {}
    return {
        "value": one.credit,
        "answer": first_line(one.text),
        "explanation": one.told,
        "metadata": {name: said[name] for name in ("scorer", "found", "of", "missed", "invented", "hunt", "wrong")},
    }


def _output(one: Answer) -> dict[str, Any]:
    if not one.answered and one.outcome is not AttemptOutcome.REFUSED:
        return {"model": one.served, "choices": []}
    stop = "stop" if one.answered else "content_filter"
    output: dict[str, Any] = {
        "model": one.served,
        "choices": [{"message": _message("assistant", one.text, "generate", one.id), "stop_reason": stop}],
        "completion": one.text,
    }
    if one.tokens_in is not None or one.tokens_out is not None:
        spent = {"input_tokens": one.tokens_in or 0, "output_tokens": one.tokens_out or 0}
        output["usage"] = {**spent, "total_tokens": sum(spent.values()), "total_cost": usd(one.cost)}
    return output | ({"time": one.seconds} if one.seconds else {})


def _message(role: str, text: str, source: str, number: int) -> dict[str, Any]:
    return {"id": _id(role, str(number)), "role": role, "content": text, "source": source}


def _name(clause: Any) -> str:
    if isinstance(clause, str):
        return clause
    return str(clause.get("label") or next(iter(clause.get("any_of") or ()), "") or clause.get("regex") or "")


def _id(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:22]


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
