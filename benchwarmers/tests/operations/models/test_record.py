"""The list of models tells what each has done, lists decision models beside the others, and comes as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.operations.models.given import LIST, change, fact, model, probed, shown, text
from collections_app.models import Collection, DecisionModel, Endpoint, Seating, Standing
from gateway.canon.fault import FailureClass
from probes.models import OnboardingIssue

As = Callable[[str], Client]


@pytest.fixture
def maya(as_person: As) -> Client:
    return as_person("maya")


def decides(alias: str = "umpire", endpoint: str = "harbour") -> None:
    home = Endpoint.objects.get(name=endpoint)
    DecisionModel.objects.create(alias=alias, served=f"court/{alias}", via=home, question_types=["noul", "score"])


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    answer = client.get(f"{LIST}?format=csv{query}")
    assert answer["Content-Type"].startswith("text/csv")
    assert 'filename="models-' in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.mark.parametrize(("query", "listed"), [
    ("?q=umpire", True),
    ("?q=court/", True),
    ("?role=decision", True),
    ("?endpoint=harbour&q=umpire", True),
    ("?price=unknown&q=umpire", True),
    ("?role=code", False),
    ("?status=healthy", False),
    ("?collection=core", False),
    ("?endpoint=squad", False),
    ("?price=free", False),
    ("?retired=only", False),
])  # fmt: skip
def test_decision_models_are_listed_where_what_is_asked_for_can_be_said_of_them(
    maya: Client, query: str, listed: bool
) -> None:
    decides()
    assert ("umpire" in shown(maya, LIST + query)) == listed


@pytest.mark.parametrize("view", ["", "&view=health"])
@pytest.mark.parametrize("sort", ["-offloads", "status", "answered", "context", "-suite", "reply", "price"])
def test_a_decision_model_has_its_types_of_question_and_dashes_and_what_is_not_known_last(
    maya: Client, view: str, sort: str
) -> None:
    decides("zzz")
    assert shown(maya, f"{LIST}?sort={sort}{view}")[-1] == "zzz"
    told = text(maya.get(f"{LIST}?q=zzz{view}"))
    assert "noul score" in told


@pytest.mark.parametrize(("judged", "useful", "told", "low"), [
    (0, 0.0, "", False),
    (4, 3.0, "3 / of 4", False),
    (4, 2.0, "2 / of 4", False),
    (4, 1.5, "below half: 1.5 / of 4", True),
])  # fmt: skip
def test_how_often_it_helped_is_told_and_marked_below_half(
    maya: Client, judged: int, useful: float, told: str, low: bool
) -> None:
    Standing.objects.create(language_model=model("wren"), offloads=12, judged=judged, useful=useful)
    answer = maya.get(f"{LIST}?q=wren")
    assert told in text(answer)
    assert ("▼" in answer.content.decode().split("roster-read")[0]) == low


def test_a_model_is_new_for_seven_days(maya: Client) -> None:
    change("wren", created_at=timezone.now() - timedelta(days=8))
    assert "new" not in text(maya.get(f"{LIST}?q=wren")).split("How to read")[0].split()
    change("wren", created_at=timezone.now() - timedelta(days=6))
    assert "new" in text(maya.get(f"{LIST}?q=wren")).split("How to read")[0].split()


@pytest.mark.parametrize(("status", "stopped"), [("untested", True), ("healthy", False)])
def test_one_that_did_not_answer_when_it_was_taken_on_is_marked_until_it_does(
    maya: Client, status: str, stopped: bool
) -> None:
    change("wren", status=status)
    said = {"at": timezone.now(), "step": "probed", "failure": FailureClass.CAPACITY}
    OnboardingIssue.objects.create(language_model=model("wren"), **said)
    assert ("onboarding stopped" in text(maya.get(f"{LIST}?q=wren"))) == stopped


def test_the_file_has_every_model_that_fits_with_the_columns_of_both_views(maya: Client) -> None:
    decides()
    fact("wren", "context_window", 128_000)
    fact("wren", "tools", value=True)
    fact("wren", "prices", {"input": 0.25, "output": 1.5})
    probed("wren", seconds=2.5)
    Standing.objects.create(language_model=model("wren"), offloads=12, judged=4, useful=1.5)
    found = {row["model"]: row for row in rows(maya)}
    wren, umpire = found["wren"], found["umpire"]
    told = ("context_window", "can", "price", "price_kind", "offloads", "judged", "useful", "reply_p50_s")
    assert [wren[name] for name in told] == ["128000", "tools", "$0.25 / $1.5", "paid", "12", "4", "1.5", "2.5"]
    assert (umpire["kind"], umpire["can"], umpire["offloads"]) == ("decision", "noul score", "")
    assert [row["model"] for row in rows(maya, "&q=wren")] == ["wren"]


def test_no_cell_of_the_file_is_a_formula(maya: Client) -> None:
    change("wren", status="failing", status_why="=HYPERLINK(1)")
    assert rows(maya, "&q=wren")[0]["why"] == "'=HYPERLINK(1)"


def test_what_is_ticked_goes_into_a_collection_behind_its_members(maya: Client) -> None:
    core = Collection.objects.create(name="trio", description="kept", tags=["daily"])
    Seating.objects.create(collection=core, language_model=model("wren"), place=1)
    sent = {"verb": "collect", "into": "trio", "alias": ["osprey", "wren", "granite-l"]}
    assert "Into bench/trio: osprey, granite-l." in text(maya.post(f"{LIST}-/act", sent, follow=True))
    core.refresh_from_db()
    assert list(core.seatings.values_list("language_model__alias", flat=True)) == ["wren", "osprey", "granite-l"]
    assert (core.description, core.tags) == ("kept", ["daily"])


@pytest.mark.parametrize(("sent", "told"), [
    ({"into": "nowhere", "alias": ["wren"]}, "There is no collection “nowhere”."),
    ({"into": "trio", "alias": ["wren"]}, "They are all in bench/trio already."),
    ({"into": "trio"}, "Tick the models"),
    ({"into": "trio", "alias": ["quill-2"]}, "quill-2"),
])  # fmt: skip
def test_a_collection_that_cannot_take_them_stays_as_it_is(maya: Client, sent: dict[str, object], told: str) -> None:
    change("quill-2", retired_at=timezone.now())
    core = Collection.objects.create(name="trio")
    Seating.objects.create(collection=core, language_model=model("wren"), place=1)
    assert told in text(maya.post(f"{LIST}-/act", {"verb": "collect", **sent}, follow=True))
    assert core.seatings.count() == 1


def test_a_price_says_what_kind_it_is_also_where_the_connection_costs_money_anyway(maya: Client) -> None:
    from probes.models import ConnectionFact

    fact("wren", "prices", {"input": 0, "output": 0})
    assert rows(maya, "&q=wren")[0]["price_kind"] == "free"
    ConnectionFact.objects.create(connection="harbour", paid=True)
    assert rows(maya, "&q=wren")[0]["price_kind"] == "paid"
