"""What the scores of a model amount to, each figure with how sure it is. Pure.

Repetitions of one task are averaged first, so that a task asked ten times weighs no more than one asked once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Final

from msgspec import Struct, field

from collections_app.intervals import Interval, wilson
from gateway.canon.kinds import TaskShape
from suite.results import Result, by_task

CHANCES: Final = ("control", "wrong line", "false claim", "trap")
HUNTS: Final = (TaskShape.SEEDED, TaskShape.REAL)


class Share(Struct, frozen=True):
    """`hits` of `of`, with the interval of the share (None of nothing). Both may be fractions after averaging."""

    hits: float = 0.0
    of: float = 0.0

    @property
    def interval(self) -> Interval | None:
        return wilson(self.hits, self.of)

    @property
    def share(self) -> float | None:
        return self.hits / self.of if self.of else None


class Hunt(Struct, frozen=True):
    """How hunts for bugs ended, averaged by task."""

    found: float = 0.0
    wrong_line: float = 0.0
    missed: float = 0.0
    clean: float = 0.0
    false_alarm: float = 0.0

    @property
    def score(self) -> float | None:
        """The share of bugs found less the share of controls alarmed at; None without either."""
        bugs, controls = self.found + self.wrong_line + self.missed, self.clean + self.false_alarm
        if not bugs and not controls:
            return None
        return (self.found / bugs if bugs else 0.0) - (self.false_alarm / controls if controls else 0.0)


class Sheet(Struct, frozen=True):
    """One model's figures. `tasks` counts those it answered, `asked` those it was asked. `recall` is over findings of
    finding tasks, `precision` over what it said that a key covers, `invention` over tasks where something could be
    invented. `wrong` goes by the kind of opportunity. `seconds` is a median; `cost` and `seconds_a_finding` are over
    all finding tasks and hunts, null where unknown or where nothing was found; `cost` in nano-dollars."""

    model: str
    tasks: int
    asked: int
    recall: Share = Share()
    precision: Share = Share()
    invention: Share = Share()
    claims: Share = Share()
    controls: Share = Share()
    hunt: Hunt = Hunt()
    wrong: dict[str, Share] = field(default_factory=dict)
    seconds: float | None = None
    cost_a_finding: float | None = None
    seconds_a_finding: float | None = None
    spread: float | None = None

    @property
    def wrongs(self) -> Share:
        """All kinds together."""
        return Share(sum(one.hits for one in self.wrong.values()), sum(one.of for one in self.wrong.values()))


def sheets(results: Iterable[Result]) -> list[Sheet]:
    """One for each model, by its name. Needles are left out: how much one can hold says little of how well it thinks,
    and they have figures of their own (suite.needles)."""
    every = [one for one in results if one.shape is not TaskShape.NEEDLE]
    asked: dict[str, set[str]] = defaultdict(set)
    for one in every:
        asked[one.model].add(one.task)
    tasks: dict[str, list[list[Result]]] = defaultdict(list)
    for (model, _), takes in sorted(by_task(every).items()):
        tasks[model].append(takes)
    return [_sheet(model, len(asked[model]), tasks[model]) for model in sorted(asked)]


def _sheet(model: str, asked: int, tasks: Sequence[Sequence[Result]]) -> Sheet:
    findings = [takes for takes in tasks if takes[0].shape is TaskShape.FINDING]
    found = sum(_mean(takes, "found") for takes in tasks)
    invented = sum(_mean(takes, "invented") for takes in tasks)
    located = sum(
        _mean(takes, "found") for takes in tasks if takes[0].shape is not TaskShape.CLAIM and not takes[0].control
    )
    takes_all = [one for takes in tasks for one in takes]
    costs = [one.cost for one in takes_all]
    timed = [one.seconds for one in takes_all if one.seconds]  # answers that were brought from elsewhere have no time
    spreads = [max(one.found for one in takes) - min(one.found for one in takes) for takes in tasks if len(takes) > 1]
    return Sheet(
        model=model,
        tasks=len(tasks),
        asked=asked,
        recall=Share(sum(_mean(takes, "found") for takes in findings), float(sum(takes[0].of for takes in findings))),
        precision=Share(found, found + invented),
        invention=Share(sum(fmean(bool(one.invented) for one in takes) for takes in tasks), float(len(tasks))),
        claims=_claims(tasks),
        controls=Share(
            sum(fmean(one.hunt == "false alarm" for one in takes) for takes in tasks if takes[0].control),
            float(sum(1 for takes in tasks if takes[0].control)),
        ),
        hunt=_hunts(tasks),
        wrong=_wrong(tasks),
        seconds=median(timed) if timed else None,
        cost_a_finding=fmean_cost(costs, len(takes_all), located, len(tasks)),
        seconds_a_finding=sum(_mean(takes, "seconds") for takes in tasks) / located
        if located and len(timed) == len(takes_all)
        else None,
        spread=fmean(spreads) if spreads else None,
    )


def fmean_cost(costs: Sequence[int | None], takes: int, located: float, tasks: int) -> float | None:
    """Nano-dollars for one finding: the mean cost of an answer, for all tasks, over what was located."""
    known = [cost for cost in costs if cost is not None]
    if not located or not takes or len(known) < takes:
        return None
    return fmean(known) * tasks / located


def _mean(takes: Sequence[Result], name: str) -> float:
    return fmean(float(getattr(one, name)) for one in takes)


def _claims(tasks: Sequence[Sequence[Result]]) -> Share:
    claims = [takes for takes in tasks if takes[0].shape is TaskShape.CLAIM]
    return Share(sum(_mean(takes, "found") for takes in claims), float(len(claims)))


def _hunts(tasks: Sequence[Sequence[Result]]) -> Hunt:
    ends: Counter[str] = Counter()
    for takes in tasks:
        if takes[0].shape in HUNTS:
            for one in takes:
                if one.hunt:
                    ends[one.hunt] += 1 / len(takes)  # type: ignore[assignment]  # a Counter adds fractions too
    return Hunt(ends["found"], ends["wrong line"], ends["missed"], ends["clean"], ends["false alarm"])


def _wrong(tasks: Sequence[Sequence[Result]]) -> dict[str, Share]:
    hits: dict[str, float] = defaultdict(float)
    of: dict[str, float] = defaultdict(float)
    for takes in tasks:
        if chance := takes[0].chance:
            of[chance] += 1
            hits[chance] += fmean(one.wrong for one in takes)
    return {kind: Share(hits[kind], of[kind]) for kind in CHANCES if kind in of}
