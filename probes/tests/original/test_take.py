"""A folder of the original is taken over once, with a report of what was left out and why."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from collections_app.actions.person import do_save_person
from collections_app.models import (
    Collection,
    ConnectionLimit,
    Endpoint,
    Evidence,
    GatewayKey,
    LanguageModel,
    Setting,
    Standing,
    Verdict,
)
from gateway.engine.loading import load_snapshot
from gateway.models import Call, Panel, Seat, UsageDay
from probes.models import ConnectionFact, Dismissal, ProbeSample
from probes.original.folder import NoFolder
from probes.original.report import Report
from probes.original.take import take_over
from probes.tests.original.made import PANEL, make_folder, write

pytestmark = pytest.mark.django_db
TABLES = (Endpoint, LanguageModel, Collection, GatewayKey, Evidence, Verdict, Panel, Seat, Call, ProbeSample, Dismissal)


@pytest.fixture
def taken(tmp_path: Path) -> Report:
    owner = do_save_person(actor=None, username="dora", groups=["admin"])
    return take_over(make_folder(tmp_path), owner=owner, dry_run=False)


def counts() -> list[int]:
    return [table.objects.count() for table in TABLES]


def test_a_rehearsal_reports_the_same_and_writes_nothing(tmp_path: Path) -> None:
    owner = do_save_person(actor=None, username="dora", groups=["admin"])
    folder = make_folder(tmp_path)
    before = counts()
    rehearsed = take_over(folder, owner=owner, dry_run=True)
    assert counts() == before
    assert list(take_over(folder, owner=owner, dry_run=False).lines()) == list(rehearsed.lines())


def test_a_second_run_adds_nothing(taken: Report, tmp_path: Path) -> None:
    before = counts()
    again = take_over(tmp_path, owner=GatewayKey.objects.get().owner, dry_run=False)
    assert counts() == before
    assert [kind for kind, tally in again.tallies.items() if tally.added] == []


def test_what_is_left_out_is_told_with_its_reason(taken: Report) -> None:
    told = "\n".join(taken.lines())
    assert "stray: " in told
    assert "lost: It leads to nobody, which is not here." in told
    assert "bad: " in told
    assert "there is no model nobody" in told
    assert "runs/gateway/calls.jsonl, line 2: no JSON object; left out" in told
    assert "Endpoint again was signed in to; sign in again" in told
    assert "Stop it before you switch this one on" in told
    assert "1 saved answers to tasks of the suite" in told


def test_models_stand_on_the_endpoint_of_their_address_and_key(taken: Report) -> None:
    homes = {row.alias: row.endpoint.name for row in LanguageModel.objects.select_related("endpoint")}
    assert homes == {"fast": "north", "slow": "hub", "coder": "again", "gone": "north"}
    assert Endpoint.objects.get(default=True).name == "hub"
    coder = LanguageModel.objects.get(alias="coder")
    assert (coder.role, coder.ad_hoc) == ("code", True)
    assert LanguageModel.objects.get(alias="slow").tag == "groq/vendor"
    gone = LanguageModel.objects.get(alias="gone")
    assert (gone.retired_by, gone.retired_why) == ("auto", "dead")
    assert gone.retired_at is not None
    assert gone.retired_at.isoformat() == "2026-05-02T10:00:00+00:00"


def test_facts_come_with_their_sources(taken: Report) -> None:
    fast = load_snapshot().models["fast"]
    assert (fast.tools, fast.context_window, fast.reasoning) == (True, 8192, True)
    assert fast.limits == {"rpm": 30, "tpm": 9000}
    assert fast.sources["limits.rpm"] == "operator"
    assert fast.sources["context_window"] == "learned"
    assert LanguageModel.objects.get(alias="fast").options == {"max_tokens": 800}


def test_collections_settings_limits_and_connections_come_along(taken: Report) -> None:
    core = load_snapshot().collections["core"]
    assert (core.members, core.shape, core.tags) == (("fast", "slow"), "review", ("x",))
    assert (Setting.load().max_calls, Setting.load().scheduler) == (4, "off")
    assert ConnectionLimit.objects.get(connection="north").rpmo == 1000
    facts = {row.connection: (row.paid, row.models_dev) for row in ConnectionFact.objects.all()}
    assert facts == {"north": (True, ""), "hub": (False, "nvidia")}
    assert LanguageModel.objects.get(alias="fast").allow_paid
    dismissed = {(row.served, row.endpoint.name) for row in Dismissal.objects.select_related("endpoint")}
    assert dismissed == {("vendor/dull", "hub"), ("vendor/dull", "north"), ("strange@name", "hub")}


def test_a_key_goes_on_opening_what_it_did(taken: Report) -> None:
    (key,) = load_snapshot().keys.values()
    assert (key.name, key.owner_name, key.scope, key.rpm) == ("ci", "dora", frozenset({"core"}), 9)


def test_panels_and_verdicts_become_evidence_under_the_names_of_today(taken: Report) -> None:
    panel = Panel.objects.get()
    assert (panel.pk, panel.collection_name, panel.shape, panel.prompt) == (PANEL, "core", "review", "two and two?")
    assert [(seat.alias, seat.status, seat.answer) for seat in panel.seats.all()] == [
        ("fast", "ok", "four"),
        ("old-slow", "error", ""),
    ]
    seat = Evidence.objects.get(call=f"{PANEL}.member1")
    assert (seat.kind, seat.collection_name, seat.shape, seat.task) == ("seat", "core", "review", "two and two?")
    assert (seat.useful, seat.real_claims, seat.false_claims) == (1.0, 0, 2)
    assert seat.at == panel.started_at
    by_hand = Evidence.objects.get(kind="offline")
    assert (by_hand.language_model.alias, by_hand.useful, by_hand.task) == ("slow", 0.0, "a review by hand")
    overall = Standing.objects.get(language_model__alias="fast", collection_name="", shape="")
    assert (overall.judged, overall.useful) == (1, 1.0)


def test_the_ledger_and_the_measurements_come_along_and_are_summed(taken: Report) -> None:
    assert [(row.alias, row.language_model and row.language_model.alias) for row in Call.objects.order_by("at")] == [
        ("fast", "fast"),
        ("old-slow", "slow"),
    ]
    assert sum(UsageDay.objects.values_list("tokens_in", flat=True)) == 24
    samples = {row.language_model.alias: (row.answered, row.failure, row.seconds) for row in ProbeSample.objects.all()}
    assert samples == {"fast": (True, "", 0.8), "slow": (False, "capacity", 0.0)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config/endpoints.json", '{"north": {"base": '),
        ("config/collections.json", "[]"),
        ("config/extra-openai-models.yaml", "- model_id: [unclosed"),
    ],
)
def test_a_damaged_document_stops_it_before_anything_is_written(tmp_path: Path, name: str, text: str) -> None:
    write(make_folder(tmp_path) / name, text)
    before = counts()
    with pytest.raises(NoFolder, match=name):
        take_over(tmp_path, owner=None, dry_run=False)
    assert counts() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("model-roles", {"models": 5}),
        ("model-learned", {"fast": {"capabilities": 5}}),
        ("connections", {"allow_paid": 1.5}),
        ("collections", {"odd": {"members": [["x"]]}}),
    ],
)
def test_a_document_of_another_form_stops_it_and_nothing_is_written(tmp_path: Path, name: str, said: object) -> None:
    make_folder(tmp_path)
    (tmp_path / "config" / f"{name}.json").write_text(json.dumps(said))
    before = counts()
    with pytest.raises(NoFolder):
        take_over(tmp_path, owner=None, dry_run=False)
    assert counts() == before


def test_the_command_says_what_it_did_and_refuses_what_is_no_folder(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("import_original", str(make_folder(tmp_path)), "--dry-run", stdout=out)
    assert "models: 3 new" in out.getvalue()
    assert "ci: nobody to own it" in out.getvalue()
    assert out.getvalue().endswith("Nothing was written.\n")
    with pytest.raises(CommandError, match="no folder config"):
        call_command("import_original", str(tmp_path / "elsewhere"))
    with pytest.raises(CommandError, match="nobody called"):
        call_command("import_original", str(tmp_path), "--owner", "nobody")
