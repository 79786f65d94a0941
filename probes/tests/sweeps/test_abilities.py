"""What the weekly sweeps ask, and what they find models able to do."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.utils import timezone
from msgspec import json, structs

from collections_app.models import Change, Fact, LanguageModel
from gateway.models import Cooldown
from probes.health import sweeps
from probes.models import ProbeSample
from probes.tests.sweeps.provider import fails, provider, says
from probes.tests.sweeps.sweeping import NOW, lines, registered, swept

RIGHT = str(7_463 * 5_819)
CLOCK = {"id": "1", "type": "function", "function": {"name": "city_clock", "arguments": '{"city": "Lisbon"}'}}
CITY = '{"city": "Lisbon", "population_millions": 0.5, "capital": true}'
ABLE: dict[str, Any] = {
    "tools": says("", tool_calls=[CLOCK]),
    "schema": says(CITY),
    "reasoning": says(RIGHT, reasoning_content="seven thousand times five thousand"),
    "image": says("Red"),
}
UNABLE: dict[str, Any] = {
    "tools": says("It is noon."),
    "schema": says("Lisbon is a capital."),
    "reasoning": says(RIGHT),
    "image": fails(400, "this model takes no images"),
}


@pytest.fixture(autouse=True)
def hurried() -> Any:
    """No time passes between two questions."""
    with patch.object(sweeps, "CAREFUL", structs.replace(sweeps.CAREFUL, gap_s=0.0)):
        yield


def first_is_able(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    told: tuple[int, dict[str, Any]] = (ABLE if served.endswith("1") else UNABLE)[question]
    return told


def facts(alias: str) -> dict[str, Any]:
    rows = Fact.objects.filter(language_model__alias=alias, source="probe")
    return dict(rows.values_list("field", "value"))


def test_what_a_model_does_is_a_fact_and_what_it_does_not_is_none() -> None:
    with provider(first_is_able) as one:
        registered(one.base, models=2)
        job = swept("capabilities")
    assert facts("c1-m1") == {"tools": True, "structured_output": True, "reasoning": True, "vision": True}
    assert facts("c1-m2") == {}
    assert Counter(one.asked) == Counter((f"c1/m{n}", question) for n in (1, 2) for question in ABLE)
    assert lines(job)[:4] == [f"c1-m1: {field}" for field in ("tools", "structured_output", "reasoning", "vision")]
    passed = ProbeSample.objects.filter(language_model__alias="c1-m2", kind="capability").order_by("prompt")
    assert list(passed.values_list("prompt", "passed", "answered")) == [
        ("image", None, False),
        ("reasoning", False, True),
        ("schema", False, True),
        ("tools", False, True),
    ]


def test_questions_are_sent_as_they_must_be() -> None:
    with provider(first_is_able) as one:
        registered(one.base, models=1)
        swept("capabilities")
    bodies = {question: body for (_, question), body in zip(one.asked, one.bodies, strict=True)}
    assert bodies["tools"].get("tool_choice", "auto") == "auto"
    assert [tool["function"]["name"] for tool in bodies["tools"]["tools"]] == ["city_clock"]
    assert bodies["tools"]["max_tokens"] == 1024
    assert bodies["reasoning"]["max_tokens"] == 2048
    assert bodies["schema"]["response_format"]["type"] == "json_schema"
    picture = bodies["image"]["messages"][0]["content"][1]["image_url"]["url"]
    assert picture.startswith("data:image/png;base64,iVBOR")


def test_the_same_again_leaves_no_second_line_in_the_change_log() -> None:
    with provider(first_is_able) as one:
        registered(one.base, models=1)
        swept("capabilities")
        seen = Fact.objects.get(field="tools", source="probe").seen_at
        swept("capabilities", NOW + timedelta(days=7))
    told = Change.objects.filter(actor_name="probe").values_list("name", "field", "new")
    found = ("reasoning", "structured_output", "tools", "vision")
    assert sorted(told) == [("c1-m1", f"found {field}", True) for field in found]
    assert Fact.objects.get(field="tools", source="probe").seen_at == NOW + timedelta(days=7) != seen


def test_who_cannot_see_is_shown_no_picture_and_who_rests_is_asked_nothing() -> None:
    with provider(first_is_able) as one:
        blind, resting = registered(one.base, models=2)
        Fact.objects.create(language_model=blind, field="vision", value=False, source="operator")
        now = timezone.now()
        Cooldown.objects.create(language_model=resting, until=now + timedelta(hours=1), at=now, why="429")
        job = swept("capabilities")
    assert one.asked == [("c1/m1", "tools"), ("c1/m1", "schema"), ("c1/m1", "reasoning")]
    assert (job.state, job.done, job.total) == ("done", 7, 7)
    assert [line for line in lines(job) if "rests for another" in line] == lines(job)[-4:]


def test_speed_asks_three_times_and_once_where_calls_are_few() -> None:
    def word(served: str, question: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return says("harbour" if question == "tiny" else "It sets up a cluster of services.")

    with provider(word) as one:
        registered(one.base, models=1)
        LanguageModel.objects.update(served="c1/m1:free")
        LanguageModel.objects.create(alias="paid", served="c1/m2", endpoint=LanguageModel.objects.get().endpoint)
        job = swept("speed")
    assert Counter(one.asked) == {
        ("c1/m1:free", "tiny"): 1,
        ("c1/m1:free", "large"): 1,
        ("c1/m2", "tiny"): 3,
        ("c1/m2", "large"): 3,
    }
    assert job.note == "2 of 2 models answered"
    large = next(body for (_, name), body in zip(one.asked, one.bodies, strict=True) if name == "large")
    assert 17_000 < len(json.encode(large)) < 20_000
