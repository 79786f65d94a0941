"""One vocabulary for how a model is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gateway.canon.fault import FailureClass
from gateway.canon.kinds import ModelStatus
from probes.health.status import (
    ACCOUNT_WIDE,
    DECLINED,
    PLAIN,
    TONES,
    LastAsked,
    label_of,
    seen_status,
    shown_status,
)

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
BEFORE = NOON - timedelta(hours=1)
LATER = NOON + timedelta(hours=1)


@pytest.mark.parametrize(
    ("failure", "status", "tone"),
    [
        ("capacity", "throttled", "warn"),
        ("timeout", "slow", "warn"),
        ("empty", "empty reply", "warn"),
        ("structural", "not found", "error"),
        ("paywalled", "no longer free", "error"),
        ("entitlement", "no access", "error"),
        ("signin", "sign in again", "warn"),
        ("other", "failing", "error"),
        ("", "failing", "error"),
    ],
)
def test_each_failure_has_its_status_and_tone(failure: str, status: str, tone: str) -> None:
    shown = seen_status(LastAsked(NOON, False, failure, "the provider's  own\nwords"))
    assert (shown.status, TONES[shown.status], shown.why, shown.at) == (status, tone, "the provider's own words", NOON)


def test_every_failure_class_and_status_is_spoken_of() -> None:
    assert {seen_status(LastAsked(NOON, False, failure)).status for failure in FailureClass} <= set(ModelStatus)
    assert set(TONES) == set(PLAIN) == set(ModelStatus)


def test_without_words_of_the_provider_the_plain_reading_stands() -> None:
    assert seen_status(LastAsked(NOON, False, "capacity")).why == PLAIN[ModelStatus.THROTTLED]
    assert seen_status(LastAsked(NOON, False, "capacity", account_wide=True)).why == ACCOUNT_WIDE


def test_long_words_are_cut() -> None:
    assert len(seen_status(LastAsked(NOON, False, "other", "x" * 999)).why) == 300


@pytest.mark.parametrize(
    ("last", "missing", "worked", "status", "at"),
    [
        (None, None, None, "untested", None),
        (LastAsked(NOON, True), None, None, "healthy", NOON),
        (None, None, NOON, "healthy", NOON),
        (LastAsked(NOON, False, "capacity"), None, BEFORE, "throttled", NOON),
        (LastAsked(NOON, False, "structural"), None, LATER, "healthy", LATER),
        (LastAsked(NOON, True), BEFORE, LATER, "not served", BEFORE),
        (LastAsked(NOON, False, "other", refusal=True), None, None, "healthy", NOON),
    ],
)
def test_the_newest_word_counts_and_a_missing_listing_comes_first(
    last: LastAsked | None, missing: datetime | None, worked: datetime | None, status: str, at: datetime | None
) -> None:
    shown = seen_status(last, missing, worked)
    assert (shown.status, shown.at) == (status, at)


def test_a_model_that_declines_the_question_is_none_that_fails() -> None:
    assert seen_status(LastAsked(NOON, False, "other", refusal=True)).why == DECLINED


@pytest.mark.parametrize(
    ("retired", "retire_in", "status", "label"),
    [
        (True, 2, "retired", "retired"),
        (False, 2, "retiring", "retiring in 2d"),
        (False, None, "slow", "slow"),
    ],
)
def test_retirement_comes_before_what_was_seen(retired: bool, retire_in: int | None, status: str, label: str) -> None:
    shown = shown_status("slow", retired=retired, retire_in=retire_in)
    assert (shown, label_of(shown, retire_in)) == (status, label)
