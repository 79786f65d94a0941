"""More types of question for a decision model: tried by a call, kept when answered; fewer at once."""

from __future__ import annotations

import pytest

from collections_app.models import DecisionModel, Endpoint
from collections_app.refusal import NotThere, Refused
from probes.models import Job
from probes.onboarding.question_types import do_set_question_types
from probes.tests.jobs.given import NOW
from probes.tests.onboarding.scripted import Scripted
from probes.tests.onboarding.taken import lines, worked
from probes.tests.onboarding.test_decision import give_address, only


@pytest.fixture
def umpire(provider: Scripted) -> DecisionModel:
    """It is asked yes-or-no questions, and answers scores too."""
    give_address(provider)
    provider.decides = only("noul", "score")
    home = Endpoint.objects.get(name="den")
    return DecisionModel.objects.create(alias="umpire", served="court/u", via=home, question_types=["noul"])


def types() -> list[str]:
    return list(DecisionModel.objects.get(alias="umpire").question_types)


def wants(*kinds: str) -> Job | None:
    return do_set_question_types(actor=None, alias="umpire", kinds=kinds, now=NOW)


@pytest.mark.usefixtures("umpire")
def test_what_it_answers_is_added_and_what_it_does_not_is_told() -> None:
    asked = wants("noul", "choice", "score")
    assert asked is not None
    assert types() == ["noul"]
    job = worked(asked)
    assert (job.state, job.note) == ("done", "umpire answers score")
    assert types() == ["noul", "score"]
    assert any(line.startswith("choice: ") and "no questions of the type choice" in line for line in lines(job))


@pytest.mark.usefixtures("umpire")
def test_when_it_answers_none_nothing_changes() -> None:
    asked = wants("noul", "choice")
    assert asked is not None
    assert worked(asked).state == "no answer"
    assert types() == ["noul"]


@pytest.mark.usefixtures("provider")
def test_a_type_goes_without_a_call(umpire: DecisionModel) -> None:
    DecisionModel.objects.filter(pk=umpire.pk).update(question_types=["noul", "score"])
    assert wants("score") is None
    assert types() == ["score"]


@pytest.mark.parametrize(("kinds", "words"), [
    (("noul", "essay"), "“essay” is no question type"),
    ((), "at least one type"),
    (("score",), "at least one type"),
])  # fmt: skip
@pytest.mark.usefixtures("umpire")
def test_what_cannot_be_is_refused(kinds: tuple[str, ...], words: str) -> None:
    with pytest.raises(Refused, match=words):
        wants(*kinds)
    assert types() == ["noul"]


@pytest.mark.usefixtures("umpire")
def test_one_that_is_gone_is_skipped_or_not_found() -> None:
    asked = wants("noul", "score")
    assert asked is not None
    DecisionModel.objects.all().delete()
    assert worked(asked).state == "skipped"
    with pytest.raises(NotThere):
        wants("noul")
