"""A judge is tried, then asked, and its verdicts are corrected by what it was found to get wrong."""

from __future__ import annotations

from datetime import datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from collections_app.models import LanguageModel
from probes.jobs.store import LEASE
from probes.jobs.work import LeaseLost
from probes.models import Job
from probes.tests.jobs.given import NOW
from probes.tests.sweeps.provider import fails, provider, says
from probes.tests.sweeps.sweeping import registered
from suite.judging import store
from suite.judging.measure import Rates
from suite.judging.rows import free_claims, judged, known_claims, rates_of
from suite.models import Judgement, JudgeTrial
from suite.tests.judging.asked.given import again, answered, erring, judging


def run(*words: str) -> list[str]:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue().splitlines()


def test_the_corrected_share_of_a_judge_of_known_error_is_the_truth_and_within_its_interval() -> None:
    with provider(erring) as one:
        judge, other = registered(one.base, models=2)
        answered(other, 10)
        trying = judging(judge, "calibrate")
        asking = judging(judge, "judge")
    assert rates_of(judge) == Rates(sensed=27, trues=30, refused=24, falses=30)
    assert trying.note == "33 called true, 27 called false; its error is known from 60 trials"
    assert asking.note == "34 called false, 26 called true"
    (found,) = judged(judge)
    assert (found.model, found.answers, found.claims) == ("c1-m2", 10, 60)
    assert found.apparent == pytest.approx(26 / 60)
    assert found.corrected == pytest.approx(1 / 3)  # which is the truth
    assert found.low <= found.corrected <= found.high
    assert len(one.asked) == 120
    assert run("judge_answers", "c1-m1", "--table") == [
        f"c1-m2  60 claims in 10 answers  called true 43%  corrected 33% ({found.low:.0%} to {found.high:.0%})"
    ]
    with pytest.raises(CommandError, match="not asked about yet"):
        run("judge_answers", "c1-m1")


def test_a_judge_that_was_hardly_tried_is_refused() -> None:
    with provider(erring) as one:
        judge, other = registered(one.base, models=2)
        answered(other, 4)
        judging(judge, "calibrate")
        asking = judging(judge, "judge")
    assert (asking.state, asking.note) == (
        "skipped",
        "c1-m1 judges nothing: its error is known from 24 trials and 30 are needed",
    )
    assert Judgement.objects.count() == 0
    with pytest.raises(CommandError, match="24 trials and 30 are needed"):
        run("judge_answers", "c1-m1")
    assert run("calibrate_judge", "c1-m1", "--table")[-1].startswith("may not judge: its error is known from 24")


def test_a_judge_that_says_the_same_of_everything_is_refused() -> None:
    with provider(lambda *asked: says("TRUE\nAll of it is so.")) as one:
        judge, other = registered(one.base, models=2)
        answered(other, 6)
        judging(judge, "calibrate")
    assert rates_of(judge) == Rates(sensed=18, trues=18, refused=0, falses=18)
    assert "chance" in rates_of(judge).why_not
    assert judged(judge) == []


def test_whoever_takes_the_job_up_asks_only_what_has_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = store.keep_said
    kept: list[int] = []

    def die_at_the_fifth(row: JudgeTrial | Judgement, said: bool | None, at: datetime) -> None:
        if len(kept) == 4:
            raise LeaseLost("the process died")
        kept.append(row.pk)
        keep(row, said, at)

    with provider(erring) as one:
        judge, other = registered(one.base, models=2)
        answered(other, 2)
        monkeypatch.setattr(store, "keep_said", die_at_the_fifth)
        job = judging(judge, "calibrate")
        assert (job.state, rates_of(judge).trials, JudgeTrial.objects.count()) == ("running", 4, 12)
        monkeypatch.undo()
        done = set(JudgeTrial.objects.filter(at__isnull=False).values_list("claim", flat=True))
        before = len(one.asked)
        assert again(job, NOW + 2 * LEASE).note.endswith("its error is known from 12 trials and 30 are needed")
    assert not any(f"\n{claim}\n" in question for claim in done for _, question in one.asked[before:])


def test_nobody_judges_answers_of_their_own_family() -> None:
    judge, other = registered("http://127.0.0.1:9/v1", models=2)
    LanguageModel.objects.filter(pk=other.pk).update(served="elsewhere/M1:free")
    answered(other, 10)
    assert known_claims(judge, 100) == []
    assert free_claims(judge, 100) == []
    with pytest.raises(CommandError, match="No answer of another family"):
        run("calibrate_judge", "c1-m1")
    assert Job.objects.count() == 0


def test_true_and_false_claims_take_turns_and_no_answer_gives_more_than_a_few() -> None:
    judge, other = registered("http://127.0.0.1:9/v1", models=2)
    answered(other, 5)
    assert [truth for _, _, truth in known_claims(judge, 6)] == [False, True] * 3
    assert len(known_claims(judge, 100)) == 30
    assert len(free_claims(judge, 100)) == 30
    assert free_claims(judge, 100, ["c1-m1"]) == []


def test_what_was_answered_is_not_asked_again_and_what_was_not_can_be() -> None:
    broken = [True]

    def answer(served: str, question: str, body: dict[str, object]) -> tuple[int, dict[str, object]]:
        if broken[0] and "in place 3\n" in question:
            return fails(400, "no such thing", "bad")
        return says("I would rather not say.") if "in place 4\n" in question else erring(served, question, body)

    with provider(answer) as one:
        judge, other = registered(one.base, models=2)
        answered(other, 2)
        job = judging(judge, "calibrate")
        first = len(one.asked)
        counts, _, known = job.note.partition("; ")
        assert set(counts.split(", ")) == {"5 called true", "3 called false", "2 no answer", "2 without a verdict"}
        assert known == "its error is known from 8 trials and 30 are needed"
        assert (rates_of(judge).trials, rates_of(judge).silent) == (8, 2)
        broken[0] = False
        judging(judge, "calibrate")
    assert len(one.asked) == first + 2
    assert (rates_of(judge).trials, JudgeTrial.objects.count()) == (10, 12)


@pytest.mark.parametrize("command", ["calibrate_judge", "judge_answers"])
def test_who_is_not_there_or_does_not_chat_is_no_judge(command: str) -> None:
    (drawing,) = registered("http://127.0.0.1:9/v1", models=1, role="image")
    for alias, why in ((drawing.alias, "does not chat"), ("nobody", "has the alias nobody")):
        with pytest.raises(CommandError, match=why):
            run(command, alias)


def test_the_command_begins_one_job_at_a_time() -> None:
    judge, other = registered("http://127.0.0.1:9/v1", models=2)
    answered(other, 10)
    assert run("calibrate_judge", judge.alias, "--most", "20")[-1].endswith("begins: 20 claims")
    assert list(Job.objects.values_list("kind", "key", "payload__most")) == [("suite-judge", "c1-m1", 20)]
    with pytest.raises(CommandError, match="at work as a judge already"):
        run("calibrate_judge", judge.alias)
