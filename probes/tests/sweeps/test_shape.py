"""How sweeps go about it: side by side over connections, in turn within one, within limits, and on from where one
stood."""

from __future__ import annotations

import asyncio
from collections import Counter
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import JobState
from probes.health import fan_out
from probes.health.fan_out import Manner
from probes.health.sweeps import Sweep, run_sweep
from probes.jobs.kinds import KINDS
from probes.models import Job, ProbeSample
from probes.questions import TINY
from probes.tests.jobs.given import known
from probes.tests.sweeps.provider import provider, says
from probes.tests.sweeps.sweeping import NOW, again, limit, lines, registered, swept


def word(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return says("harbour")


def test_connections_are_asked_side_by_side_and_each_one_call_at_a_time() -> None:
    with provider(word, delay_s=0.01, together=20) as one:
        registered(one.base, connections=20, models=10)
        job = swept("availability")
    assert (job.state, job.note) == ("done", "200 of 200 models answered")
    assert set(one.most.values()) == {1}
    assert one.overall == 20
    assert ProbeSample.objects.filter(job=job).count() == 200


def test_no_more_connections_are_asked_at_once_than_may_be() -> None:
    few = Sweep("availability", lambda model: [(TINY, 1)], Manner(at_once=3))
    with provider(word, delay_s=0.02) as one, known(few=lambda at_work: run_sweep(at_work, few)):
        registered(one.base, connections=8, models=2)
        swept("few")
    assert one.overall <= 3
    assert len(one.asked) == 16


async def test_a_model_that_is_renamed_while_its_turn_is_waited_for_is_told_and_ends_no_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    models = {alias: SimpleNamespace(connection=alias, retired=False) for alias in ("a", "b")}

    async def current(stamp: object = None) -> None:
        """The catalogue is as new as can be."""

    async def ask(bench: Any, alias: str, *how: Any, **more: Any) -> Any:
        assert alias in models
        await asyncio.sleep(0)
        models["other"] = models.pop("b")
        return SimpleNamespace(alias=alias, answered=True)

    monkeypatch.setattr(fan_out, "ask_one", ask)
    catalogue = SimpleNamespace(current=current, latest=SimpleNamespace(models=models))
    bench: Any = SimpleNamespace(catalogue=catalogue, pulse=SimpleNamespace(read_stamp=current))
    told: list[Any] = []
    errands = tuple(fan_out.Errand(number, alias, TINY) for number, alias in enumerate("ab"))
    await fan_out._ask_all(bench, errands, Manner(at_once=1), told.append)
    assert told[0].alias == "a"
    assert (told[1].errand.alias, told[1].why) == ("b", "it has another name by now, or is gone")


def test_a_limit_of_a_connection_holds_its_calls_back_and_nobody_else_s() -> None:
    with provider(word) as one:
        registered(one.base, connections=2, models=3)
        limit("c1", rpd=2)
        job = swept("availability")
    assert Counter(served.partition("/")[0] for served, _ in one.asked) == {"c1": 2, "c2": 3}
    held = ProbeSample.objects.get(answered=False)
    assert (held.failure, held.account_wide) == ("capacity", True)
    assert job.note == "5 of 6 models answered"


def test_models_of_two_endpoints_behind_one_tag_are_one_connection() -> None:
    with provider(word, delay_s=0.02) as one:
        registered(one.base, models=2)
        hub = Endpoint.objects.create(name="hub", base=one.base, kind="hub")
        for number in range(3):
            LanguageModel.objects.create(alias=f"h{number}", served=f"c1/h{number}", endpoint=hub, tag="c1/lab")
        swept("availability")
    assert len(one.asked) == 5
    assert one.most == {"c1": 1}


def test_a_sweep_that_is_taken_up_again_asks_only_what_it_has_not_asked() -> None:
    with provider(word) as one:
        registered(one.base, connections=2, models=3)
        job = swept("speed")
        assert len(one.asked) == 36
        lost = ProbeSample.objects.filter(job=job, prompt="large").order_by("pk")[:4]
        missing = Counter((sample.language_model.served, sample.prompt) for sample in lost)
        ProbeSample.objects.filter(pk__in=[sample.pk for sample in lost]).delete()
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
        one.asked.clear()
        job = again(job)
    assert Counter(one.asked) == missing
    assert (job.done, job.total, job.state) == (36, 36, "done")


def test_a_sweep_that_is_stopped_keeps_what_came_and_calls_nobody_more() -> None:
    def stops(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if served == "c1/m3":
            side_job.update(stop_asked=True)
        return says("harbour")

    side_job = Job.objects.filter(kind="availability")
    with provider(stops, delay_s=0.1) as one:
        registered(one.base, models=20)
        job = swept("availability")
    assert (job.state, job.note) == ("skipped", "stopped on request")
    assert 3 <= len(one.asked) < 20
    assert ProbeSample.objects.filter(job=job).count() >= 2


def test_a_sweep_is_stopped_at_its_time_limit() -> None:
    none_left = msgspec.structs.replace(KINDS["availability"], limit_s=-1.0)
    with provider(word) as one, patch.dict(KINDS, availability=none_left):
        registered(one.base)
        job = swept("availability")
    assert job.note == "stopped at its time limit"
    assert one.asked == []


def test_a_defect_in_the_keeping_ends_the_calls_too() -> None:
    with provider(word, delay_s=0.05) as one, patch("probes.health.sweeps.keep_sample", side_effect=ValueError("odd")):
        registered(one.base, models=30)
        job = swept("availability")
    assert job.state == "failed"
    assert len(one.asked) < 30


def test_a_model_that_is_retired_while_the_sweep_runs_is_not_asked() -> None:
    def retires(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if served == "c1/m1":
            LanguageModel.objects.filter(alias="c1-m3").update(retired_at=NOW)
        return says("harbour")

    with provider(retires, delay_s=1.2) as one:
        registered(one.base, models=3)
        job = swept("availability")
    assert [served for served, _ in one.asked] == ["c1/m1", "c1/m2"]
    assert lines(job) == ["c1-m3, tiny: it was retired meanwhile"]
    assert (job.done, job.total) == (3, 3)
