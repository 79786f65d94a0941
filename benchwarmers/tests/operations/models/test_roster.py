"""The list of models: what it shows, how it is narrowed and sorted, and what is done to many at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchwarmers.operations.models.roster import PAGE
from benchwarmers.tests.operations.models.given import LIST, change, fact, model, probed, shown, text
from collections_app.models import Change, Collection, Endpoint, LanguageModel, Seating, Standing, Team
from gateway.models import Call
from probes.models import Job

As = Callable[[str], Client]
LIVE = ["granite-l", "heron-70b", "osprey", "tern-mini", "warmup-one", "warmup-two", "wren"]
"""Those on the bench, where quill-2 is retired."""


@pytest.fixture
def maya(as_person: As) -> Client:
    return as_person("maya")


def seat(alias: str, collection: str) -> None:
    row, _ = Collection.objects.get_or_create(name=collection)
    Seating.objects.create(collection=row, language_model=model(alias), place=row.seatings.count() + 1)


@pytest.mark.parametrize(("query", "found"), [
    ("", LIVE),
    ("?q=GRANITE", ["granite-l"]),
    ("?q=lab/w", ["wren"]),
    ("?endpoint=squad", ["warmup-one", "warmup-two"]),
    ("?connection=attic", ["tern-mini"]),
    ("?connection=harbour&q=n", ["granite-l", "heron-70b", "wren"]),
    ("?role=code", ["osprey"]),
    ("?status=slow", ["heron-70b"]),
    ("?status=retiring", ["osprey"]),
    ("?status=retired", ["quill-2"]),
    ("?collection=core", ["granite-l", "wren"]),
    ("?retired=only", ["quill-2"]),
    ("?retired=with&q=-2", ["quill-2"]),
    ("?price=free&retired=with", ["granite-l", "quill-2"]),
    ("?price=paid", ["wren"]),
    ("?price=unknown&q=lab/", ["heron-70b", "osprey", "tern-mini"]),
    ("?role=nonsense&status=nonsense&retired=nonsense&page=x&sort=nonsense", LIVE),
])  # fmt: skip
def test_the_list_is_narrowed_by_the_server(maya: Client, query: str, found: list[str]) -> None:
    change("tern-mini", tag="attic/lab")
    change("osprey", role="code", status="slow", retire_in=2)
    change("heron-70b", status="slow")
    change("quill-2", retired_at=timezone.now())
    fact("granite-l", "prices", {"input": 0, "output": 0})
    fact("wren", "prices", {"input": 0.25, "output": 1.5})
    fact("quill-2", "limits", {"rpd": 50}, evidence="freellmapi: lab")
    seat("wren", "core")
    Collection.objects.filter(name="core").update(merger=model("granite-l"))
    assert shown(maya, LIST + query) == found


@pytest.mark.parametrize(("sort", "first"), [
    ("alias", ["granite-l", "heron-70b"]),
    ("-alias", ["wren", "warmup-two"]),
    ("-context", ["wren", "osprey"]),
    ("context", ["osprey", "wren"]),
    ("price", ["osprey", "wren"]),
    ("-answered", ["tern-mini", "wren"]),
    ("status", ["quill-2", "granite-l"]),
    ("endpoint", ["granite-l", "heron-70b"]),
    ("role", ["heron-70b", "granite-l"]),
    ("", ["osprey", "wren"]),
    ("offloads", ["granite-l", "heron-70b"]),
    ("-helped", ["wren", "osprey"]),
    ("helped", ["osprey", "wren"]),
    ("reply", ["tern-mini", "wren"]),
    ("suite", ["granite-l", "heron-70b"]),
])  # fmt: skip
def test_the_list_is_sorted_with_what_is_not_known_last(maya: Client, sort: str, first: list[str]) -> None:
    fact("wren", "context_window", 200_000)
    fact("osprey", "context_window", 8_000)
    fact("wren", "prices", {"input": 1, "output": 2})
    fact("osprey", "prices", {"input": 0, "output": 0})
    probed("wren", days=2, seconds=3)
    probed("tern-mini", days=1, seconds=2)
    called("tern-mini")
    stands("wren", offloads=4, judged=2, useful=2)
    stands("osprey", offloads=9, judged=9, useful=3)
    change("quill-2", retire_in=1)
    change("heron-70b", role="code")
    assert shown(maya, f"{LIST}?sort={sort}")[:2] == first


def stands(alias: str, **sums: float) -> None:
    Standing.objects.create(language_model=model(alias), **sums)


def called(alias: str) -> None:
    Call.objects.create(
        at=timezone.now() - timedelta(minutes=5),
        language_model=model(alias),
        alias=alias,
        endpoint_name="harbour",
        connection="harbour",
        status="ok",
    )


def test_a_line_tells_status_context_price_seats_and_fourteen_days(maya: Client) -> None:
    fact("wren", "context_window", 128_000, "operator")
    fact("wren", "prices", {"input": 0.25, "output": 1.5})
    change("wren", status="throttled", status_why="too many of you")
    probed("wren", days=1)
    probed("wren", failure="capacity")
    seat("wren", "core")
    record = maya.get(f"{LIST}?q=wren").content.decode()
    assert '<span class="chip chip-warn" title="too many of you">throttled</span>' in record
    assert '<span title="128,000 tokens">128k</span><span title="Stated by an operator">*</span>' in record
    page = maya.get(f"{LIST}?q=wren&view=health").content.decode()
    assert "$0.25 / $1.5" in page
    assert "half of 1 answers within 1.0 s, 95 of 100 within 1.0 s" in page
    assert "core" in page
    assert "answered on 1 of 2 days asked" in page
    assert page.count('<g class="strip-') == 14


def test_collections_of_other_teams_are_not_told(as_person: As) -> None:
    seat("wren", "lair-9")
    Collection.objects.filter(name="lair-9").update(team=Team.objects.create(name="red"))
    assert "lair-9" not in text(as_person("ben").get(f"{LIST}?q=wren&view=health"))
    assert "lair-9" in text(as_person("maya").get(f"{LIST}?q=wren&view=health"))


def test_a_script_gets_the_rows_alone_and_listens_for_models(maya: Client) -> None:
    whole, part = maya.get(LIST).content.decode(), maya.get(LIST, headers={"HX-Request": "true"}).content.decode()
    assert 'data-live="models"' in part
    assert "<html" not in part
    assert part.strip().splitlines()[0] in whole


def test_without_models_it_says_where_they_come_from(maya: Client) -> None:
    LanguageModel.objects.all().delete()
    assert "No models yet" in text(maya.get(LIST))


def test_what_fits_nothing_leads_back(maya: Client) -> None:
    assert "Nothing fits" in text(maya.get(f"{LIST}?q=no-such-model"))


def test_a_page_beyond_the_last_is_the_last(maya: Client) -> None:
    many(PAGE + 5)
    assert len(shown(maya, f"{LIST}?page=1")) == PAGE
    assert len(shown(maya, f"{LIST}?page=99")) == 5 + len(LIVE) + 1


def many(number: int) -> None:
    home = Endpoint.objects.get(name="harbour")
    rows = [LanguageModel(alias=f"m{at:03d}", served=f"lab/m{at}", endpoint=home) for at in range(number)]
    LanguageModel.objects.bulk_create(rows)


def test_many_models_cost_as_many_queries_as_few(maya: Client) -> None:
    counts = []
    for number in (0, 492):
        many(number)
        maya.get(LIST)
        with CaptureQueriesContext(connection) as seen:
            assert maya.get(LIST).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 30


@pytest.mark.parametrize(("verb", "field", "value"), [("retire", "retired_by", "maya"), ("role", "role", "light")])
def test_what_is_ticked_is_changed_at_once(maya: Client, verb: str, field: str, value: str) -> None:
    sent = {"verb": verb, "alias": ["wren", "osprey"], "role": "light", "why": "spring cleaning"}
    answer = maya.post(f"{LIST}-/act?q=x", sent)
    assert answer["Location"] == f"{LIST}?q=x"
    assert [getattr(model(alias), field) for alias in ("wren", "osprey")] == [value, value]
    assert Change.objects.filter(actor_name="maya", thing="model").count() == 2


def test_restoring_and_asking_many_works_too(maya: Client) -> None:
    change("wren", retired_at=timezone.now())
    maya.post(f"{LIST}-/act", {"verb": "restore", "alias": "wren"})
    assert not model("wren").retired
    maya.post(f"{LIST}-/act", {"verb": "retry", "alias": ["wren", "osprey"]})
    assert Job.objects.filter(kind="retry").count() == 2


def test_each_refusal_is_told_and_the_others_are_done(maya: Client) -> None:
    told = text(maya.post(f"{LIST}-/act", {"verb": "restore", "alias": ["wren", "ghost"]}, follow=True))
    assert "wren: wren is not retired." in told
    assert "ghost: There is no model “ghost”." in told
    assert "Tick the models" in text(maya.post(f"{LIST}-/act", {"verb": "retire"}, follow=True))
    assert "Choose what is to be done" in text(maya.post(f"{LIST}-/act", {"verb": "explode"}, follow=True))


@pytest.mark.parametrize(("name", "looks", "acts"), [("ben", 200, 403), ("zoe", 200, 403), ("maya", 200, 302)])
def test_the_team_looks_and_curators_act(as_person: As, name: str, looks: int, acts: int) -> None:
    client = as_person(name)
    page = client.get(LIST)
    assert page.status_code == looks
    assert (b'name="verb"' in page.content) == (acts == 302)
    assert client.post(f"{LIST}-/act", {"verb": "retire", "alias": "wren"}).status_code == acts
    assert model("wren").retired == (acts == 302)
