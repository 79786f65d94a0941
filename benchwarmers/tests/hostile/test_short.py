"""A short campaign that always sends the same. `FUZZ_INPUTS` is the number of inputs for each parser."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from benchwarmers.tests.hostile.fuzz.base import Target, input_of
from benchwarmers.tests.hostile.fuzz.targets import all_targets

INPUTS = int(os.environ.get("FUZZ_INPUTS", "10"))
SLOWEST_S = 20.0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("target", all_targets(), ids=lambda target: target.name)
def test_what_is_wrong_is_read_or_refused(target: Target) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(INPUTS):
        data, rng = input_of(target, 11, number)
        try:
            outcomes[target.try_one(data, rng, SLOWEST_S)] += 1
        except Exception as error:
            error.add_note(f"input {number} of {target.name}: {data[:2_000]!r}")
            raise
    assert sum(outcomes.values()) == INPUTS


def test_the_same_number_is_the_same_input() -> None:
    target = all_targets()[0]
    assert input_of(target, 1, 5)[0] == input_of(target, 1, 5)[0] != input_of(target, 2, 5)[0]


def test_a_parser_that_hangs_is_a_finding() -> None:
    from random import Random

    from benchwarmers.tests.hostile.fuzz.base import Hangs

    slow = Target("slow", lambda: [b""], lambda data, rng: sum(range(10**6)))
    with pytest.raises(Hangs):
        slow.try_one(b"", Random(0), slowest_s=1e-6)
