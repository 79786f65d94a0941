"""What a full pass says of models whose skill is known: each figure is what they can, within its interval, and the
order is theirs."""

from __future__ import annotations

from collections.abc import Mapping

from collections_app.models import Endpoint, LanguageModel
from probes.models import Job
from probes.tests.jobs.given import NOW
from probes.tests.sweeps.provider import Provider, provider
from suite.comparison import compare
from suite.heat_map import heat_map
from suite.metrics import Share, Sheet, sheets
from suite.models import TaskVersion
from suite.selectors import Which, load_results
from suite.store import keep_task
from suite.tests.asking.passing import begun, worked
from suite.tests.skill.skilled import Skill, skilled, tasks

MODELS = {
    "sharp": Skill(finds=0.8, invents=0.1),
    "shy": Skill(finds=0.8, invents=0.1, refuses=0.3),
    "fair": Skill(finds=0.5, invents=0.2),
    "poor": Skill(finds=0.2, invents=0.6),
}
PAIRS, FINDINGS, CLAIMS = 30, 8, 20


def passed(one: Provider) -> Job:
    """A pass of all models over all tasks, each on a connection of its own."""
    for draft in tasks(PAIRS, FINDINGS, CLAIMS):
        keep_task(draft, by="maya", now=NOW, reviewed=True)
    for name in MODELS:
        endpoint = Endpoint.objects.create(name=name, base=one.base, kind="local")
        LanguageModel.objects.create(alias=name, served=name, endpoint=endpoint)
    versions = list(TaskVersion.objects.order_by("task__slug"))
    return worked(begun(list(LanguageModel.objects.all()), versions)[1])


def measured() -> dict[str, Sheet]:
    return {sheet.model: sheet for sheet in sheets(load_results(Which()).today)}


def holds(share: Share, truth: float) -> bool:
    """Whether the truth is within the interval that is stated."""
    interval = share.interval
    return interval is not None and interval.low <= truth <= interval.high


def figures(sheet: Sheet) -> Mapping[str, Share]:
    hunt = sheet.hunt
    bugs = hunt.found + hunt.wrong_line + hunt.missed
    return {"recall": sheet.recall, "bugs": Share(hunt.found, bugs), "claims": sheet.claims, "alarms": sheet.controls}


def test_a_full_pass_measures_what_each_model_can_and_puts_them_in_order() -> None:
    with provider(skilled(MODELS)) as one:
        job = passed(one)
    asked = 2 * PAIRS + FINDINGS + CLAIMS
    assert (job.state, job.note) == ("done", f"{4 * asked - 6} answered, 6 refused")
    told = measured()
    for name, skill in MODELS.items():
        truth = {"recall": skill.finds, "bugs": skill.finds, "claims": skill.finds, "alarms": skill.invents}
        wrong = {what: share for what, share in figures(told[name]).items() if not holds(share, truth[what])}
        assert not wrong, (name, wrong)
    # The models know exactly their share, so the shares are not only within the intervals.
    assert {name: sheet.hunt.found for name, sheet in told.items()} == {"sharp": 24, "shy": 24, "fair": 15, "poor": 6}
    assert {name: sheet.controls.hits for name, sheet in told.items()} == {"sharp": 3, "shy": 3, "fair": 6, "poor": 18}
    assert {name: sheet.recall.share for name, sheet in told.items() if name != "shy"} == {
        "sharp": 0.8,
        "fair": 0.5,
        "poor": 0.2,
    }
    assert [model for model, _ in heat_map(load_results(Which()).today).rows][-2:] == ["fair", "poor"]
    by_score = sorted(told.values(), key=lambda sheet: -(sheet.hunt.score or 0))
    assert [sheet.model for sheet in by_score][2:] == ["fair", "poor"]
    by_wrong = sorted(told.values(), key=lambda sheet: sheet.wrongs.share or 0)
    assert [sheet.model for sheet in by_wrong][2:] == ["fair", "poor"]

    results = load_results(Which()).today
    assert [compare(results, one, other).better for one, other in PAIRED] == ["sharp", "fair", "sharp", ""]

    # A refusal says nothing of what a model knows: it is neither right nor wrong.
    assert (told["shy"].asked, told["shy"].tasks) == (asked, asked - 6)
    assert told["shy"].claims.of == CLAIMS - 6


PAIRED = (("sharp", "fair"), ("poor", "fair"), ("poor", "sharp"), ("sharp", "shy"))
