"""Every broken promise is noticed, and nothing else is told as one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from benchwarmers.tests.chaos import accounts
from benchwarmers.tests.chaos.accounts import Kept
from benchwarmers.tests.chaos.faults import Done
from benchwarmers.tests.chaos.journal import Asked, End, Journal
from benchwarmers.tests.chaos.quiet import Holding, leaks
from benchwarmers.tests.chaos.schedule import KILL, PAUSE, Fault


def told() -> Journal:
    journal = Journal()
    journal.calls = {"c.1": None}
    journal.panels = {"p1"}
    journal.conversations = Counter({"r1": 2})
    journal.verdicts = {"c.1": "note", "c.2": ""}
    journal.facts = {"7"}
    journal.jobs = {3: "chats-1"}
    journal.answered = {"m1"}
    return journal


def kept() -> Kept:
    return Kept(
        attempts=Counter({"m1": 1}),
        rows=Counter({"m1": 1}),
        panels={"p1": "done"},
        calls={"c.1"},
        turns=Counter({"r1": 2}),
        verdicts={"c.1": "note"},
        facts={"7"},
        jobs=[(3, "onboard", "a:chats-1", "done")],
    )


def test_what_is_all_there_is_not_told_as_lost() -> None:
    assert accounts.lost(told(), kept()) == []


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("calls", set(), "call c.1 is gone"),
        ("panels", {}, "panel p1 is gone"),
        ("panels", {"p1": "running"}, "panel p1 is running"),
        ("turns", Counter({"r1": 1}), "conversation r1: 1 of 2 answered turns"),
        ("verdicts", {}, "verdict note on c.1 is 'gone'"),
        ("verdicts", {"c.1": "other"}, "verdict note on c.1 is 'other'"),
        ("facts", set(), "fact 7 is gone"),
        ("jobs", [], "job 3 is gone"),
        ("rows", Counter(), "answered request m1 has no row in the ledger"),
        ("open_seats", 2, "2 seats were never closed"),
    ],
)
def test_each_loss_is_told(field: str, value: Any, sentence: str) -> None:
    held = kept()
    setattr(held, field, value)
    assert accounts.lost(told(), held) == [sentence]


def asked(end: End = End.OK, *, web: str = "web-1", began: float = 10.0) -> Asked:
    return Asked("m1", "turn", web, began, began + 1, end)


def journal_of(*requests: Asked) -> Journal:
    return Journal(asked=list(requests))


@pytest.mark.parametrize(
    ("line", "times", "sentences"),
    [
        ({"mark": "m1"}, 1, []),
        ({"mark": "m1"}, 2, ["request m1: an upstream saw it 2 times, the ledger has 1"]),
        ({"mark": "m2"}, 1, ["request m2: an upstream saw it 1 times, the ledger has 0"]),
        ({"mark": "", "served": "chats-1"}, 3, []),
        ({"mark": "", "served": "chats-1"}, 4, ["model chats-1: an upstream saw 4 requests of jobs, the ledger has 3"]),
        ({"mark": "", "served": "fast-a"}, 9, []),
    ],
)
def test_what_an_upstream_saw_must_be_in_the_ledger(line: dict[str, str], times: int, sentences: list[str]) -> None:
    held = kept()
    held.probes["chats-1"] = 3
    assert accounts.unaccounted([line] * times, held) == sentences


def test_jobs_that_stay_open_or_run_twice_are_told() -> None:
    held = Kept(jobs=[(1, "onboard", "a", "done"), (2, "onboard", "a", "done"), (3, "onboard", "b", "running")])
    sentences, again = accounts.repeated_jobs([{"served": "chats-1"}] * 7, held, 0, 6)
    assert sentences == ["job 3 (onboard b) is still running", "onboard a was done 2 times"]
    assert again == 1
    many, _ = accounts.repeated_jobs([{"served": "chats-1"}] * 20, Kept(), 1, 6)
    assert many == ["the jobs' calls were made 14 times again for 1 deaths of the worker"]


def fault(target: str, kind: str = KILL, began: float = 9.0) -> Done:
    return Done(Fault(target, kind, 0, 2), began, began + 2, 1.0, began + 3)


@pytest.mark.parametrize(
    ("end", "faults", "explained"),
    [
        (End.OK, [], True),
        (End.TOLD, [fault("postgres")], True),
        (End.TOLD, [fault("postgres", began=50.0)], False),
        (End.BROKEN, [fault("web-1")], True),
        (End.BROKEN, [fault("web-2")], False),
        (End.BROKEN, [fault("web-1", PAUSE)], True),
        (End.BARE, [fault("web-1")], False),
        (End.LATE, [fault("web-1")], False),
    ],
)
def test_only_a_fault_explains_a_failure(end: End, faults: list[Done], explained: bool) -> None:
    assert (accounts.unexplained(journal_of(asked(end)), faults, 1.0) == []) is explained


def test_what_was_meant_to_fail_is_no_failure_unless_it_fails_in_another_way() -> None:
    cut = Asked("m1", "turn", "web-1", 10.0, 11.0, End.TOLD, meant=True)
    assert accounts.unexplained(journal_of(cut), [], 1.0) == []
    cut.end = End.BROKEN
    assert accounts.unexplained(journal_of(cut), [], 1.0) != []


def test_a_leak_is_told_with_its_numbers() -> None:
    before = {"web-1": Holding(40, 9, 3, 4, 12)}
    assert leaks(before, {"web-1": Holding(45, 9, 3, 5, 0)}) == []
    assert leaks(before, {"web-1": Holding(0, 1, 0, 0, 0)}) == ["web-1 is gone"]
    assert leaks(before, {"web-1": Holding(90, 9, 3, 4, 1)}) == [
        "web-1 holds 90 descriptors, 40 before",
        "web-1 still holds 1 connections to others, and there is nobody",
    ]
