"""What was found by size and depth."""

from __future__ import annotations

from gateway.canon.kinds import AttemptOutcome
from suite.needles.sheet import Try, rows

ANSWERED, TIMEOUT = AttemptOutcome.ANSWERED, AttemptOutcome.TIMEOUT


def test_what_was_found_stands_by_model_size_and_depth_with_repetitions_averaged() -> None:
    found = rows(
        [
            Try("a", "t1", 16_000, 0.25, ANSWERED, True),
            Try("a", "t1", 16_000, 0.25, ANSWERED, False),
            Try("a", "t2", 16_000, 0.75, ANSWERED, True),
            Try("a", "t3", 64_000, 0.25, TIMEOUT),
            Try("b", "t1", 16_000, 0.25, ANSWERED, False),
        ]
    )
    assert [(row.model, row.tokens, row.found.hits, row.found.of, row.others) for row in found] == [
        ("a", 16_000, 1.5, 2.0, {}),
        ("a", 64_000, 0.0, 0.0, {"timeout": 1}),
        ("b", 16_000, 0.0, 1.0, {}),
    ]
    assert [(cell.depth, cell.found.share, cell.unanswered) for cell in found[0].cells] == [
        (0.25, 0.5, 0),
        (0.75, 1.0, 0),
    ]
    assert [(cell.depth, cell.found.share, cell.unanswered) for cell in found[1].cells] == [(0.25, None, 1)]
    assert found[1].found.interval is None
