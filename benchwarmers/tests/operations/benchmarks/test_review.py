"""The review of drafts: one at a time, both halves of a pair beside each other, and on to the next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import add_claim, add_pair
from suite.models import Task

As = Callable[[str], Client]
REVIEW = "/benchmarks/review/"


def decide(client: Client, verb: str, slug: str, **fields: str) -> str:
    """Where it leads."""
    answer = client.post(f"{REVIEW}decide", {"verb": verb, "slug": slug, **fields})
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def states() -> dict[str, tuple[bool, bool]]:
    """(draft, dropped) by name."""
    return {slug: (draft, dropped) for slug, draft, dropped in Task.objects.values_list("slug", "draft", "dropped")}


@pytest.mark.parametrize(("name", "status"), [("maya", 200), ("boss", 200), ("ben", 403), ("zoe", 403)])
def test_only_who_keeps_the_tasks_reviews(as_person: As, name: str, status: int) -> None:
    assert as_person(name).get(REVIEW).status_code == status


def test_without_drafts_the_page_says_where_they_come_from(as_person: As) -> None:
    add_claim()
    assert "No draft waits" in text_of(as_person("maya"), REVIEW)


def test_both_halves_of_a_pair_stand_beside_each_other(as_person: As) -> None:
    add_pair(reviewed=False)
    for slug in ("total-bug", "total-control"):
        html = as_person("maya").get(f"{REVIEW}?at={slug}").content.decode()
        assert "count <mark>-</mark>= item" in html
        assert "count <mark>+</mark>= item" in html
        assert html.index("<mark>-</mark>") < html.index("<mark>+</mark>")
        assert html.count("is-changed is-key") == 1
        assert "&quot;must_find&quot;" in html


def test_a_draft_without_another_half_shows_its_files(as_person: As) -> None:
    add_claim(reviewed=False)
    told = text_of(as_person("maya"), REVIEW)
    assert "Draft 1 of 1" in told
    assert "def total(items):" in told
    assert "Accept both" not in told


def test_every_decision_has_its_key_and_its_button(as_person: As) -> None:
    add_pair(reviewed=False)
    html = as_person("maya").get(f"{REVIEW}?at=total-bug").content.decode()
    for key in "abdexj":
        assert html.count(f'data-key="{key}"') == 1
    assert 'data-key="k"' not in html
    assert 'data-key="k"' in as_person("maya").get(f"{REVIEW}?at=total-control").content.decode()


def test_accepting_leads_to_the_next(as_person: As) -> None:
    for slug in ("a", "b", "c"):
        add_claim(slug, reviewed=False)
    client = as_person("maya")
    assert decide(client, "accept", "b") == f"{REVIEW}?at=c"
    assert decide(client, "drop", "c") == REVIEW
    assert states() == {"a": (True, False), "b": (False, False), "c": (True, True)}
    assert client.get(REVIEW).context["draft"].task.slug == "a"
    decide(client, "accept", "a")
    assert client.get(REVIEW).context["draft"] is None


def test_both_halves_are_accepted_at_once(as_person: As) -> None:
    add_pair("one", reviewed=False)
    add_pair("two", reviewed=False)
    client = as_person("maya")
    assert decide(client, "accept", "one-bug", both="yes") == f"{REVIEW}?at=two-bug"
    assert decide(client, "drop", "two-control", both="yes") == REVIEW
    assert states() == {
        "one-bug": (False, False),
        "one-control": (False, False),
        "two-bug": (True, True),
        "two-control": (True, True),
    }


def test_both_leaves_a_half_that_is_decided_as_it_is(as_person: As) -> None:
    add_pair(reviewed=False)
    Task.objects.filter(slug="total-control").update(dropped=True)
    decide(as_person("maya"), "accept", "total-bug", both="yes")
    assert states() == {"total-bug": (False, False), "total-control": (True, True)}


def test_one_kind_of_drafts_is_reviewed_alone(as_person: As) -> None:
    add_pair(reviewed=False)
    add_claim(reviewed=False)
    client = as_person("maya")
    page = client.get(f"{REVIEW}?shape=seeded&origin=seeded")
    assert (page.context["draft"].task.slug, page.context["draft"].left) == ("total-bug", 2)
    assert page.context["counts"] == [
        ("Claims", "claim", "hand", 1),
        ("Planted changes", "seeded", "seeded", 2),
    ]
    narrowed = {"shape": "seeded", "origin": "seeded"}
    assert decide(client, "accept", "total-bug", **narrowed) == f"{REVIEW}?at=total-control&shape=seeded&origin=seeded"
    decide(client, "accept", "total-control", **narrowed)
    assert "None of these is left" in text_of(client, f"{REVIEW}?shape=seeded&origin=seeded")


def test_what_is_refused_is_told_and_stays(as_person: As) -> None:
    add_claim("a", reviewed=False, key={"must_find": []})
    client = as_person("maya")
    assert decide(client, "accept", "a") == f"{REVIEW}?at=a"
    assert "The key has nothing to find" in text_of(client, f"{REVIEW}?at=a")
    assert states() == {"a": (True, False)}


@pytest.mark.parametrize("fields", [{}, {"verb": "burn", "slug": "a"}, {"verb": "accept", "slug": "gone"}])
def test_a_decision_about_nothing_decides_nothing(as_person: As, fields: dict[str, str]) -> None:
    add_claim("a", reviewed=False)
    told = as_person("maya").post(f"{REVIEW}decide", fields, follow=True)
    assert "Nothing was decided" in told.content.decode()
    assert states() == {"a": (True, False)}


def test_an_edit_leads_back_to_the_review(as_person: As) -> None:
    add_claim("a", reviewed=False)
    client = as_person("maya")
    page = client.get("/benchmarks/tasks/a/edit?back=review")
    assert f'href="{REVIEW}?at=a"' in page.content.decode()
    answer = client.post("/benchmarks/tasks/a/edit?back=review", {**page.context["typed"], "prompt": "Really?"})
    assert answer.headers["Location"] == f"{REVIEW}?at=a"
