"""The schedule of faults is the seed's, and holds every kind."""

from __future__ import annotations

from itertools import islice, pairwise

from benchwarmers.tests.chaos.schedule import KINDS, LONGEST_S, NEVER_BOTH, plan_faults


def test_one_round_holds_every_kind_once() -> None:
    for seed in range(20):
        plan = list(plan_faults(seed, (1.0, 6.0), once=True))
        assert sorted((fault.target, fault.kind) for fault in plan) == sorted(KINDS)
        assert all(0 < fault.for_s <= LONGEST_S[fault.kind] for fault in plan)


def test_the_same_seed_makes_the_same_plan_and_another_another() -> None:
    first, again, other = (list(islice(plan_faults(seed, (1.0, 6.0)), 50)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_no_more_than_two_begin_together_and_never_both_web_processes_or_one_twice() -> None:
    for seed in range(50):
        plan = list(plan_faults(seed, (1.0, 6.0), once=True, two_at_once=1.0))
        for before, after in pairwise(plan):
            if after.with_last:
                assert after.after_s == 0
                assert not before.with_last
                assert before.target != after.target
                assert {before.target, after.target} != NEVER_BOTH
        assert sum(fault.with_last for fault in plan) >= len(plan) // 3
