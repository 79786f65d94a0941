"""The list of tasks, one task, its editing, and the page of an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from benchwarmers.operations.benchmarks import tasks as selectors
from benchwarmers.operations.benchmarks.explain import explain
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import add_claim, add_pair, answer
from collections_app.models import Change
from suite.models import Attempt, Task

As = Callable[[str], Client]
RIGHT, WRONG = "FAULT: line 4\nIt subtracts.", "FAULT: line 2\nIt begins at zero."


@pytest.fixture
def given() -> None:
    add_pair()
    add_claim()
    add_claim("a-draft", reviewed=False)
    add_claim("gone")
    Task.objects.filter(slug="gone").update(dropped=True)


@pytest.mark.usefixtures("given")
@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("", ["a-claim", "a-draft", "total-bug", "total-control"]),
        ("?state=asked", ["a-claim", "total-bug", "total-control"]),
        ("?state=draft", ["a-draft"]),
        ("?state=dropped", ["gone"]),
        ("?shape=seeded", ["total-bug", "total-control"]),
        ("?origin=hand", ["a-claim", "a-draft"]),
        ("?language=python&q=CONTROL", ["total-control"]),
        ("?q=change+in", ["total-bug"]),
        ("?shape=nonsense&page=nonsense", ["a-claim", "a-draft", "total-bug", "total-control"]),
        ("?q=nothing-like-it", []),
    ],
)
def test_the_list_is_narrowed(as_person: As, query: str, slugs: list[str]) -> None:
    page = as_person("zoe").get(f"/benchmarks/tasks/{query}")
    assert [task.slug for task in page.context["list"].rows] == slugs
    assert slugs or "Nothing fits" in page.content.decode()


@pytest.mark.usefixtures("given")
def test_the_list_is_paged(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "PAGE", 3)
    client = as_person("zoe")
    first = client.get("/benchmarks/tasks/")
    assert (len(first.context["list"].rows), first.context["list"].pages) == (3, 2)
    second = client.get("/benchmarks/tasks/" + first.context["older"])
    assert [task.slug for task in second.context["list"].rows] == ["total-control"]
    assert client.get("/benchmarks/tasks/?page=99").context["list"].page == 2


def test_without_tasks_the_list_says_where_they_come_from(as_person: As) -> None:
    assert "No task yet" in text_of(as_person("zoe"), "/benchmarks/tasks/")


def test_a_task_shows_what_is_asked_and_how_models_took_it(as_person: As) -> None:
    bug, _ = add_pair()
    answer({"osprey": RIGHT, "wren": WRONG}, bug)
    answer({"osprey": WRONG, "wren": ""}, bug, days=1)
    told = text_of(as_person("zoe"), "/benchmarks/tasks/total-bug/")
    assert "Was it changed?" in told
    assert "osprey 50% 9–91% 2 of 2 something false answered by osprey , 21 Nov 2026, 12:00" in told
    assert "wren 0% 0–79% 1 of 2 something false timeout by wren , 21 Nov 2026, 12:00" in told
    assert "What it is about was never published, as far as is known." in told


def test_only_who_keeps_the_tasks_sees_keys(as_person: As) -> None:
    add_pair()
    seen, hidden = (as_person(name).get("/benchmarks/tasks/total-bug/") for name in ("maya", "zoe"))
    for words in ('class="is-key"', "augassign", "line 4", "total-control", "The key"):
        assert words in seen.content.decode()
        assert words not in hidden.content.decode()


def test_what_was_answered_before_an_edit_is_told_apart(as_person: As) -> None:
    claim = add_claim()
    answer({"osprey": "VERDICT: FALSE"}, claim)
    digest = claim.versions.get().digest
    add_claim(prompt="It multiplies.")
    client = as_person("zoe")
    assert "osprey – 0 of 0 and 1 to earlier versions" in text_of(client, "/benchmarks/tasks/a-claim/")
    old = text_of(client, f"/benchmarks/tasks/a-claim/?version={digest[:12]}")
    assert "This is an earlier version" in old
    assert "It subtracts." in old


def typed(client: Client, **fields: str) -> dict[str, str]:
    """The form as it stands on the page, with these fields otherwise."""
    page = client.get("/benchmarks/tasks/a-claim/edit")
    files = {field: text for field, _, text in page.context["files"]}
    return {**page.context["typed"], **files, **fields}


def test_a_curator_edits_a_task(as_person: As) -> None:
    claim, client = add_claim(), as_person("maya")
    client.post("/benchmarks/tasks/a-claim/edit", typed(client))
    assert claim.versions.count() == 1
    told = client.post("/benchmarks/tasks/a-claim/edit", typed(client, prompt="It multiplies."), follow=True)
    assert "Saved as a new version." in told.content.decode()
    assert [one.prompt for one in claim.versions.filter(current=True)] == ["It multiplies."]
    assert Change.objects.filter(thing="task", field="prompt").values_list("actor_name", "new").get() == (
        "maya",
        "It multiplies.",
    )


def test_a_file_is_edited(as_person: As) -> None:
    claim, client = add_claim(), as_person("maya")
    client.post("/benchmarks/tasks/a-claim/edit", typed(client, **{"file-0": "x = 1\r\ny = 2"}))
    assert claim.versions.get(current=True).attachments == [{"name": "total.py", "text": "x = 1\ny = 2"}]


def test_what_is_refused_comes_back_with_what_was_typed(as_person: As) -> None:
    claim, client = add_claim(), as_person("maya")
    told = client.post("/benchmarks/tasks/a-claim/edit", typed(client, key="{", title="<b>New</b>"))
    assert told.status_code == 422
    assert "The key is not JSON" in told.content.decode()
    assert "&lt;b&gt;New&lt;/b&gt;" in told.content.decode()
    assert claim.versions.count() == 1


@pytest.mark.parametrize(
    ("verb", "state"), [("drop", (True, True)), ("restore", (True, False)), ("accept", (False, False))]
)
def test_a_task_is_dropped_restored_and_accepted(as_person: As, verb: str, state: tuple[bool, bool]) -> None:
    add_claim(reviewed=False)
    assert as_person("maya").post(f"/benchmarks/tasks/a-claim/do/{verb}").status_code == 302
    assert Task.objects.values_list("draft", "dropped").get() == state


def test_there_is_no_other_action(as_person: As) -> None:
    add_claim()
    assert as_person("maya").post("/benchmarks/tasks/a-claim/do/burn").status_code == 404


def test_an_answer_is_explained_clause_by_clause(as_person: As) -> None:
    (attempt,) = answer({"osprey": "VERDICT: TRUE\nIt does <b>subtract</b>."}, add_claim())
    told = text_of(as_person("maya"), f"/benchmarks/answers/{attempt.pk}/")
    assert "0 of 1 found , 1 false statement." in told
    assert "It was a chance to be wrong about a claim that is false, and it was confidently wrong ." in told
    assert "missed Must be found: verdict: false Nothing in what counts of the answer says it." in told
    assert "claimed Must not be claimed: verdict: true by the words verdict: true" in told
    assert "It does &lt;b&gt;subtract&lt;/b&gt;." in told


def test_who_sees_no_keys_sees_no_labels(as_person: As) -> None:
    (attempt,) = answer({"osprey": WRONG}, add_pair()[0])
    told = text_of(as_person("ben"), f"/benchmarks/answers/{attempt.pk}/")
    assert "Must be found: Finding 1" in told
    assert "It was sure of a bug and named another line." in told
    assert "line 4" not in told


def test_what_is_no_answer_says_why_it_is_not_scored(as_person: As) -> None:
    (attempt,) = answer({"osprey": ""}, add_claim(), detail="nothing in 420 s")
    told = text_of(as_person("ben"), f"/benchmarks/answers/{attempt.pk}/")
    assert "No answer came in time. It is not scored. nothing in 420 s" in told


def test_what_was_not_asked_says_so(as_person: As) -> None:
    (attempt,) = answer({"osprey": ""}, add_claim(), detail="retired meanwhile")
    Attempt.objects.update(outcome="", at=None)
    told = text_of(as_person("ben"), f"/benchmarks/answers/{attempt.pk}/")
    assert "not asked yet" in told
    assert "It was not asked. retired meanwhile" in told


def test_an_answer_leads_to_the_other_attempts(as_person: As) -> None:
    claim = add_claim()
    answer({"osprey": "VERDICT: TRUE", "wren": "VERDICT: TRUE"}, claim)
    answer({"osprey": "VERDICT: FALSE"}, claim, days=1)
    last = Attempt.objects.latest("id")
    page = as_person("ben").get(f"/benchmarks/answers/{last.pk}/")
    assert [(one.language_model_id, score.found) for one, score in page.context["earlier"]] == [
        (last.language_model_id, 0)
    ]


def test_clauses_are_told_in_words() -> None:
    steps = [
        {"kind": "find", "label": "the lock", "how": "found", "where": "a lock"},
        {"kind": "find", "label": "the jitter", "how": "missed"},
        {"kind": "claim", "label": "a leak", "how": "ruled out", "where": "no leak"},
    ]
    assert [(one.label, one.told, one.where) for one in explain(steps, keyed=True)] == [
        ("the lock", "found", "a lock"),
        ("the jitter", "missed", ""),
        ("a leak", "ruled out", "no leak"),
    ]
    assert [one.label for one in explain(steps, keyed=False)] == ["Finding 1", "Finding 2", "False statement 1"]
