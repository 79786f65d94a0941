"""The page of a decision model: what it answers, its history, and how its types of question are set."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from benchwarmers.tests.operations.models.given import text
from collections_app.actions.decision import do_save_decision_model
from collections_app.models import DecisionModel, Endpoint
from probes.models import Job

As = Callable[[str], Client]
PAGE = "/roster/umpire/"


@pytest.fixture(autouse=True)
def umpire(world: None) -> None:
    Endpoint.objects.filter(name="harbour").update(decisions_url="https://harbour.example/decisions")
    do_save_decision_model(
        actor=None, alias="umpire", served="court/u", via="harbour", question_types=["noul", "score"]
    )


def types() -> list[str]:
    return list(DecisionModel.objects.get(alias="umpire").question_types)


def test_it_tells_what_the_model_answers_and_who_changed_it(as_person: As) -> None:
    told = text(as_person("maya").get(PAGE))
    for words in ("umpire decision model", "court/u", "harbour", "noul yes or no", "History", "added"):
        assert words in told


def test_whoever_only_looks_sees_the_types_and_no_form(as_person: As) -> None:
    client = as_person("ben")
    page = client.get(PAGE)
    assert "score how much, on a scale" in text(page)
    assert "choice" not in text(page).split("History")[0].split("answers", 1)[1]
    assert b'name="kind"' not in page.content
    assert client.post(f"{PAGE}types", {"kind": ["noul"]}).status_code == 404
    assert types() == ["noul", "score"]


def test_a_type_is_dropped_at_once_and_a_new_one_is_tried_first(as_person: As) -> None:
    maya = as_person("maya")
    assert "Saved." in text(maya.post(f"{PAGE}types", {"kind": ["noul"]}, follow=True))
    assert types() == ["noul"]
    told = text(maya.post(f"{PAGE}types", {"kind": ["noul", "choice"]}, follow=True))
    assert "It is being asked" in told
    assert "Being asked" in told
    assert types() == ["noul"]
    job = Job.objects.get(kind="question-types")
    assert (job.key, job.payload["kinds"], job.by) == ("umpire", ["choice"], "maya")


def test_a_refusal_is_told(as_person: As) -> None:
    maya = as_person("maya")
    assert "Keep at least one type" in text(maya.post(f"{PAGE}types", {}, follow=True))
    assert maya.post(f"{PAGE}retire", {}).status_code == 404


def test_a_script_that_hears_of_news_gets_the_types_alone(as_person: As) -> None:
    part = as_person("maya").get(PAGE, headers={"hx-request": "true"}).content.decode()
    assert part.startswith('<section class="sheet model-part" id="decision-types"')
