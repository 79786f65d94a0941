"""What needs action, for whom, and what each button does."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Alert, LanguageModel
from gateway.canon.kinds import AlertKind
from probes.models import Job

Enter = Callable[[str], Client]
ALIAS = "granite-l"


def raised(kind: AlertKind = AlertKind.RETIRING, *, days: int = 0, alias: str = ALIAS, **said: object) -> Alert:
    alert = raise_alert("auto-retire", Raised("a", kind, "it has been silent", alias=alias), timezone.now())
    Alert.objects.filter(pk=alert.pk).update(first_seen=timezone.now() - timedelta(days=days), **said)
    alert.refresh_from_db()
    return alert


def page(client: Client) -> str:
    return re.sub(r"\s+", " ", client.get("/").content.decode())


def act(client: Client, alert: Alert, verb: str) -> str:
    reply = client.post(reverse("operations:alert-act", args=[alert.pk, verb]), follow=True)
    return re.sub(r"\s+", " ", reply.content.decode())


def test_nothing_open_shows_nothing(as_person: Enter) -> None:
    assert "Action needed" not in page(as_person("maya"))


@pytest.mark.parametrize(("days", "age"), [(0, "open today"), (1, "open 1 day<"), (3, "open 3 days<")])
def test_an_alert_tells_its_kind_what_it_is_about_and_since_when(as_person: Enter, days: int, age: str) -> None:
    raised(days=days)
    shown = page(as_person("maya"))
    assert "it has been silent" in shown
    assert age in shown
    assert reverse("operations:model", args=[ALIAS]) in shown


def test_who_only_looks_sees_alerts_without_buttons_and_may_not_act(as_person: Enter) -> None:
    alert = raised()
    client = as_person("zoe")
    assert "it has been silent" in page(client)
    assert "Retire now" not in page(client)
    assert client.post(reverse("operations:alert-act", args=[alert.pk, "retire"])).status_code == 404
    assert not LanguageModel.objects.get(alias=ALIAS).retired


def test_retiring_takes_the_model_off_with_the_alert_as_the_reason(as_person: Enter) -> None:
    told = act(as_person("maya"), raised(), "retire")
    model = LanguageModel.objects.get(alias=ALIAS)
    assert model.retired_why == "alert: it has been silent"
    assert f"{ALIAS} is retired." in told
    assert not Alert.objects.exists()


def test_retiring_a_whole_connection_asks_first_and_tells_who_was_refused(as_person: Enter) -> None:
    alert = raised(AlertKind.CONNECTION, alias="", aliases=[ALIAS, "wren", "nobody"])
    client = as_person("maya")
    assert 'data-asks="Retire granite-l, wren, nobody?' in page(client)
    told = act(client, alert, "retire-all")
    assert "Retired: granite-l, wren." in told
    assert "nobody: There is no model" in told
    assert Alert.objects.count() == 1


def test_a_connection_whose_models_are_all_retired_needs_no_action_any_more(as_person: Enter) -> None:
    act(as_person("maya"), raised(AlertKind.CONNECTION, alias="", aliases=[ALIAS, "wren"]), "retire-all")
    assert not Alert.objects.exists()


def test_asking_again_makes_a_job(as_person: Enter) -> None:
    act(as_person("maya"), raised(), "retry")
    assert [job.kind for job in Job.objects.all()] == ["retry"]


def test_allowing_a_model_that_went_paid_lets_it_be_called(as_person: Enter) -> None:
    LanguageModel.objects.filter(alias=ALIAS).update(went_paid_at=timezone.now())
    act(as_person("maya"), raised(AlertKind.WENT_PAID), "allow-paid")
    assert LanguageModel.objects.get(alias=ALIAS).allow_paid


def test_counting_old_verdicts_again_clears_what_was_set_aside(as_person: Enter) -> None:
    LanguageModel.objects.filter(alias=ALIAS).update(evidence_since=timezone.now())
    act(as_person("maya"), raised(AlertKind.CHANGED), "count-again")
    assert LanguageModel.objects.get(alias=ALIAS).evidence_since is None


@pytest.mark.parametrize("verb", ["allow-paid", "restart", "retire-all"])
def test_an_action_that_an_alert_does_not_have_is_not_there(as_person: Enter, verb: str) -> None:
    client = as_person("maya")
    assert client.post(reverse("operations:alert-act", args=[raised().pk, verb])).status_code == 404


def test_what_the_server_retired_by_itself_can_be_brought_back_for_a_week(as_person: Enter) -> None:
    do_retire_model(actor=None, alias=ALIAS, why="gone for three days", by="auto")
    do_retire_model(actor=None, alias="wren", why="by hand", by="maya")
    client = as_person("maya")
    shown = page(client)
    assert "Retired by the server in the last 7 days: 1" in shown
    assert "gone for three days" in shown
    client.post(reverse("operations:alert-restore", args=[ALIAS]))
    assert not LanguageModel.objects.get(alias=ALIAS).retired
    LanguageModel.objects.filter(alias="wren").update(retired_by="auto", retired_at=timezone.now() - timedelta(days=8))
    assert "Retired by the server" not in page(client)


def test_a_page_that_hears_of_news_gets_the_alerts_alone(as_person: Enter) -> None:
    raised()
    part = as_person("maya").get("/", headers={"hx-request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="action-needed"')
    assert "it has been silent" in part
