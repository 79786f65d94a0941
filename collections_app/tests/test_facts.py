"""Which source of a fact wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from collections_app.facts import merge


@dataclass
class Said:
    source: str
    value: Any
    field: str = "context_window"


@pytest.mark.parametrize(
    ("said", "value", "source"),
    [
        ([Said("feed", 100)], 100, "feed"),
        ([Said("feed", 100), Said("probe", 90)], 90, "probe"),
        ([Said("feed", 100), Said("learned", 80)], 80, "learned"),
        ([Said("feed", 100), Said("learned", 120)], 100, "feed"),
        ([Said("learned", 120)], 120, "learned"),
        ([Said("operator", 500), Said("learned", 80), Said("feed", 100)], 500, "operator"),
        ([Said("rumour", 7), Said("feed", 100)], 100, "feed"),
    ],
)
def test_a_number_comes_from_the_strongest_source_and_learning_only_tightens(
    said: list[Said], value: int, source: str
) -> None:
    assert merge(said) == ({"context_window": value}, {"context_window": source})


def test_each_price_is_decided_by_itself_from_operators_and_feeds_alone() -> None:
    values, sources = merge(
        [
            Said("operator", {"output": 0}, "prices"),
            Said("learned", {"input": 0.01}, "prices"),
            Said("probe", {"input": 0.02}, "prices"),
            Said("feed", {"input": 0.14999999999999999, "output": 3, "reasoning": "much", "cached": -1}, "prices"),
        ]
    )
    assert values == {"prices": {"input": 0.15, "output": 0}}
    assert sources == {"prices.input": "feed", "prices.output": "operator"}


@pytest.mark.parametrize("told", ["free", {"input": float("nan")}, {"input": True}, {"cups": 1}, {"output": 1e9}])
def test_a_price_that_cannot_be_says_nothing(told: Any) -> None:
    assert merge([Said("feed", told, "prices")]) == ({}, {})


@pytest.mark.parametrize(
    ("said", "value", "source"),
    [
        ([Said("feed", False, "tools"), Said("learned", True, "tools")], True, "learned"),
        ([Said("feed", True, "tools"), Said("learned", False, "tools")], True, "feed"),
        ([Said("operator", False, "tools"), Said("learned", True, "tools")], False, "operator"),
    ],
)
def test_a_learned_capability_only_ever_grants(said: list[Said], value: bool, source: str) -> None:
    assert merge(said) == ({"tools": value}, {"tools": source})


def test_a_learned_refusal_alone_leaves_the_capability_unknown() -> None:
    assert merge([Said("learned", False, "tools")]) == ({}, {})


def test_each_axis_of_the_limits_is_decided_by_itself() -> None:
    values, sources = merge(
        [
            Said("operator", {"rpm": 60}, "limits"),
            Said("feed", {"rpm": 10, "tpm": 5000}, "limits"),
            Said("learned", {"rpm": 5, "tpm": 4000, "rpd": 9}, "limits"),
        ]
    )
    assert values == {"limits": {"rpm": 60, "tpm": 4000, "rpd": 9}}
    assert sources == {"limits.rpm": "operator", "limits.tpm": "learned", "limits.rpd": "learned"}


def test_a_null_says_nothing() -> None:
    assert merge([Said("operator", None), Said("feed", 100)])[1] == {"context_window": "feed"}
