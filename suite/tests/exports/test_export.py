"""Results in the forms of other tools, as the command writes them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.tests.world import World
from gateway.canon.kinds import TaskShape
from suite.exports.answers import CHUNK, Which, answers
from suite.exports.promptfoo import assertions
from suite.models import Attempt, SuitePass, Task
from suite.tests.exports.conftest import NOW, drop

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("world")]


def ran(*words: str) -> str:
    out = io.StringIO()
    call_command("export_suite", *words, stdout=out)
    return out.getvalue()


def lines(*words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran("--form", "jsonl", *words).split("\n")[:-1]]


def test_a_line_tells_one_attempt_with_its_task_score_and_times() -> None:
    found = lines()
    assert [(one["model"], one["task"], one["outcome"]) for one in found] == [
        ("fast", "bug-1", "answered"),
        ("fast", "bug-1", "answered"),
        ("fast", "finding-1", "answered"),
        ("fast", "finding-1", "answered"),
        ("slow", "bug-1", "refused"),
        ("slow", "bug-1", "refused"),
        ("slow", "finding-1", "timeout"),
        ("slow", "finding-1", "timeout"),
    ]
    first = found[0]
    assert len(first["digest"]) == 64
    assert first["at"] == "2026-06-01T12:00:00Z"
    assert (first["seconds"], first["tokens_in"], first["cost_usd"], first["credit"]) == (2.5, 100, 0.002, 1.0)
    assert (first["score"]["hunt"], first["score"]["found"], first["score"]["scorer"]) == ("found", 1, 1)
    assert found[3]["credit"] == 0.5
    assert found[3]["score"]["invented"] == ["deadlock"]
    last = found[-1]
    assert (last["score"], last["credit"], last["seconds"], last["cost_usd"]) == (None, None, None, None)
    assert (last["failure"], last["detail"]) == ("timeout", "no end")


def test_of_a_needle_the_recipe_of_the_code_around_it_is_told_apart_from_what_was_sent() -> None:
    Task.objects.filter(slug="bug-1").update(shape=TaskShape.NEEDLE)
    found = lines("--models", "fast")
    assert {(one["task"], one["drawn"]) for one in found} == {("bug-1", "3 | x"), ("finding-1", "")}
    sent = {one["vars"]["prompt"] for one in json.loads(ran("--form", "promptfoo"))["results"]["results"]}
    assert sent == {"Find it.", "What leaks?"}


def test_models_and_days_narrow_and_drafts_and_dropped_tasks_stay_out_unless_asked_for() -> None:
    assert {one["model"] for one in lines("--models", "slow")} == {"slow"}
    assert len(lines("--since", "2026-06-02")) == 4
    assert len(lines("--since", "2026-06-02T12:00:01Z")) == 0
    assert {one["task"] for one in lines("--drafts")} == {"bug-1", "finding-1", "hidden-1"}
    drop("bug-1")
    assert {one["task"] for one in lines()} == {"finding-1"}


def logs(folder: Path, *words: str) -> dict[str, dict[str, Any]]:
    ran("--form", "inspect", "--to", str(folder), *words)
    read = [json.loads(file.read_text()) for file in folder.iterdir()]
    return {log["eval"]["model"]: log for log in read}


def test_inspect_gets_a_log_for_each_model_with_a_sample_for_each_attempt(tmp_path: Path) -> None:
    found = logs(tmp_path / "logs")
    assert set(found) == {"benchwarmers/fast", "benchwarmers/slow"}
    assert all(
        file.name.startswith("2026-06-02T12-00-00+00-00_benchwarmers-suite_") for file in (tmp_path / "logs").iterdir()
    )
    fast, slow = found["benchwarmers/fast"], found["benchwarmers/slow"]
    assert (fast["version"], fast["status"], fast["eval"]["dataset"]["samples"]) == (2, "success", 2)
    assert [(one["id"], one["epoch"], one["scores"]["suite"]["value"]) for one in fast["samples"]] == [
        ("bug-1", 1, 1.0),
        ("bug-1", 2, 0.0),
        ("finding-1", 1, 1.0),
        ("finding-1", 2, 0.5),
    ]
    sample = fast["samples"][0]
    assert sample["input"].endswith("===== FILE: a.py =====\n3 | x")
    assert sample["target"] == ["line 3"]
    assert sample["scores"]["suite"]["answer"] == "FAULT: line 3"
    assert sample["output"]["usage"] == {
        "input_tokens": 100,
        "output_tokens": 10,
        "total_tokens": 110,
        "total_cost": 0.002,
    }
    assert sample["started_at"] == "2026-06-01T11:59:57.500000+00:00"
    (score,) = fast["results"]["scores"]
    assert (score["metrics"]["mean"]["value"], score["scored_samples"], score["unscored_samples"]) == (0.625, 4, 0)
    assert fast["stats"]["model_usage"]["benchwarmers/fast"]["total_tokens"] == 440
    refused, _, failed, _ = slow["samples"]
    assert refused["output"]["choices"][0]["stop_reason"] == "content_filter"
    assert "error" not in refused
    assert failed["error"]["message"] == "timeout: timeout: no end"
    assert "scores" not in failed
    assert slow["results"]["scores"][0]["metrics"] == {}


def test_promptfoo_gets_a_column_for_each_model_and_a_row_for_each_repetition() -> None:
    told = json.loads(ran("--form", "promptfoo"))
    results = told["results"]
    assert results["version"] == 3
    assert [(one["provider"], one["metrics"]["testPassCount"]) for one in results["prompts"]] == [
        ("fast", 2),
        ("slow", 0),
    ]
    assert {one: results["stats"][one] for one in ("successes", "failures", "errors")} == {
        "successes": 2,
        "failures": 2,
        "errors": 4,
    }
    places = [(one["promptIdx"], one["testIdx"]) for one in results["results"]]
    assert len(set(places)) == len(places) == 8
    assert sorted(row for column, row in places if column == 0) == sorted(row for column, row in places if column == 1)
    good, bad, *_ = results["results"]
    assert (good["success"], good["failureReason"], good["gradingResult"]["pass"]) == (True, 0, True)
    assert (bad["success"], bad["failureReason"], bad["score"]) == (False, 1, 0.0)
    assert bad["gradingResult"]["componentResults"][0]["reason"] == "line 3 was missed"
    refused = results["results"][4]
    assert (refused["failureReason"], refused["response"]["isRefusal"], refused["error"]) == (2, True, "refused: other")
    assert told["config"]["providers"] == ["fast", "slow"]


def test_clauses_are_told_as_assertions() -> None:
    key = {
        "must_find": ["a", {"any_of": ["b", "c"]}, {"regex": "^d", "label": "begins"}],
        "must_not_claim": ["e", {"any_of": ["f"]}, {"regex": "g", "label": "has"}],
    }
    assert [(one["type"], one["value"]) for one in assertions(key)] == [
        ("icontains", "a"),
        ("icontains-any", ["b", "c"]),
        ("regex", "^d"),
        ("not-icontains", "e"),
        ("not-icontains-any", ["f"]),
        ("not-regex", "g"),
    ]


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    ran("--form", "jsonl", "--to", str(file))
    assert len(file.read_text().splitlines()) >= 8
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]
    with pytest.raises(CommandError, match="No such file"):
        ran("--form", "jsonl", "--to", str(tmp_path / "nowhere" / "out.jsonl"))


@pytest.mark.parametrize("form", ["jsonl", "promptfoo"])
def test_nothing_to_tell_is_told_in_the_same_form(form: str) -> None:
    Attempt.objects.all().delete()
    told = ran("--form", form)
    assert told == "" if form == "jsonl" else json.loads(told)["results"]["results"] == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--form", "jsonl", "--models", "fast,gone"), "no model gone"),
        (("--form", "jsonl", "--since", "soon"), "neither a day nor a moment"),
        (("--form", "jsonl", "--since", "2026-13-01"), "neither a day nor a moment"),
        (("--form", "inspect"), "Name a folder"),
    ],
)
def test_what_cannot_be_done_is_refused(words: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        ran(*words)


def test_answers_are_read_in_pieces_whatever_their_number(world: World) -> None:
    template = Attempt.objects.filter(language_model=world.model("fast")).first()
    assert template is not None
    other = SuitePass.objects.create(kind="manual", created_at=NOW)
    for number in range(2 * CHUNK):
        template.pk, template.suite_pass, template.number = None, other, number + 1
        template.save()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert len(list(answers(Which(models=("fast",))))) == 2 * CHUNK + 4
    # One for the rows, one for the scores of each piece, one for each version.
    assert len(asked) == 1 + 3 + 2
