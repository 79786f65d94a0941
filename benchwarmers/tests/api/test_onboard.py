"""Candidates and the queue for programs, over an endpoint on loopback that lists three models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchwarmers.api.names import key_of, read_name
from benchwarmers.tests.api.given import Program, journal
from collections_app.models import Endpoint
from probes.jobs.store import note_line
from probes.models import Dismissal, Job
from probes.tests.onboarding.scripted import Scripted, scripted

ROW = {"served", "endpoint", "key", "group", "new", "inputs", "outputs"}
ITEM = {"served", "endpoint", "mode", "state", "alias", "log", "exit", "note"}


@pytest.fixture(autouse=True)
def den(world: None) -> Iterator[Scripted]:
    """The endpoint `den` lists three models; the default is another one, that nobody asks."""
    Endpoint.objects.filter(name="harbour").update(kind="practice", default=True)
    with scripted("maker/chats-1", "maker/chats-2:free", "other/weak") as running:
        Endpoint.objects.create(name="den", base=running.base, kind="local")
        yield running


def listed(maya: Program, query: str = "") -> tuple[list[str], list[str]]:
    told = maya.get(f"/api/candidates{query}")
    return [row["served"] for row in told["candidates"]], [row["served"] for row in told["dismissed"]]


def test_candidates_are_listed_with_their_keys(maya: Program) -> None:
    told = maya.get("/api/candidates")
    assert all(row.keys() >= ROW for row in told["candidates"])
    assert [row["key"] for row in told["candidates"]] == [
        *("maker/chats-1@den", "maker/chats-2:free@den", "other/weak@den"),
    ]
    Endpoint.objects.update(default=False)
    Endpoint.objects.filter(name="den").update(default=True)
    assert maya.get("/api/candidates")["candidates"][0]["key"] == "maker/chats-1"


def test_candidates_are_narrowed_and_a_slip_is_refused(maya: Program) -> None:
    assert listed(maya, "?q=maker&free=1") == (["maker/chats-2:free"], [])
    assert listed(maya, "?endpoint=nowhere") == ([], [])
    for query in ("takes=smell", "new=yes", "find=x"):
        assert query.partition("=")[0] in maya.get(f"/api/candidates?{query}", 400)["errors"][0]


def test_an_endpoint_that_is_away_is_one_line_and_no_endpoint_a_failure(maya: Program, den: Scripted) -> None:
    Endpoint.objects.create(name="gone", base="http://127.0.0.1:9/v1", kind="local")
    assert maya.get("/api/candidates")["errors"][0].startswith("gone: ")
    Endpoint.objects.filter(name="den").delete()
    assert "gone" in " ".join(maya.get("/api/candidates", 400)["errors"])
    Endpoint.objects.filter(name="gone").delete()
    assert "Add one" in maya.get("/api/candidates", 400)["errors"][0]


def test_candidates_are_put_aside_and_brought_back(maya: Program) -> None:
    assert maya.post("/api/dismiss", {"served": ["maker/chats-1@den", "other/weak@den"]})["count"] == 2
    assert listed(maya) == (["maker/chats-2:free"], ["maker/chats-1", "other/weak"])
    assert {who for who, *_ in journal()} == {"maya"}
    assert maya.post("/api/dismiss", {"served": "other/weak", "endpoint": "den", "undo": True})["count"] == 1
    assert list(Dismissal.objects.values_list("served", flat=True)) == ["maker/chats-1"]


@pytest.mark.parametrize("body", [
    {"served": []}, {"served": ""}, {"served": "x", "endpoint": "nowhere"}, {"served": [1]}, {}, {"served": "a\0@den"},
])  # fmt: skip
def test_what_is_no_candidate_is_not_put_aside(maya: Program, body: dict[str, Any]) -> None:
    assert maya.refused("/api/dismiss", body)
    assert not Dismissal.objects.exists()


def test_one_is_taken_on_and_its_output_is_read(maya: Program) -> None:
    log = maya.post("/api/onboard", {"served": "maker/chats-1@den", "mode": "quick", "alias": "talker"})["log"]
    job = Job.objects.get(pk=log)
    assert (job.payload["alias"], job.payload["mode"], job.by) == ("talker", "quick", "maya")
    note_line(job, "served: it is listed", timezone.now())
    told = maya.get(f"/api/onboard?log={log}")
    assert (told["done"], told["exit"], told["tail"]) == (False, None, "served: it is listed\n")
    Job.objects.update(state="no answer")
    assert maya.get(f"/api/onboard?log={log}")["exit"] == 0
    Job.objects.update(state="failed")
    assert (told := maya.get(f"/api/onboard?log={log}"))["exit"] == 1
    assert told["done"]
    for nothing in ("", "?log=", "?log=../x", "?log=99999", f"?log={log}x"):
        maya.get(f"/api/onboard{nothing}", 404)


def test_a_batch_is_queued_stopped_and_cleared(maya: Program) -> None:
    items = [{"served": "maker/chats-1", "endpoint": "den"}, {"served": "other/weak@den", "mode": "quick-adhoc"}]
    told = maya.post("/api/onboard-queue", {"items": items})
    assert (told["running"], told["stopping"]) == (True, False)
    assert [(row["state"], row["mode"], row["exit"]) for row in told["items"]] == [
        *(("queued", "full", None), ("queued", "quick-adhoc", None)),
    ]
    assert all(row.keys() == ITEM for row in told["items"])
    Job.objects.filter(pk=told["queued"][0]).update(state="running", step=2)
    assert maya.get("/api/onboard-queue")["items"][0]["step"] == 3
    assert "stop it first" in maya.refused("/api/onboard-queue/clear", {})
    told = maya.post("/api/onboard-queue/stop", {})
    assert (told["skipped"], told["stopping"], told["items"][1]["state"]) == (1, True, "skipped")
    Job.objects.filter(state="running").update(state="done")
    assert maya.post("/api/onboard-queue/clear", {})["cleared"] == 2
    assert maya.get("/api/onboard-queue")["items"] == []


@pytest.mark.parametrize(("items", "words"), [
    ([], "at least one"),
    ([{"served": "maker/chats-1@den"}, {"served": "maker/chats-1", "endpoint": "den"}], "named twice"),
    ([{"served": "maker/chats-1@den", "mode": "slow"}], "mode: The mode is one of"),
    ([{"served": "maker/chats-1", "endpoint": "nowhere"}], "no endpoint"),
    ([{"served": "maker/chats-1@den"}, {"name": "x"}], "items 2 served: This field is missing"),
    ([{"served": "a b@den"}], "no name that can be taken on"),
    ("all", "items: It is a list"),
])  # fmt: skip
def test_a_batch_with_one_that_cannot_be_is_refused_whole(maya: Program, items: Any, words: str) -> None:
    assert words in maya.refused("/api/onboard-queue", {"items": items})
    assert not Job.objects.exists()


def test_five_hundred_candidates_take_few_queries(maya: Program) -> None:
    with scripted(*(f"maker/many-{number}" for number in range(500))) as running:
        Endpoint.objects.create(name="big", base=running.base, kind="local")
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            assert len(maya.get("/api/candidates?endpoint=big")["candidates"]) == 500
    assert len(asked) <= 25


@pytest.mark.parametrize(("said", "endpoint", "name"), [
    ("m", "", ("home", "m")),
    ("m@den", "", ("den", "m")),
    ("m@v1", "", ("home", "m@v1")),
    ("m@v1@den", "", ("den", "m@v1")),
    ("@den", "", ("home", "@den")),
    ("m@den", "home", ("home", "m@den")),
])  # fmt: skip
def test_a_key_names_the_endpoint_where_it_is_one(said: str, endpoint: str, name: tuple[str, str]) -> None:
    assert read_name(said, endpoint, {"home", "den"}, "home") == name
    assert endpoint or read_name(key_of(*name, "home"), "", {"home", "den"}, "home") == name
