"""Who rests after a refusal, and how long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gateway.canon.fault import NEVER_FITS, Broken, NotSent, Rejected, UpstreamFault
from gateway.engine.recency import Recency
from gateway.engine.resting import note_rest, same_purse
from gateway.engine.snapshot import ModelView
from gateway.tests.engine.world import HIVE, model, snapshot

AT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
MODELS = (
    model("a", id=1),
    model("b", id=2, prices={"input": 1.0, "output": 2.0}),
    model("c", id=3, served="lab/c:free"),
    model("d", id=4, prices={"input": 0, "output": 0}),
    model("e", id=5, retired_on="2026-01-01"),
    model("f", id=6, endpoint=HIVE),
    model("g", id=7, endpoint=HIVE, tag="anthill/g"),
)


class Bench:
    """As much of one as a rest needs."""

    def __init__(self, **known: Any) -> None:
        self.latest = snapshot(*MODELS, **known)
        self.catalogue = self
        self.recorder = self
        self.recency = Recency()
        self.rows: list[Any] = []

    def clock(self) -> datetime:
        return AT

    def put(self, record: Any) -> None:
        self.rows.append(record)

    def rest(self, fault: UpstreamFault, alias: str = "a") -> dict[str, float]:
        """Seconds by alias."""
        note_rest(self, self.latest.models[alias], fault)  # type: ignore[arg-type]
        return {one: until - AT.timestamp() for one, until in self.recency.resting({}).items()}


def limited(wait: float | None = None, **facts: Any) -> Rejected:
    return Rejected("x", upstream_status=429, wait=wait, **facts)


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (limited(), 1_800.0),
        (limited(7.5), 7.5),
        (limited(0.0), 0.0),
        (limited(7_200.0), 7_200.0),
        (Rejected("x", upstream_status=403, provider_code="rate_limit_exceeded", wait=3.0), 3.0),
        (limited(code=NEVER_FITS), None),
        (Rejected("x", upstream_status=503, wait=30.0), None),
        (Rejected("x", upstream_status=413, provider_code="rate_limit_exceeded"), None),
        (NotSent("paced", upstream_status=429, wait=9.0), None),
        (Broken("cut"), None),
    ],
)
def test_a_rate_limit_rests_its_model_as_long_as_it_says(fault: UpstreamFault, seconds: float | None) -> None:
    bench = Bench()
    assert bench.rest(fault) == ({} if seconds is None else {"a": seconds})
    stated = fault.wait is not None
    assert [(row.language_model_id, row.stated) for row in bench.rows] == ([] if seconds is None else [(1, stated)])


def test_why_it_rests_is_kept_without_whose_account_it_was() -> None:
    bench = Bench()
    bench.rest(Rejected("429: org-Abc123456 has no more requests", upstream_status=429))
    assert bench.rows[0].why == "429: org-*** has no more requests"


def test_a_wait_over_a_minute_bars_the_model() -> None:
    bench = Bench()
    bench.rest(limited(60.0))
    assert bench.recency.barred({}) == {}
    bench.rest(limited(61.0))
    assert bench.recency.barred({}) == {"a": AT.timestamp() + 61.0}


@pytest.mark.parametrize(
    "fault", [limited(provider_code="insufficient_quota"), Rejected("Insufficient Balance", upstream_status=402)]
)
def test_an_account_with_nothing_left_rests_every_paid_model_of_its_connection(fault: UpstreamFault) -> None:
    bench = Bench()
    assert bench.rest(fault) == {"a": 1_800.0, "b": 1_800.0}
    assert {row.language_model_id for row in bench.rows} == {1, 2}
    assert bench.recency.barred({}) == {}


def test_who_rests_longer_already_goes_on_resting() -> None:
    later = (AT + timedelta(hours=2)).timestamp()
    bench = Bench(cooling={"b": later})
    bench.rest(limited(provider_code="insufficient_quota"))
    assert {row.language_model_id for row in bench.rows} == {1}


@pytest.mark.parametrize(("alias", "purse"), [("a", "ab"), ("c", "cab"), ("f", "f"), ("g", "g")])
def test_a_purse_is_an_endpoints_connection_and_an_unknown_one_is_nobody_elses(alias: str, purse: str) -> None:
    models: dict[str, ModelView] = snapshot(*MODELS).models
    assert "".join(one.alias for one in same_purse(models[alias], models.values())) == purse
