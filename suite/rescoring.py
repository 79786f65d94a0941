"""Makes the scores of stored answers anew, by today's scorer and the key of the version that each of them answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gateway.canon.kinds import AttemptOutcome
from suite.asking import score_answer
from suite.models import Attempt, TaskVersion
from suite.store import keep_scores

BATCH: Final = 400


def rescore(say: Callable[[int], None] = lambda done: None) -> int:
    """How many answers were scored. The same answers and keys give the same scores, to the digit."""
    versions: dict[int, TaskVersion] = {}
    done, last = 0, 0
    while True:
        rows = list(
            Attempt.objects.filter(outcome=AttemptOutcome.ANSWERED, pk__gt=last)
            .order_by("pk")
            .values_list("pk", "version_id", "answer")[:BATCH]
        )
        if not rows:
            return done
        missing = {version for _, version, _ in rows} - set(versions)
        found = TaskVersion.objects.select_related("task").in_bulk(missing)
        versions |= found
        keep_scores([(attempt, score_answer(versions[version], answer)) for attempt, version, answer in rows])
        done, last = done + len(rows), rows[-1][0]
        say(done)
