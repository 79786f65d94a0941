"""The page of benchmarks: what is told of each model, how sure it is, and what it costs to tell."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchwarmers.dashboard import kept
from benchwarmers.dashboard.pieces import Piece
from benchwarmers.operations.benchmarks import summary
from benchwarmers.operations.benchmarks.filters import BenchFilters
from benchwarmers.operations.benchmarks.pieces import piece_of
from benchwarmers.operations.benchmarks.sheet_table import sort_sheets
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.operations.benchmarks.given import NOW, add_claim, add_pair, answer
from collections_app.models import LanguageModel
from probes.models import Job, ProbeSample
from suite.metrics import Share, Sheet
from suite.models import Attempt, Task
from suite.selectors import Loaded, Which, load_results

As = Callable[[str], Client]
TABLE = "/benchmarks/?view=table"
NONE: Piece[Sheet] = piece_of([], "sheets", BenchFilters())
RIGHT, WRONG = "FAULT: line 4\nIt subtracts.", "FAULT: line 2\nIt begins at zero."


@pytest.mark.parametrize("name", ["maya", "ben", "zoe", "boss"])
def test_everybody_of_the_team_sees_the_figures(as_person: As, name: str) -> None:
    assert as_person(name).get("/benchmarks/").status_code == 200


def test_without_tasks_the_page_says_where_they_come_from(as_person: As) -> None:
    assert "No run recorded yet The suite has no task" in text_of(as_person("maya"), "/benchmarks/")


def test_without_answers_the_page_leads_to_a_pass(as_person: As) -> None:
    add_claim()
    assert "The suite has 1 task, and no model has answered one. Begin a pass" in text_of(
        as_person("maya"), "/benchmarks/"
    )
    assert "Begin a pass" not in text_of(as_person("zoe"), "/benchmarks/")


def test_each_model_is_told_with_how_sure_that_is(as_person: As) -> None:
    answer({"osprey": RIGHT, "wren": WRONG}, *add_pair())
    told = text_of(as_person("zoe"), "/benchmarks/?view=table")
    assert "2 models on 2 tasks" in told
    assert "osprey 2 of 2 – 50% 9–91% 50% 9–91% – 1 0 wrong, 0 missed 100% 21–100% 50% 9–91% $0.006 4.0 s 2.0 s" in told


def test_the_worst_stands_first_among_the_confidently_wrong(as_person: As) -> None:
    bug, control = add_pair()
    answer({"osprey": RIGHT, "wren": WRONG}, bug)
    answer({"osprey": "NO FAULT", "wren": WRONG}, control)
    page = as_person("zoe").get("/benchmarks/")
    table = page.context["figures"]["wrong"].figure.table
    assert [row[0] for row in table.rows] == ["wren", "osprey"]


@pytest.mark.parametrize(
    ("query", "models", "tasks"),
    [
        ("", {"osprey", "wren"}, 3),
        ("?shape=claim", {"osprey"}, 1),
        ("?origin=seeded", {"osprey", "wren"}, 2),
        ("?language=python", {"osprey", "wren"}, 2),
        ("?shape=nonsense&origin=nonsense", {"osprey", "wren"}, 3),
        ("?q=SPR", {"osprey"}, 3),
        ("?q=nobody", set(), 3),
        ("?shape=real", set(), 0),
    ],
)
def test_the_figures_are_narrowed(as_person: As, query: str, models: set[str], tasks: int) -> None:
    answer({"osprey": RIGHT, "wren": WRONG}, *add_pair())
    answer({"osprey": "VERDICT: FALSE"}, add_claim())
    page = as_person("zoe").get(f"/benchmarks/{query or '?'}&view=table")
    assert {one.model for one in page.context.get("sheets", NONE).rows} == models
    assert page.context["summary"].tasks == tasks
    assert models or "Nothing fits" in page.content.decode()


def test_retired_models_are_shown_when_they_are_asked_for(as_person: As) -> None:
    answer({"osprey": RIGHT, "wren": WRONG}, *add_pair())
    LanguageModel.objects.filter(alias="wren").update(retired_at=NOW)
    client = as_person("zoe")
    assert [one.model for one in client.get(TABLE).context["sheets"].rows] == ["osprey"]
    assert client.get(f"{TABLE}&retired=1").context["sheets"].total == 2


def test_the_grid_tells_each_task_and_leads_to_it(as_person: As) -> None:
    answer({"osprey": RIGHT, "wren": ""}, *add_pair())
    page = as_person("zoe").get("/benchmarks/?view=code").content.decode()
    assert (
        'href="/benchmarks/tasks/total-bug/#results">total-bug</a></th><td class="g4">100</td><td class="g-no">' in page
    )
    assert 'total-control</a></th><td class="g0 f">0<b>!</b></td>' in page


def test_two_models_are_compared_in_a_sentence(as_person: As) -> None:
    pairs = [task for number in range(8) for task in add_pair(f"t{number}") if not task.control]
    answer({"osprey": RIGHT, "wren": WRONG}, *pairs)
    client = as_person("zoe")
    assert "osprey is better than wren: 100% against 0% on 8 common tasks" in text_of(
        client, "/benchmarks/?first=osprey&second=wren"
    )
    assert "have answered no task in common" in text_of(client, "/benchmarks/?first=osprey&second=nobody")
    assert "comparison" not in client.get("/benchmarks/?first=osprey&second=osprey").context


def test_the_score_is_drawn_over_time_with_its_table(as_person: As) -> None:
    bug, control = add_pair()
    answer({"osprey": RIGHT}, bug)
    answer({"osprey": RIGHT}, control, days=3)
    page = as_person("zoe").get("/benchmarks/?view=time")
    (course,) = page.context["courses"]
    assert course.words == "osprey: from 100% of 1 tasks on 20 November 2026 to 50% of 2 on 23 November 2026"
    assert [(dot.x, dot.y) for dot in course.dots] == [(5.0, 5.0), (295.0, 42.0)]
    assert "osprey 23 Nov 2026 50% 9–91% 2 1" in text_of(as_person("zoe"), "/benchmarks/?view=time")


def test_speed_is_told_by_the_latest_sweep(as_person: As) -> None:
    model = LanguageModel.objects.get(alias="wren")
    answer({"osprey": RIGHT}, *add_pair())
    job = Job.objects.create(kind="speed", key="all", due_at=NOW, created_at=NOW)
    for number, (prompt, seconds) in enumerate([("tiny", 0.5), ("tiny", 0.7), ("large", 8.0), ("large", 0.0)]):
        ProbeSample.objects.create(
            language_model=model,
            job=job,
            kind="speed",
            prompt=prompt,
            at=NOW + timedelta(seconds=number),
            answered=bool(seconds),
            failure="" if seconds else "timeout",
            seconds=seconds,
        )
    assert "wren 2 of 2 0.5 s 0.7 s 1 of 2 8.0 s 8.0 s – – timeout" in text_of(as_person("zoe"), TABLE)


def test_a_script_is_given_the_figures_alone(as_person: As) -> None:
    reply = as_person("zoe").get("/benchmarks/", headers={"HX-Request": "true"}).content.decode()
    assert reply.startswith('<div id="figures"')


def test_the_page_costs_as_many_queries_for_many_answers_as_for_few(as_person: As) -> None:
    client = as_person("zoe")
    answer({"osprey": RIGHT, "wren": WRONG}, *add_pair())
    client.get("/benchmarks/")
    cache.clear()
    with CaptureQueriesContext(connection) as few:
        client.get("/benchmarks/")
    tasks = [task for number in range(5) for task in add_pair(f"t{number}")]
    answer({alias: RIGHT for alias in ("osprey", "wren", "heron-70b", "quill-2")}, *tasks)
    cache.clear()
    with CaptureQueriesContext(connection) as many:
        client.get("/benchmarks/")
    assert len(many) == len(few)


def test_sums_are_made_once_and_anew_when_something_changes(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Which] = []

    def load(which: Which) -> Loaded:
        made.append(which)
        return load_results(which)

    monkeypatch.setattr(summary, "load_results", load)
    client = as_person("zoe")
    tasks = add_pair()
    answer({"osprey": RIGHT}, *tasks)
    client.get("/benchmarks/")
    client.get("/benchmarks/?sort=cost")
    assert len(made) == 1
    answer({"wren": RIGHT}, *tasks)
    assert client.get(TABLE).context["sheets"].total == 2
    Task.objects.filter(slug="total-bug").update(dropped=True)
    assert client.get("/benchmarks/").context["summary"].tasks == 1
    assert len(made) == 3


def test_sums_that_take_long_are_shown_for_a_while(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "LONG_S", 0.0)
    monkeypatch.setattr(kept, "PATIENCE", 1e6)
    client, tasks = as_person("zoe"), add_pair()
    answer({"osprey": RIGHT}, *tasks)
    client.get("/benchmarks/")
    answer({"wren": RIGHT}, *tasks)
    assert client.get(TABLE).context["sheets"].total == 1


def test_nobody_waits_for_the_sums_of_many_answers(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MANY", 1)
    client, tasks = as_person("zoe"), add_pair()
    answer({"osprey": RIGHT}, *tasks)
    waiting = client.get(TABLE)
    assert "sheets" not in waiting.context
    assert 'hx-get="/benchmarks/?view=table&amp;now=1" hx-trigger="load' in waiting.content.decode()
    assert client.get(f"{TABLE}&now=1").context["sheets"].total == 1
    answer({"wren": RIGHT}, *tasks)
    stale = client.get(TABLE)
    assert stale.context["sheets"].total == 1
    assert "newer ones are being made" in stale.content.decode()
    assert client.get(f"{TABLE}&now=1").context["sheets"].total == 2
    assert "newer ones" not in client.get(TABLE).content.decode()


SHEETS = [
    Sheet("a", 3, 3, recall=Share(1, 4), cost_a_finding=5.0),
    Sheet("b", 1, 3, recall=Share(3, 4)),
    Sheet("c", 2, 3, cost_a_finding=2.0),
]


@pytest.mark.parametrize(
    ("sort", "order"),
    [("-recall", "bac"), ("recall", "abc"), ("cost", "cab"), ("-cost", "acb"), ("-answered", "acb"), ("model", "abc")],
)
def test_what_is_not_known_comes_last_either_way(sort: str, order: str) -> None:
    assert "".join(one.model for one in sort_sheets(SHEETS, sort)) == order


def test_nothing_that_is_written_into_a_task_or_a_name_becomes_markup(as_person: As) -> None:
    bad = "<img src=x>"
    LanguageModel.objects.filter(alias="osprey").update(alias=bad)
    answer({bad: RIGHT}, add_claim(bad, title=bad))
    assert "<img" not in as_person("zoe").get("/benchmarks/").content.decode()


def test_an_answer_that_waits_is_no_answer(as_person: As) -> None:
    answer({"osprey": RIGHT}, *add_pair())
    Attempt.objects.update(outcome="", at=None)
    assert "No run recorded yet" in text_of(as_person("zoe"), "/benchmarks/")
