"""Each endpoint of the list with its models: one filter for models on any, the order, and all of it as a file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.operations.endpoints.blocks import MOST
from benchwarmers.tests.operations.endpoints.conftest import KEY
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key
from collections_app.models import DecisionModel, Endpoint, LanguageModel
from probes.models import Served

As = Callable[[str], Client]
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def make(name: str, models: int) -> Endpoint:
    do_save_endpoint(actor=None, name=name, base=f"https://{name}.example/v1")
    row = Endpoint.objects.get(name=name)
    made = [
        LanguageModel(endpoint=row, served=f"maker/{name}-{one}", alias=f"{name}-{one}", tag="wide")
        for one in range(models)
    ]
    LanguageModel.objects.bulk_create(made)
    Served.objects.bulk_create(
        Served(endpoint=row, served=one.served, first_seen=NOON, last_seen=NOON, first_missing=None if at else NOON)
        for at, one in enumerate(made)
    )
    return row


@pytest.fixture
def three() -> None:
    make("north", 3)
    south = make("south", 5)
    make("west", 0)
    DecisionModel.objects.create(alias="arbiter", served="maker/arbiter", via=south)
    do_set_key(actor=None, name="north", plain=KEY)


def shown(page: str) -> list[str]:
    return re.findall(r'class="row-link" href="/endpoints/([\w-]+)/"', page)


def read(client: Client, query: str = "") -> str:
    return client.get(f"/endpoints/{query}").content.decode()


def test_a_block_tells_how_each_model_stands_and_when_it_was_listed_last(as_person: As, three: None) -> None:
    page = read(as_person("zoe"))
    assert shown(page) == ["north", "south", "west"]
    assert "3 models" in page
    assert "6 models" in page
    assert "no models yet" in page
    assert 'last seen <time datetime="2026-11-20' in page
    assert page.count(">served<") == 2 + 4
    assert "Make default" not in page  # who may only look has no buttons


@pytest.mark.parametrize(
    ("query", "found", "absent"),
    [
        ("?q=NORTH-1", ["north"], "north-2"),
        ("?q=arbiter", ["south"], "south-0"),
        ("?q=wide", ["north", "south"], "arbiter"),
        ("?q=west", ["west"], "north-0"),
        ("?q=nothing", [], "north-0"),
        ("?sort=-name", ["west", "south", "north"], "No endpoint has"),
        ("?sort=models", ["west", "north", "south"], "No endpoint has"),
        ("?sort=-models", ["south", "north", "west"], "No endpoint has"),
        ("?sort=nonsense", ["north", "south", "west"], "No endpoint has"),
    ],
)
def test_the_address_narrows_and_sorts_the_list(
    as_person: As, three: None, query: str, found: list[str], absent: str
) -> None:
    page = read(as_person("maya"), query)
    assert shown(page) == found
    assert absent not in page
    assert ('<details class="fold" id="models-of-' in page and " open>" in page) is (
        query.startswith("?q=") and found not in ([], ["west"])
    )


def test_a_script_gets_the_blocks_alone_and_a_clean_address(as_person: As, three: None) -> None:
    headers = {"HX-Request": "true", "HX-Trigger": "endpoint-filter"}
    answer = as_person("maya").get("/endpoints/?q=north-1&sort=", headers=headers)
    assert "<html" not in answer.content.decode()
    assert answer["HX-Push-Url"] == "/endpoints/?q=north-1"


def test_the_file_has_a_row_a_model_and_no_key(as_person: As, three: None) -> None:
    LanguageModel.objects.filter(alias="north-0").update(alias="=north-0")
    answer = as_person("zoe").get("/endpoints/?format=csv")
    text = answer.content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert answer["Content-Type"].startswith("text/csv")
    assert KEY not in text
    assert [row["endpoint"] for row in rows] == ["north"] * 3 + ["south"] * 6 + ["west"]
    assert "'=north-0" in {row["model"] for row in rows}
    assert (rows[-1]["endpoint"], rows[-1]["model"]) == ("west", "")
    assert len(list(csv.reader(io.StringIO(read(as_person("zoe"), "?q=south-1&format=csv"))))) == 2


def test_twenty_endpoints_of_twenty_five_models_cost_no_query_each(
    as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        make(f"many-{number}", 25)
    client = as_person("maya")
    with django_assert_max_num_queries(25):
        answer = client.get("/endpoints/")
    assert answer.content.count(b"<tr") == 20 * 26
    assert len(answer.content) < 300_000


def test_a_block_leads_on_where_it_cannot_show_all(as_person: As) -> None:
    make("wide", MOST + 2)
    page = read(as_person("zoe"))
    assert page.count("<tr>") == MOST + 1
    assert f"All {MOST + 2} models of wide" in page
    assert "/roster/?retired=with&amp;endpoint=wide" in page


def test_removing_names_every_model_that_goes_along(as_person: As) -> None:
    make("first", 0)
    row = make("wide", 12)
    DecisionModel.objects.create(alias="arbiter", served="maker/arbiter", via=row)
    page = read(as_person("maya"), "wide/")
    assert "13 models go with it:" in page
    told = page.partition("13 models go with it:")[2].partition("</p>")[0]
    assert all(f"wide-{one}" in told for one in range(12))
    assert "arbiter" in told
