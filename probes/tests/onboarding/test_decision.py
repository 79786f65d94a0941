"""Models that answer typed questions: known by their listing or by what they say to a chat, asked, and registered."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import DecisionModel, Endpoint, LanguageModel
from gateway.models import Call
from probes.side import side
from probes.tests.onboarding.scripted import Scripted, Told
from probes.tests.onboarding.taken import lines, taken

ONLY_DECIDES = {"id": "decider-1", "supported_endpoints": ["/v1/decisions"]}


def give_address(provider: Scripted, path: str = "decisions") -> None:
    Endpoint.objects.filter(name="den").update(decisions_url=f"{provider.base}/{path}")


def only(*kinds: str, path: str = "decisions") -> Any:
    """Answers questions of these types at this path."""
    answers = {
        "noul": {"noul": 0.9},
        "choice": {"choice": "tea", "confidence": 0.8},
        "score": {"score": 2.0, "confidence": 0.7},
    }

    def decide(where: str, body: dict[str, Any]) -> Told:
        kind = body["questions"]["q"]["type"]
        if not where.endswith(path):
            return 404, {"error": {"message": "nothing here"}}
        if kind not in kinds:
            return 400, {"error": {"message": f"no questions of the type {kind}"}}
        return 200, {"model": "decider-1", "answers": {"q": answers[kind]}}

    return decide


def test_one_that_its_listing_tells_of_is_registered_with_the_types_it_answers(provider: Scripted) -> None:
    give_address(provider)
    provider.models = {"decider-1": ONLY_DECIDES}
    provider.decides = only("noul", "score")
    job = taken("decider-1", mode="quick-adhoc")
    assert (job.state, job.step) == ("done", 1)
    assert job.note == "a decision model, decider-1: it answers noul, score"
    row = DecisionModel.objects.get()
    assert (row.served, row.via.name, row.path, row.question_types) == (
        "decider-1",
        "den",
        "decisions",
        ["noul", "score"],
    )
    assert row.ad_hoc
    assert not LanguageModel.objects.exists()
    assert provider.questions_to("decider-1") == {"decisions": 3}


def test_one_that_says_so_to_a_chat_is_found_out_and_its_calls_are_in_the_ledger(provider: Scripted) -> None:
    give_address(provider, "{path}")
    provider.models = {"decider-2": {"id": "decider-2"}}
    provider.decides = only("noul", "choice", "score", path="systemone")
    assert taken("decider-2").state == "done"
    row = DecisionModel.objects.get()
    assert (row.path, row.question_types) == ("systemone", ["noul", "choice", "score"])
    assert provider.questions_to("decider-2") == {"hi": 1, "decisions": 1, "systemone": 3}
    side().close()  # writes what is left
    assert Call.objects.filter(alias="decider-2", purpose="onboarding").count() == 5
    assert not Call.objects.exclude(language_model=None).exists()


def test_a_chat_model_beside_decisions_is_taken_on_as_one(provider: Scripted) -> None:
    give_address(provider)
    provider.models = {"chats-1": {"id": "chats-1"}}
    assert taken("chats-1").state == "done"
    assert LanguageModel.objects.get().alias == "chats-1"
    assert provider.questions_to("chats-1")["hi"] == 1


@pytest.mark.parametrize(
    ("status", "message", "hint"),
    [
        (404, "nothing here", "check the endpoint's decisions_url"),
        (402, "no credit", "nothing left to pay with"),
        (400, "passthrough is disabled", "switch its pass-through on"),
        (400, "what is this", "Nothing was registered."),
    ],
)
def test_one_that_answers_nothing_is_not_registered_and_a_hint_says_what_to_do(
    provider: Scripted, status: int, message: str, hint: str
) -> None:
    give_address(provider)
    provider.models = {"decider-1": ONLY_DECIDES}
    provider.decides = lambda where, body: (status, {"error": {"message": message}})
    job = taken("decider-1")
    assert job.state == "failed"
    assert hint in lines(job)[-1]
    assert not DecisionModel.objects.exists()


def test_without_an_address_for_decisions_the_endpoint_is_what_to_mend(provider: Scripted) -> None:
    provider.models = {"decider-1": ONLY_DECIDES}
    job = taken("decider-1")
    assert job.state == "failed"
    assert "den has no decisions_url" in job.note
    assert not provider.asked
