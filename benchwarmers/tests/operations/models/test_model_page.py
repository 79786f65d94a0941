"""The page of one model: what it tells, what may be changed there and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.operations.models.given import change, fact, model, probed, text
from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.language_model import do_rename_model
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Change, DecisionModel, Endpoint
from gateway.canon.kinds import AlertKind, JobState
from probes.models import Job, OnboardingIssue, Served

As = Callable[[str], Client]
WREN = "/roster/wren/"
SPRING = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def maya(as_person: As) -> Client:
    return as_person("maya")


def state() -> dict[str, Any]:
    """All that a refusal must leave as it is."""
    row = model("wren")
    facts = sorted(row.facts.values_list("field", "source", "value"))
    changes = Change.objects.exclude(thing="session").count()
    return {"alias": row.alias, "role": row.role, "ad_hoc": row.ad_hoc, "facts": facts, "changes": changes}


@pytest.fixture
def unchanged(maya: Client) -> Iterator[None]:
    before = state()
    yield
    assert state() == before


def test_each_fact_is_told_with_its_source_and_evidence(maya: Client) -> None:
    fact("wren", "context_window", 128_000, evidence="models.dev: harbour")
    fact("wren", "context_window", 64_000, "learned", "maximum context length is 64000")
    fact("wren", "tools", True, "probe")
    fact("wren", "limits", {"rpm": 30}, "operator")
    fact("wren", "release_date", "2026-01-05")
    page = maya.get(WREN)
    told = text(page)
    assert "Context window 64,000 learned maximum context length is 64000" in told
    assert "Calls tools yes probe" in told
    assert "Requests a minute 30 operator" in told
    assert "Release date 2026-01-05 feed" in told
    assert 'name="limits.rpm" value="30"' in page.content.decode()
    assert 'name="context_window" value="" placeholder="64000 (learned)"' in page.content.decode()


def test_how_it_is_comes_in_the_providers_words_with_what_to_do(maya: Client) -> None:
    change("wren", status="no access", status_why="ask your admin for a plan", status_at=timezone.now(), retire_in=2)
    raise_alert("auto-retire", Raised("model:1", AlertKind.RETIRING, "wren will be retired", alias="wren"), SPRING)
    OnboardingIssue.objects.create(
        language_model=model("wren"), at=SPRING, step="probed", failure="entitlement", detail="no plan, no answer"
    )
    Served.objects.create(
        endpoint=model("wren").endpoint,
        served="lab/wren",
        first_seen=SPRING,
        last_seen=SPRING,
        first_missing=SPRING,
    )
    told = text(maya.get(WREN))
    for words in (
        "retiring in 2d",
        "ask your admin for a plan",
        "wren will be retired",
        "Taking it on stopped at “probed” on 10 March 2026: The account may not call it.",
        "no plan, no answer",
        "not since 10 March 2026",
    ):
        assert words in told


def test_the_trend_is_drawn_and_told_in_words(maya: Client) -> None:
    for days, seconds in ((3, 1.0), (2, 3.0), (1, 2.0)):
        probed("wren", days, seconds=seconds)
    probed("wren", 1, prompt="large", seconds=9.0)
    probed("wren", failure="timeout")
    page = maya.get(WREN)
    assert "4 of 5 questions were answered" in text(page)
    assert "half of 3 answers within 2.0 s, 95 of 100 within 3.0 s" in text(page)
    assert "answered on 3 of 4 days asked" in page.content.decode()
    assert page.content.count(b'class="trend-line trend-tiny" d="M') == 1
    assert page.content.count(b'<g class="strip-err">') == 1
    assert "timeout" in text(page)


def test_a_model_nobody_asked_has_no_trend(maya: Client) -> None:
    assert "Nobody has asked it in the last 30 days" in text(maya.get(WREN))


def test_a_former_alias_leads_to_the_present_one(maya: Client) -> None:
    do_rename_model(actor=None, alias="wren", new_alias="robin")
    assert maya.get(WREN)["Location"] == "/roster/robin/"
    assert maya.get("/roster/nobody/").status_code == 404


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("wr en", "An alias has 2 to 64 characters"),
        ("", "An alias has 2 to 64 characters"),
        ("osprey", "There is a model osprey already"),
        ("OSPREY", "differs from osprey only by case"),
        ("Wren", "differs from wren only by case"),
        ("wren", "It is called wren already"),
        ("quill-2", "is a retired model"),
        ("heron-70b", "was renamed to heron"),
        ("oracle", "is a decision model"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(maya: Client, new: str, words: str) -> None:
    do_retire_model(actor=None, alias="quill-2")
    do_rename_model(actor=None, alias="heron-70b", new_alias="heron")
    home = Endpoint.objects.get(name="harbour")
    DecisionModel.objects.create(alias="oracle", served="o", via=home)
    before = state()
    answer = maya.post(f"{WREN}rename", {"new_alias": new})
    assert answer.status_code == 422
    assert words in text(answer)
    assert state() == before


def test_a_rename_leads_to_the_page_under_the_new_name(maya: Client) -> None:
    answer = maya.post(f"{WREN}rename", {"new_alias": "robin"}, follow=True)
    assert answer.redirect_chain == [("/roster/robin/", 302)]
    assert "wren is robin from now on" in text(answer)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"role": "goalkeeper"}, "The role is one of general"),
        ({"role": "code", "ad_hoc": "perhaps"}, "Ad hoc is on or off."),
        ({"role": "code", "max_tokens": "many"}, "max_tokens is a whole number."),
        ({"role": "code", "max_tokens": "0"}, "max_tokens is a whole number from 1 to 1000000."),
        ({"role": "code", "max_tokens": "9000"}, "the model writes at most 4000"),
    ],
)
def test_a_use_that_cannot_be_is_refused(maya: Client, typed: dict[str, str], words: str) -> None:
    fact("wren", "max_output", 4_000)
    before = state()
    answer = maya.post(f"{WREN}use", typed)
    assert answer.status_code == 422
    assert words in text(answer)
    assert state() == before


def test_role_ad_hoc_and_the_longest_answer_are_saved_and_other_options_stay(maya: Client) -> None:
    change("wren", options={"seed": 7, "max_tokens": 10})
    maya.post(f"{WREN}use", {"role": "code", "ad_hoc": "on", "max_tokens": "2 000"})
    row = model("wren")
    assert (row.role, row.ad_hoc, row.options) == ("code", True, {"seed": 7, "max_tokens": 2000})
    maya.post(f"{WREN}use", {"role": "code"})
    row = model("wren")
    assert (row.ad_hoc, row.options) == (False, {"seed": 7})


def test_what_is_stated_holds_and_a_blank_gives_it_back(maya: Client) -> None:
    fact("wren", "context_window", 64_000)
    typed = {
        "context_window": "32,000",
        "tools": "no",
        "limits.rpm": "5",
        "prices.input": "0.5",
        "description": " A b ",
    }
    assert maya.post(f"{WREN}facts", typed).status_code == 302
    stated = dict(model("wren").facts.filter(source="operator").values_list("field", "value"))
    assert stated == {
        "context_window": 32_000,
        "tools": False,
        "limits": {"rpm": 5},
        "prices": {"input": 0.5},
        "description": "A b",
    }
    assert "Context window 32,000 operator" in text(maya.get(WREN))
    maya.post(f"{WREN}facts", {})
    assert not model("wren").facts.filter(source="operator").exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"context_window": "lots"}, "context_window is a whole number."),
        ({"context_window": "0"}, "context_window is a whole number above 0."),
        ({"tools": "maybe"}, "tools is yes, no, or not stated."),
        ({"prices.output": "dear"}, "prices.output is a number of USD per million tokens."),
        ({"prices.output": "-1"}, "prices holds USD per million tokens"),
        ({"prices.output": "nan"}, "prices.output is a number of USD per million tokens."),
        ({"limits.tpd": "1.5"}, "limits.tpd is a whole number."),
        ({"knowledge_cutoff": "x" * 21}, "knowledge_cutoff is text of at most 20 characters."),
    ],
)
@pytest.mark.usefixtures("unchanged")
def test_a_fact_that_cannot_be_is_refused_and_shown_as_it_was_typed(
    maya: Client, typed: dict[str, str], words: str
) -> None:
    answer = maya.post(f"{WREN}facts", {"max_output": "77", **typed})
    assert answer.status_code == 422
    assert words in text(answer)
    assert 'name="max_output" value="77"' in answer.content.decode()


def test_retiring_and_restoring_from_the_page(maya: Client) -> None:
    told = text(maya.post(f"{WREN}retire", {"why": "too slow"}, follow=True))
    assert "Retired on" in told
    assert "by maya" in told
    assert "too slow" in told
    assert "wren is back on the bench" in text(maya.post(f"{WREN}restore", follow=True))
    assert "wren is not retired." in text(maya.post(f"{WREN}restore", follow=True))


def test_asking_again_is_a_job_whose_end_is_shown(maya: Client) -> None:
    assert "Being asked" in text(maya.post(f"{WREN}retry", follow=True))
    Job.objects.update(state=JobState.NO_ANSWER, note="structural: no such model", ended_at=timezone.now())
    part = maya.get(WREN, headers={"HX-Request": "true"})
    assert "no answer. structural: no such model" in text(part)
    assert b"<html" not in part.content
    assert b'data-live="models alerts jobs"' in part.content


def test_one_that_went_paid_is_allowed_and_forbidden_again(maya: Client) -> None:
    change("wren", went_paid_at=SPRING, status="no longer free")
    probed("wren", days=1)
    assert "costs money since 10 March 2026" in text(maya.get(WREN))
    assert "is called though it costs money" in text(maya.post(f"{WREN}paid", {"allowed": "yes"}, follow=True))
    assert (model("wren").allow_paid, model("wren").status) == (True, "healthy")
    maya.post(f"{WREN}paid", {"allowed": "no"})
    assert (model("wren").allow_paid, model("wren").status) == (False, "no longer free")


def test_verdicts_that_are_set_aside_are_told_and_counted_again(maya: Client) -> None:
    change("wren", evidence_since=SPRING)
    assert "verdicts from before 10 March 2026 are set aside" in text(maya.get(WREN))
    maya.post(f"{WREN}count-again")
    assert model("wren").evidence_since is None


def test_there_is_no_other_action(maya: Client) -> None:
    assert maya.post(f"{WREN}explode").status_code == 404
    assert maya.get(f"{WREN}retire").status_code == 405


@pytest.mark.parametrize("name", ["ben", "zoe"])
def test_the_team_looks_and_changes_nothing(as_person: As, name: str) -> None:
    client = as_person(name)
    page = client.get(WREN)
    assert page.status_code == 200
    assert b'action="/roster/' not in page.content
    for verb in ("facts", "use", "rename", "retire", "restore", "retry", "paid", "count-again", "repoint"):
        assert client.post(f"{WREN}{verb}", {"new_alias": "robin"}).status_code == 404
    assert not model("wren").retired


def test_a_retry_of_yesterday_is_no_news(maya: Client) -> None:
    maya.post(f"{WREN}retry")
    Job.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert "Being asked" not in text(maya.get(WREN))
