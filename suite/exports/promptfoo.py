"""Results as promptfoo writes them (version 3 of its results), which its viewer imports. Pure.

A model is a column, what was asked is a row; a repetition is a row of its own, as there. The assertions are those of
the key, for reading: what an answer is worth was decided by our scorer, and is told as it was.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from gateway.canon.kinds import AttemptOutcome
from suite.exports.answers import Answer, Span
from suite.exports.lines import usd

VERSION: Final = 3
RAW: Final = "{{prompt}}"
LABEL: Final = "Benchwarmers suite"
NONE, ASSERT, ERROR = 0, 1, 2
"""Its reasons why a test failed."""


def promptfoo_results(spans: Iterable[Span], answers: Iterable[Answer], now: datetime) -> Iterator[str]:
    """The text of the file, in pieces. `spans` are the models of `answers`."""
    columns = {span.model: _Column(span.model, number) for number, span in enumerate(spans)}
    stamp = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S.000Z}"
    rows: dict[tuple[str, int], int] = {}
    seen: Counter[tuple[str, str]] = Counter()
    head = {"version": VERSION, "timestamp": stamp}
    yield f'{{"evalId":{_json(f"eval-benchwarmers-{stamp}")},"results":{_json(head)[:-1]},"results":[\n'
    comma = ""
    for one in answers:
        version = f"{one.asked.task} {one.asked.digest}"
        seen[one.model, version] += 1
        row = rows.setdefault((version, seen[one.model, version]), len(rows))
        column = columns[one.model]
        column.count(one)
        yield comma + _json(_result(one, row, column)) + "\n"
        comma = ","
    yield "]," + _json({"prompts": [one.told() for one in columns.values()], "stats": _stats(columns.values())})[1:]
    config = {"description": LABEL, "prompts": [RAW], "providers": list(columns), "tests": []}
    told = {"exportedAt": stamp, "evaluationCreatedAt": stamp, "author": "benchwarmers"}
    yield "," + _json({"config": config, "shareableUrl": None, "metadata": told})[1:] + "\n"


class _Column:
    """A model, and its sums."""

    def __init__(self, model: str, place: int) -> None:
        self.model, self.place = model, place
        self.good = self.bad = self.errors = self.clauses_good = self.clauses_bad = 0
        self.score = self.ms = self.cost = 0.0
        self.tokens_in = self.tokens_out = 0

    def count(self, one: Answer) -> None:
        if one.score is None:
            self.errors += 1
        elif one.good:
            self.good += 1
        else:
            self.bad += 1
        passes = [_passes(step) for step in (one.score or {}).get("steps", ())]
        self.clauses_good += sum(passes)
        self.clauses_bad += len(passes) - sum(passes)
        self.score += one.credit or 0.0
        self.ms += one.seconds * 1000
        self.cost += usd(one.cost) or 0.0
        self.tokens_in += one.tokens_in or 0
        self.tokens_out += one.tokens_out or 0

    def told(self) -> dict[str, Any]:
        return {
            **_prompt(),
            "provider": self.model,
            "metrics": {
                "score": self.score,
                "testPassCount": self.good,
                "testFailCount": self.bad,
                "testErrorCount": self.errors,
                "assertPassCount": self.clauses_good,
                "assertFailCount": self.clauses_bad,
                "totalLatencyMs": self.ms,
                "tokenUsage": _tokens(self.tokens_in, self.tokens_out, self.good + self.bad + self.errors),
                "namedScores": {},
                "namedScoresCount": {},
                "cost": self.cost,
            },
        }


def _result(one: Answer, row: int, column: _Column) -> dict[str, Any]:
    asked = {"task": one.asked.task, "prompt": one.asked.sent}
    credit = one.credit or 0.0
    result: dict[str, Any] = {
        "id": f"benchwarmers-{one.id}",
        "promptIdx": column.place,
        "testIdx": row,
        "testCase": {"description": one.asked.title, "vars": asked, "assert": assertions(one.asked.key)},
        "promptId": _prompt()["id"],
        "provider": {"id": one.model, "label": one.model},
        "prompt": {"raw": one.asked.sent, "label": RAW},
        "vars": asked,
        "response": {"output": one.text, "tokenUsage": _tokens(one.tokens_in or 0, one.tokens_out or 0, 1)},
        "success": one.good,
        "score": credit,
        "latencyMs": round(one.seconds * 1000),
        "namedScores": {},
        "cost": usd(one.cost) or 0.0,
        "metadata": {"digest": one.asked.digest, "outcome": one.outcome, "at": one.at, "pass": one.suite_pass},
        "failureReason": NONE if one.good else ERROR if one.score is None else ASSERT,
    }
    if one.score is None:
        result["error"] = ": ".join(filter(None, (one.outcome, one.failure, one.detail)))
        if one.outcome is AttemptOutcome.REFUSED:
            result["response"]["isRefusal"] = True
    else:
        reason = "All was found and nothing invented." if one.good else one.told
        result["gradingResult"] = {
            "pass": one.good,
            "score": credit,
            "reason": reason,
            "componentResults": [_component(step) for step in one.score["steps"]],
        }
    return result


def _component(step: dict[str, Any]) -> dict[str, Any]:
    passes = _passes(step)
    where = f": {step['where']}" if step.get("where") else ""
    return {"pass": passes, "score": float(passes), "reason": f"{step['label']} was {step['how']}{where}"}


def _passes(step: dict[str, Any]) -> bool:
    return step["how"] not in ("missed", "asserted")


def assertions(key: dict[str, Any]) -> list[dict[str, Any]]:
    """The clauses of a key in its words. Patterns were written for answers in lower case."""
    found = [_assertion(clause, "") for clause in key.get("must_find") or ()]
    return found + [_assertion(clause, "not-") for clause in key.get("must_not_claim") or ()]


def _assertion(clause: Any, negation: str) -> dict[str, Any]:
    if isinstance(clause, str):
        return {"type": f"{negation}icontains", "value": clause}
    if clause.get("regex"):
        return {"type": f"{negation}regex", "value": clause["regex"], "metric": clause.get("label") or clause["regex"]}
    return {"type": f"{negation}icontains-any", "value": list(clause.get("any_of") or ())}


def _prompt() -> dict[str, str]:
    return {"id": hashlib.sha256(RAW.encode()).hexdigest(), "raw": RAW, "label": RAW}


def _tokens(tokens_in: int, tokens_out: int, requests: int) -> dict[str, int]:
    spent = {"prompt": tokens_in, "completion": tokens_out, "total": tokens_in + tokens_out}
    return {**spent, "cached": 0, "numRequests": requests}


def _stats(columns: Iterable[_Column]) -> dict[str, Any]:
    every = list(columns)
    requests = sum(one.good + one.bad + one.errors for one in every)
    tokens = _tokens(sum(one.tokens_in for one in every), sum(one.tokens_out for one in every), requests)
    counts = {"successes": "good", "failures": "bad", "errors": "errors"}
    return {**{name: sum(getattr(one, of) for one in every) for name, of in counts.items()}, "tokenUsage": tokens}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
