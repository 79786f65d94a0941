"""The schedule, the theme and the stamp for programs, and what this server does not have."""

from __future__ import annotations

from typing import Any

import pytest

from benchwarmers.tests.api.given import Program, journal
from collections_app.models import Preference, Setting


def test_the_status_tells_of_the_schedule(maya: Program) -> None:
    told = maya.get("/api/status")
    assert told["scheduler"] == "off"
    assert told["scheduler_jobs"]["availability"] is True
    assert told.keys() >= {
        *("version", "gateway", "folder", "models", "decision_models", "retired", "collections", "endpoints"),
        *("default_endpoint", "auth", "keys_required", "onboarding"),
    }


def test_jobs_that_are_not_named_stay_as_they_are(maya: Program) -> None:
    before = maya.get("/api/scheduler")["jobs"]
    told = maya.post("/api/scheduler", {"mode": "log-only", "jobs": {"catalog": False}})
    assert (told["mode"], Setting.load().scheduler) == ("log-only", "log-only")
    assert told["jobs"] == before | {"catalog": False}
    assert {who for who, *_ in journal()} == {"maya"}
    count = len(journal())
    assert maya.post("/api/scheduler", {"jobs": told["jobs"]}) == told
    assert len(journal()) == count


@pytest.mark.parametrize(("body", "words"), [
    ({"mode": "sometimes"}, "mode: "),
    ({"mode": "log-only", "jobs": {"laundry": True}}, "jobs: There is no job “laundry”"),
    ({"jobs": {"catalog": "off"}}, "jobs: It is true or false"),
])  # fmt: skip
def test_a_schedule_that_cannot_be_changes_nothing(maya: Program, body: dict[str, Any], words: str) -> None:
    before = maya.get("/api/scheduler")
    assert words in maya.refused("/api/scheduler", body)
    assert maya.get("/api/scheduler") == before


def test_the_schedule_runs_when_it_is_told_to(maya: Program) -> None:
    assert maya.post("/api/scheduler", {"mode": "run"})["mode"] == "run"
    assert Setting.load().scheduler == "run"


def test_a_theme_is_the_persons_own() -> None:
    Program("zoe").post("/api/theme", {"theme": "contrast"})
    assert Preference.objects.get(user__username="zoe").theme == "contrast"
    assert "theme: " in Program("zoe").refused("/api/theme", {"theme": "plaid"})


def test_the_stamp_moves_with_a_change_and_only_then(maya: Program) -> None:
    zoe = Program("zoe")
    first = zoe.get("/api/stamp")["stamp"]
    assert zoe.get("/api/stamp")["stamp"] == first
    maya.post("/api/model", {"alias": "wren", "new_role": "code"})
    assert zoe.get("/api/stamp")["stamp"] != first


def test_what_this_server_does_not_have_says_so(maya: Program) -> None:
    assert "calls every API itself" in maya.refused("/api/client", {"client": "llm"}, 404)
    maya.get("/api/client", 404)
    maya.get("/api/stamp?since=1", 400)
