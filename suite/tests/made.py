"""Results in a line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.results import Result

START = datetime(2026, 6, 1, tzinfo=UTC)


def result(model: str, task: str, *, day: int = 0, **fields: Any) -> Result:
    """An answer with one finding located, unless said otherwise."""
    said: dict[str, Any] = {
        "version": "v1",
        "shape": TaskShape.FINDING,
        "outcome": AttemptOutcome.ANSWERED,
        "at": START + timedelta(days=day),
        "found": 1,
        "of": 1,
        "seconds": 2.0,
        **fields,
    }
    return Result(model, task, **said)


def hunt(model: str, task: str, ended: str, **fields: Any) -> Result:
    """A hunt that ended so; on a control where it ended clean or in a false alarm."""
    control = ended in ("clean", "false alarm")
    return result(
        model,
        task,
        shape=TaskShape.SEEDED,
        control=control,
        found=int(ended in ("found", "clean")),
        hunt=ended,
        chance="control" if control else "wrong line",
        wrong=ended in ("wrong line", "false alarm"),
        **fields,
    )
