"""Who is asked in the daily sweep, and what is kept of it."""

from __future__ import annotations

from typing import Any

from collections_app.models import Endpoint, LanguageModel
from gateway.models import Call
from probes.models import ProbeSample
from probes.side import side
from probes.tests.sweeps.provider import fails, provider, says
from probes.tests.sweeps.sweeping import NOW, lines, registered, swept


def answers(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The first model of a connection is well, the second is gone, the third speaks of errors, the fourth declines."""
    odd = {
        "2": fails(404, "The model `m2` does not exist", "model_not_found"),
        "3": says("harbour (502: not an error)", model="vendor/other-model"),
        "4": says("I can't help with that."),
    }
    return odd.get(served[-1], says("harbour"))


def test_every_model_is_asked_once_and_what_came_is_kept_with_the_job() -> None:
    with provider(answers) as one:
        registered(one.base, models=4)
        job = swept("availability")
    assert one.asked == [(f"c1/m{n}", "tiny") for n in (1, 2, 3, 4)]
    assert (job.state, job.note, job.done, job.total) == ("done", "3 of 4 models answered", 4, 4)
    rows = ProbeSample.objects.filter(job=job, kind="availability", at=NOW).order_by("language_model__alias")
    told = rows.values_list("prompt", "answered", "passed", "failure", "refusal", "upstream_status", "served_as")
    assert list(told) == [
        ("tiny", True, True, "", False, None, ""),
        ("tiny", False, None, "structural", False, 404, ""),
        ("tiny", True, True, "", False, None, "vendor/other-model"),
        ("tiny", True, None, "", True, None, ""),
    ]
    assert lines(job) == [
        "c1-m2, tiny: structural: 404: The model `m2` does not exist",
        "c1-m4, tiny: it declined to answer",
    ]
    assert list(LanguageModel.objects.values_list("status", flat=True)) == ["healthy", "not found"] + ["healthy"] * 2


def test_a_probing_call_stands_in_the_ledger_as_one() -> None:
    with provider(answers) as one:
        registered(one.base, models=2)
        swept("availability")
        side().close()
    rows = Call.objects.order_by("alias").values_list("purpose", "caller", "status", "requests", "attempts", "failure")
    assert list(rows) == [("probe", "probes", "ok", 0, 1, ""), ("probe", "probes", "error", 0, 1, "structural")]


def test_who_is_retired_ad_hoc_scripted_drawing_or_went_paid_is_not_asked() -> None:
    with provider(answers) as one:
        registered(one.base, models=1)
        home = Endpoint.objects.get(name="c1")
        squad = Endpoint.objects.create(name="squad", base=one.base, kind="practice")
        others: dict[str, dict[str, Any]] = {
            "retired": {"retired_at": NOW},
            "adhoc": {"ad_hoc": True},
            "drawing": {"role": "image"},
            "scripted": {"endpoint": squad},
            "paid": {"went_paid_at": NOW},
            "allowed": {"went_paid_at": NOW, "allow_paid": True},
        }
        for alias, facts in others.items():
            LanguageModel.objects.create(**({"alias": alias, "served": f"c1/{alias}1", "endpoint": home} | facts))
        job = swept("availability")
    assert sorted(one.asked) == [("c1/allowed1", "tiny"), ("c1/m1", "tiny")]
    assert lines(job) == ["paid: not asked: it costs money now, and nobody has allowed that"]


def test_a_sweep_may_be_about_some_models_only() -> None:
    with provider(answers) as one:
        made = registered(one.base, models=3)
        job = swept("availability", models=[made[2].pk])
    assert one.asked == [("c1/m3", "tiny")]
    assert job.note == "1 of 1 models answered"


def test_with_nobody_to_ask_the_job_is_skipped() -> None:
    job = swept("availability")
    assert (job.state, job.note) == ("skipped", "there is no model to ask")


def test_an_endpoint_without_its_key_says_so_and_nothing_is_held_against_its_models() -> None:
    with provider(answers) as one:
        registered(one.base, models=1)
        Endpoint.objects.update(key_env="NO_SUCH_VARIABLE")
        swept("availability")
    assert one.asked == []
    sample = ProbeSample.objects.get()
    assert (sample.failure, sample.account_wide, sample.answered) == ("signin", True, False)
    assert "names a key that has no value" in sample.detail
