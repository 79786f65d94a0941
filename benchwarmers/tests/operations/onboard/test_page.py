"""The page on which models are taken on: what it shows and what its buttons do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchwarmers.operations.onboard.progress import progress_of
from benchwarmers.tests.dashboard.conftest import as_person, world
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Endpoint, LanguageModel
from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.models import Dismissal, Job
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard, queue
from probes.onboarding.store import keep_issue
from probes.tests.onboarding.scripted import Scripted, scripted

__all__ = ["as_person", "world"]
Enter = Callable[[str], Client]


@pytest.fixture
def provider(world: None) -> Iterator[Scripted]:
    """The endpoint `den` lists three models; nobody else is asked."""
    Endpoint.objects.filter(name="harbour").update(kind="practice")
    with scripted("maker/chats-1", "maker/chats-2:free", "other/weak") as running:
        Endpoint.objects.create(name="den", base=running.base, kind="local")
        yield running


@pytest.fixture
def maya(provider: Scripted, as_person: Enter) -> Client:
    return as_person("maya")


def post(client: Client, what: str, **said: object) -> str:
    """The page after the button."""
    answer = client.post(f"/onboard/{what}", said, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_candidates_are_listed_with_their_boxes(maya: Client) -> None:
    page = maya.get("/onboard/").content.decode()
    for served in ("maker/chats-1", "maker/chats-2:free", "other/weak"):
        assert f'value="den {served}"' in page
    assert "3 models" in page
    assert "Nothing is queued" in page


def test_a_script_that_narrows_gets_the_list_alone_and_the_address_for_it(maya: Client) -> None:
    answer = maya.get("/onboard/", {"q": "maker", "free": "1"}, headers={"hx-request": "true"})
    page = answer.content.decode()
    assert page.lstrip().startswith('<div id="candidates">')
    assert "chats-2:free" in page
    assert "chats-1" not in page
    assert answer["HX-Push-Url"] == "/onboard/?q=maker&free=1"


def test_what_is_ticked_is_taken_on_and_shown_in_the_queue(maya: Client) -> None:
    page = post(maya, "choose", do="start", mode="quick", item=["den maker/chats-1", "den other/weak"], where="?q=a")
    assert "2 models are being taken on" in page
    assert list(queue().values_list("key", "state", "by")) == [
        ("den:maker/chats-1", "queued", "maya"),
        ("den:other/weak", "queued", "maya"),
    ]
    assert "is being taken on" in page
    assert 'value="den maker/chats-1"' not in page


def test_a_refusal_names_every_reason_and_keeps_the_ticks(maya: Client) -> None:
    page = post(maya, "choose", do="start", mode="slow", item=["den maker/chats-1", "moon x"], where="?q=maker")
    assert "The mode is one of" in page
    assert "There is no endpoint “moon”" in page
    assert 'value="den maker/chats-1" checked' in page
    assert not Job.objects.exists()


def test_put_aside_and_brought_back(maya: Client) -> None:
    assert "1 put aside" in post(maya, "choose", do="dismiss", item="den other/weak")
    assert Dismissal.objects.get().by == "maya"
    page = maya.get("/onboard/").content.decode()
    assert "Put aside: 1" in page
    assert "2 models" in page
    assert "1 brought back" in post(maya, "bring-back", item="den other/weak")
    assert not Dismissal.objects.exists()


def test_the_queue_tells_step_note_and_end_of_each(maya: Client) -> None:
    running, done, waiting = do_onboard(
        actor=None,
        items=[Item("den", "maker/chats-1"), Item("den", "other/weak"), Item("den", "maker/chats-2:free")],
        now=timezone.now(),
    )
    Job.objects.filter(pk=done.pk).update(
        state="no answer", note="Busy: 503", results={"registered": {"alias": "weak"}}, step=4, ended_at=timezone.now()
    )
    Job.objects.filter(pk=running.pk).update(state="running", step=3)
    page = maya.get("/onboard/", {"part": "queue"}, headers={"hx-request": "true"}).content.decode()
    assert page.lstrip().startswith('<section id="onboard-queue"')
    assert "Does it answer, and what can it do?" in page
    assert "4/5" in page
    assert "Busy: 503" in page
    assert "1 of 3 at their end" in page
    assert "Skip the 1 that wait" in page
    assert "1 skipped" in post(maya, "stop")
    waiting.refresh_from_db()
    assert waiting.state == JobState.SKIPPED
    assert "stopping after the one that runs" in maya.get("/onboard/").content.decode()


def test_a_long_queue_that_failed_costs_the_queries_of_a_short_one(maya: Client) -> None:
    def queries(count: int) -> int:
        now, said = timezone.now(), {"registered": {"alias": "granite-l"}}
        for number in range(count):
            Job.objects.create(
                kind="onboard",
                key=f"{count}:{number}",
                batch="b",
                state="failed",
                due_at=now,
                created_at=now,
                results=said,
            )
        with CaptureQueriesContext(connection) as asked:
            maya.get("/onboard/", {"part": "queue"}, headers={"hx-request": "true"})
        return len(asked)

    queries(1)  # whatever is asked once a process
    assert queries(20) == queries(2)


def test_the_queue_is_cleared_only_at_its_end_and_one_is_tried_again(maya: Client) -> None:
    (job,) = do_onboard(actor=None, items=[Item("den", "other/weak")], now=timezone.now())
    assert "not at its end" in post(maya, "clear")
    claimed = store.claim(job.pk, "worker", timezone.now())
    assert claimed is not None
    store.end(claimed, JobState.FAILED, "den could not be asked", timezone.now())
    assert "other/weak is tried again" in post(maya, "retry", job=job.pk)
    again = queue().get()
    assert again.pk != job.pk
    Job.objects.filter(pk=again.pk).update(state="done")
    assert "1 cleared" in post(maya, "clear")
    assert "Nothing is queued" in maya.get("/onboard/").content.decode()


def test_a_model_that_did_not_answer_is_shown_with_what_to_do_until_it_answers(maya: Client) -> None:
    model = LanguageModel.objects.create(
        alias="weak", served="other/weak", endpoint=Endpoint.objects.get(name="den"), status="throttled"
    )
    (job,) = do_onboard(actor=None, items=[Item("den", "maker/chats-1")], now=timezone.now())
    keep_issue(model, job, step="probed", failure="capacity", detail="503: later", now=timezone.now())
    page = maya.get("/onboard/").content.decode()
    assert "Did not answer" in page
    assert "The daily probe goes on asking" in page
    assert "503: later" in page
    assert "weak is tried again" in post(maya, "retry-model", alias="weak")
    LanguageModel.objects.filter(alias="weak").update(status="healthy")
    assert "Did not answer" not in maya.get("/onboard/").content.decode()


def test_a_retired_model_is_restored_in_place_of_being_taken_on_anew(maya: Client) -> None:
    LanguageModel.objects.create(alias="weak", served="other/weak", endpoint=Endpoint.objects.get(name="den"))
    do_retire_model(actor=None, alias="weak", why="slow")
    page = maya.get("/onboard/").content.decode()
    assert "Retired, and still listed: 1" in page
    assert 'value="den other/weak"' not in page
    assert "weak is back on the bench" in post(maya, "restore", alias="weak")
    assert not LanguageModel.objects.get(alias="weak").retired


def test_endpoints_that_are_away_are_named_and_asked_again_on_request(maya: Client, provider: Scripted) -> None:
    Endpoint.objects.create(name="moon", base="http://127.0.0.1:9/v1", kind="local")
    page = maya.get("/onboard/").content.decode()
    assert "could not be asked" in page
    assert "3 models" in page
    listed = provider.listed
    maya.get("/onboard/")
    assert provider.listed == listed
    post(maya, "ask-again")
    assert provider.listed == listed + 1


def test_without_an_endpoint_the_page_says_to_add_one(maya: Client) -> None:
    cache.clear()
    Endpoint.objects.filter(name="den").delete()
    page = maya.get("/onboard/").content.decode()
    assert "First, an endpoint" in page
    assert "There is no endpoint yet" in page


def test_when_everything_is_on_the_bench_the_page_says_so(maya: Client, provider: Scripted) -> None:
    provider.models = {}
    cache.clear()
    assert "Nothing left to take on" in maya.get("/onboard/").content.decode()


@pytest.mark.parametrize("who", ["ben", "zoe"])
def test_callers_and_viewers_have_no_business_here(provider: Scripted, as_person: Enter, who: str) -> None:
    client = as_person(who)
    assert client.get("/onboard/").status_code == 403
    assert client.post("/onboard/choose", {"do": "start", "item": "den other/weak"}).status_code == 403
    assert not Job.objects.exists()


def test_one_whose_name_gives_no_alias_is_taken_on_with_one_that_is_given(maya: Client, provider: Scripted) -> None:
    provider.models = {"模型": {"id": "模型"}, "other/weak": {"id": "other/weak"}}
    assert "needs an alias" in maya.get("/onboard/").content.decode()
    page = post(maya, "choose", do="start", mode="quick", item=["den 模型"])
    assert "No alias can be derived from 模型" in page
    page = post(maya, "choose", do="start", mode="quick", item=["den 模型", "den other/weak"], alias="great")
    assert "An alias is given to one model" in page
    assert 'name="alias" value="great"' in page
    assert "1 model is being taken on." in post(
        maya, "choose", do="start", mode="quick", item="den 模型", alias="great"
    )
    assert queue().get().payload["alias"] == "great"


@pytest.mark.parametrize(("states", "told", "button"), [
    (("done", "queued", "running"), "taking on 1/3", "onboard/stop"),
    (("done", "done"), "2 taken on", "onboard/clear"),
    (("done", "failed"), "taken on, with failures", "onboard/clear"),
    (("no answer", "done"), "taken on, not all answered", "onboard/clear"),
])  # fmt: skip
def test_a_chip_on_other_pages_says_how_the_queue_stands(
    maya: Client, states: tuple[str, ...], told: str, button: str
) -> None:
    asked = do_onboard(actor=None, items=[Item("den", f"m-{at}") for at in range(len(states))], now=timezone.now())
    for job, state in zip(asked, states, strict=True):
        Job.objects.filter(pk=job.pk).update(state=state)
    chip = maya.get("/onboard/?part=progress", headers={"hx-request": "true"}).content.decode()
    assert told in chip
    assert f'action="/{button}"' in chip
    for page in ("/", "/roster/"):
        assert told in maya.get(page).content.decode()


def test_the_chip_is_full_when_all_are_at_their_end_and_counts_the_steps_of_what_runs() -> None:
    assert progress_of([("done", 5), ("skipped", 0)]).share == 100
    assert progress_of([("queued", 0)]).share == 0
    assert progress_of([("running", 0), ("queued", 0)]).share == 5
    assert progress_of([("running", 2), ("done", 5)]).share == 75
