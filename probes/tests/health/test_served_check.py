"""The daily check: what it writes down, asks, retires and says, and what it leaves to others."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.models import Alert, Change, LanguageModel, Setting
from collections_app.tests.world import World
from gateway.canon.kinds import AlertKind, JobState
from probes.health.fan_out import Errand
from probes.health.served_check import Reach, check_served
from probes.jobs.work import JobAtWork
from probes.models import ProbeSample, Served
from probes.tests.health.checking import Keep, Outside, Said, alerts, at_work, checked, claimed, kinds

NOW = datetime(2026, 3, 20, 8, tzinfo=UTC)
DAY = timedelta(days=1)
GONE = Said("structural", "no such model")


@pytest.fixture
def outside(world: World) -> Outside:
    """Everything is listed, and everybody answers."""
    return Outside(
        {
            "north": ["vendor/fast-1", "vendor/slow-2", "vendor/new-3"],
            "south": ["maker/coder-7b", "maker/tiny-1b", "maker/other"],
            "cellar": ["home-3"],
        }
    )


def probed(alias: str, at: datetime, **said: Any) -> None:
    model = LanguageModel.objects.get(alias=alias)
    fields = {"answered": not said.get("failure"), **said}
    ProbeSample.objects.create(language_model=model, kind="availability", prompt="tiny", at=at, **fields)


def retired() -> list[str]:
    return list(LanguageModel.objects.exclude(retired_at=None).values_list("alias", flat=True))


def test_of_a_provider_what_is_registered_is_recorded_and_of_the_default_hub_all(outside: Outside) -> None:
    do_save_endpoint(actor=None, name="hub", base="https://hub.example/api", kind="hub", hub="openwebui", default=True)
    outside.listed["hub"] = ["a.one", "b.two"]
    ending, lines = checked(outside, NOW)
    assert ending.state == JobState.DONE
    seen = {(row.endpoint.name, row.served) for row in Served.objects.select_related("endpoint")}
    assert seen == {
        ("hub", "a.one"),
        ("hub", "b.two"),
        ("north", "vendor/fast-1"),
        ("north", "vendor/slow-2"),
        ("south", "maker/coder-7b"),
        ("south", "maker/tiny-1b"),
        ("cellar", "home-3"),
    }
    assert "north: lists 3 models, 2 of the 2 registered among them" in lines
    assert Alert.objects.count() == 0


def test_a_missing_name_keeps_its_first_day_and_comes_back_clean(outside: Outside) -> None:
    checked(outside, NOW)
    outside.listed["north"] = ["vendor/slow-2"]
    checked(outside, NOW + DAY)
    checked(outside, NOW + 2 * DAY)
    row = Served.objects.get(served="vendor/fast-1")
    assert (row.last_seen, row.first_missing) == (NOW, NOW + DAY)
    model = LanguageModel.objects.get(alias="fast")
    assert (model.status, model.retire_in) == ("not served", 2)
    assert alerts() == {
        ("auto-retire", "fast"): "fast will be retired in 2 days unless it answers: not listed since 2026-03-21."
    }
    outside.listed["north"] = ["vendor/slow-2", "vendor/fast-1"]
    checked(outside, NOW + 3 * DAY)
    row.refresh_from_db()
    assert (row.last_seen, row.first_missing) == (NOW + 3 * DAY, None)
    model.refresh_from_db()
    assert (model.status, model.retire_in, Alert.objects.count()) == ("untested", None, 0)


def test_a_model_missing_for_three_days_is_retired_by_auto_and_its_alert_goes(outside: Outside) -> None:
    checked(outside, NOW)
    outside.listed["north"] = ["vendor/slow-2"]
    for day in range(1, 5):
        checked(outside, NOW + day * DAY)
    row = LanguageModel.objects.get(alias="fast")
    assert (row.retired_by, row.retired_why, row.retired_at) == ("auto", "not listed since 2026-03-21", NOW + 4 * DAY)
    assert row.former == {"core": ["members", "merger"], "pair": ["members"]}
    assert Change.objects.filter(name="fast", field="retired", actor_name="auto", actor=None).count() == 1
    assert Alert.objects.count() == 0


def test_a_model_that_answers_though_it_is_not_listed_has_one_alert_that_stays_and_no_countdown(
    outside: Outside,
) -> None:
    checked(outside, NOW)
    outside.listed["north"] = ["vendor/slow-2"]
    checked(outside, NOW + DAY)
    first = set()
    for day in (2, 3, 4, 5):
        probed("fast", NOW + day * DAY - timedelta(hours=3))
        checked(outside, NOW + day * DAY)
        model = LanguageModel.objects.get(alias="fast")
        assert (model.retired, model.retire_in) == (False, None)
        first |= set(Alert.objects.values_list("pk", flat=True))
    words = "fast is not listed by north since 2026-03-21, but answers all the same."
    assert alerts() == {("served-check", "fast"): words}
    assert len(first) == 1


def test_an_endpoint_that_cannot_be_listed_says_nothing_of_its_models(outside: Outside) -> None:
    checked(outside, NOW)
    outside.listed["north"] = ["vendor/slow-2"]
    checked(outside, NOW + DAY)
    outside.listed["north"] = None
    _, lines = checked(outside, NOW + 9 * DAY)
    assert "north: cannot be listed, so its models count as served: no route to it" in lines
    assert retired() == []
    assert Alert.objects.count() == 0


def test_where_no_endpoint_can_be_listed_nothing_is_decided(outside: Outside) -> None:
    raise_alert("auto-retire", Raised("model:1", AlertKind.RETIRING, "as before", alias="fast"), NOW)
    outside.listed = dict.fromkeys(outside.listed)
    probed("fast", NOW, failure="structural")
    ending, _ = checked(outside, NOW)
    assert ending.state == JobState.FAILED
    assert outside.asked == {}
    assert alerts() == {("auto-retire", "fast"): "as before"}


def test_what_was_never_listed_is_told(outside: Outside) -> None:
    outside.listed["south"].remove("maker/tiny-1b")  # type: ignore[union-attr]
    checked(outside, NOW)
    assert alerts() == {("served-check", "tiny"): "tiny was never listed by south as maker/tiny-1b: check the name."}


def test_a_model_that_is_gone_is_asked_once_more_and_retired(outside: Outside) -> None:
    probed("fast", NOW, failure="paywalled", detail="pay up")
    outside.says["vendor/fast-1"] = GONE
    _, lines = checked(outside, NOW)
    assert outside.asked == {"fast": 1}
    assert retired() == ["fast"]
    why = "structural again on 2026-03-20 (no such model)"
    assert LanguageModel.objects.get(alias="fast").retired_why == why
    assert f"fast: retired: {why}" in lines
    assert ProbeSample.objects.filter(kind="confirm").count() == 1


def test_one_that_answers_when_it_is_asked_once_more_stays_and_is_healthy(outside: Outside) -> None:
    probed("fast", NOW, failure="structural")
    checked(outside, NOW + timedelta(hours=1))
    assert retired() == []
    row = LanguageModel.objects.get(alias="fast")
    assert (row.status, row.retire_in, Alert.objects.count()) == ("healthy", None, 0)


def test_one_that_fails_otherwise_when_it_is_asked_once_more_has_a_day(outside: Outside) -> None:
    probed("fast", NOW, failure="entitlement", detail="not for you")
    outside.says["vendor/fast-1"] = Said("capacity", "too busy")
    checked(outside, NOW)
    assert LanguageModel.objects.get(alias="fast").retire_in == 1
    assert alerts() == {
        ("auto-retire", "fast"): "fast will be retired tomorrow unless it answers: entitlement on 2026-03-20 (not for "
        "you); asked again on 2026-03-20: capacity (too busy)."
    }


def test_a_connection_that_is_down_is_told_once_and_nobody_is_asked_or_retired(outside: Outside) -> None:
    for alias in ("fast", "slow"):
        probed(alias, NOW, failure="entitlement")
    checked(outside, NOW)
    assert (outside.asked, retired()) == ({}, [])
    alert = Alert.objects.get()
    assert (alert.raiser, alert.kind, alert.connection, alert.aliases) == (
        "auto-retire",
        AlertKind.CONNECTION,
        "north",
        ["fast", "slow"],
    )


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        ("structural", "retired", "fast fails: its provider knows no model of that name (its words)"),
        ("paywalled", "retired", "fast fails: its provider serves it for money only (its words)"),
        ("entitlement", "plan", "fast fails: the account may not call it (its words)"),
        ("other", "registration", "fast fails: it fails in a way nobody knows (its words)"),
        ("capacity", None, ""),
        ("timeout", None, ""),
        ("signin", None, ""),
    ],
)
def test_without_automatic_retirement_the_failures_are_told_by_kind(
    outside: Outside, failure: str, kind: str | None, words: str
) -> None:
    Setting.objects.update_or_create(id=1, defaults={"auto_retire": False})
    probed("fast", NOW - 3 * DAY, failure=failure, detail="its words")
    checked(outside, NOW)
    assert outside.asked == {}
    assert kinds() == ({"fast": kind} if kind else {})
    assert [message.removesuffix(".") for message in alerts().values()] == ([words] if words else [])


def test_without_automatic_retirement_what_would_be_retired_is_told_and_stays(outside: Outside) -> None:
    Setting.objects.update_or_create(id=1, defaults={"auto_retire": False})
    for days in (8, 4, 0):
        probed("fast", NOW - days * DAY, failure="timeout")
    checked(outside, NOW)
    assert retired() == []
    assert LanguageModel.objects.get(alias="fast").retire_in is None
    assert kinds() == {"fast": "retired"}


def test_a_hub_that_lists_a_model_under_a_prefix_has_it_renamed_and_never_retired(outside: Outside) -> None:
    do_save_endpoint(actor=None, name="hub", base="https://hub.example/api", kind="hub", hub="openwebui")
    do_save_model(actor=None, alias="qwen", served="qwen3:8b", endpoint="hub", tag="attic")
    outside.listed["hub"] = ["qwen3:8b"]
    checked(outside, NOW)
    outside.listed["hub"] = ["attic.qwen3:8b", "unlike-qwen3:8b"]
    for day in range(1, 6):
        checked(outside, NOW + day * DAY)
    assert retired() == []
    assert alerts() == {("auto-retire", "qwen"): "qwen is listed as attic.qwen3:8b by now: point it there."}
    row = LanguageModel.objects.get(alias="qwen")
    assert (row.status, row.retire_in) == ("not served", None)


def test_alerts_of_others_are_left_alone(outside: Outside) -> None:
    raise_alert("catalog", Raised("model:1", AlertKind.WENT_PAID, "it costs money now", alias="fast"), NOW)
    checked(outside, NOW)
    assert [alert.raiser for alert in Alert.objects.all()] == ["catalog"]


def test_a_model_that_went_paid_is_neither_asked_nor_retired_for_what_it_says(outside: Outside) -> None:
    LanguageModel.objects.filter(alias="fast").update(went_paid_at=NOW - DAY)
    probed("fast", NOW, failure="paywalled")
    checked(outside, NOW)
    row = LanguageModel.objects.get(alias="fast")
    assert (outside.asked, retired(), row.status) == ({}, [], "no longer free")
    assert Alert.objects.count() == 0


def test_a_check_that_is_taken_up_again_lists_nothing_and_asks_nobody_twice(outside: Outside) -> None:
    for alias in ("fast", "tiny"):
        probed(alias, NOW, failure="structural")
    outside.says |= {"vendor/fast-1": GONE, "maker/tiny-1b": GONE}
    work = at_work("served", NOW)

    def ask_one_and_die(job: JobAtWork, errands: Iterable[Errand], keep: Keep) -> None:
        outside.ask_all(job, list(errands)[:1], keep)
        raise Killed

    with pytest.raises(Killed):
        check_served(work, Reach(outside.list_all, ask_one_and_die))
    assert (outside.listings, outside.asked.total(), retired()) == (1, 1, [])
    later = NOW + timedelta(minutes=5)
    ending = check_served(claimed(work.job, later), outside.reach)
    assert ending.state == JobState.DONE
    assert (outside.listings, outside.asked) == (1, {"fast": 1, "tiny": 1})
    assert retired() == ["fast", "tiny"]


class Killed(BaseException):
    """The process ends here."""


def test_another_default_endpoint_leaves_what_was_seen_of_each_where_it_was_seen(outside: Outside) -> None:
    """The same served name on two endpoints is two names, whichever is the default."""
    do_save_model(actor=None, alias="fast-south", served="vendor/fast-1", endpoint="south")
    outside.listed["south"].append("vendor/fast-1")  # type: ignore[union-attr]
    checked(outside, NOW)
    do_save_endpoint(actor=None, name="south", base="https://south.example/v1", kind="aggregator", default=True)
    outside.listed["south"].remove("vendor/fast-1")  # type: ignore[union-attr]
    checked(outside, NOW + DAY)
    missing = Served.objects.exclude(first_missing=None).values_list("endpoint__name", "served")
    assert list(missing) == [("south", "vendor/fast-1")]
    statuses = dict(LanguageModel.objects.values_list("alias", "status"))
    assert (statuses["fast-south"], statuses["fast"]) == ("not served", "untested")
