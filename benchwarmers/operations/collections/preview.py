"""Who would sit in the next panel of a collection, or take its next conversation, and why: pure, by the engine's own
plans. The collection need not be saved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Raw

from gateway.canon.ask import Ask, Media, Text, Tool, Turn
from gateway.canon.fault import Fault
from gateway.canon.kinds import ReplyKind
from gateway.engine.merge_plan import NoMerger, choose_merger, skipped_merger
from gateway.engine.moment import Moment
from gateway.engine.plan import PanelPlan, plan_panel
from gateway.engine.ranking import believe
from gateway.engine.route_plan import plan_route
from gateway.engine.snapshot import CollectionView, Snapshot

DRAWS: Final = 200
"""Conversations that are begun in thought, to tell who takes how many of a hundred."""
SEED: Final = 8123
LONG: Final = 30_000
"""Tokens of the long request, about."""
CARRIES: Final = {
    "text": gettext_lazy("a short text"),
    "long": gettext_lazy("a text of 30,000 tokens"),
    "image": gettext_lazy("an image"),
    "tools": gettext_lazy("an agent's tools"),
}
"""What the request of the preview brings."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat of the next panel. `kind` is member, explorer or merger; `until` says when it would be another's."""

    kind: str
    label: str
    alias: str
    why: str
    until: str


@dataclass(frozen=True, slots=True)
class Taker:
    """A member that may take a conversation: `share` of new ones out of a hundred go to it. `turns` is a sentence about
    what would change that."""

    alias: str
    share: int
    why: str
    turns: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What would happen now. `refused` is what the caller would be told instead of an answer; `shape_by` who says what
    kind of work it is; `open` that this is told from the request."""

    chairs: Sequence[Chair] = ()
    takers: Sequence[Taker] = ()
    skipped: Sequence[tuple[str, str]] = ()
    refused: str = ""
    shape: str = ""
    shape_by: str = ""
    open: bool = False

    @property
    def members(self) -> int:
        """How many members sit."""
        return sum(chair.kind == "member" for chair in self.chairs)

    @property
    def explorers(self) -> int:
        """How many explore."""
        return sum(chair.kind == "explorer" for chair in self.chairs)


def preview(collection: CollectionView, snapshot: Snapshot, moment: Moment, carries: str = "text") -> Preview:
    """The next panel, or the next conversation where the collection routes."""
    ask = make_ask(collection, carries)
    try:
        if collection.reply == ReplyKind.ROUTE:
            return _route(ask, collection, snapshot, moment)
        if ask.agentic:
            return Preview(refused=_("Tools are an agent's work: a panel refuses them, route mode takes them."))
        return _panel(ask, collection, snapshot, moment)
    except Fault as fault:
        return Preview(refused=fault.message)


def make_ask(collection: CollectionView, carries: str) -> Ask:
    """A request that brings this."""
    text = Text("word " * (LONG * 40 // 55)) if carries == "long" else Text("What is wrong with this?")
    parts = (text, Media("image", url="https://example.org/picture.png")) if carries == "image" else (text,)
    tools = (Tool("look", parameters=Raw(b'{"type":"object","properties":{}}')),) if carries == "tools" else ()
    return Ask("openai_chat", collection.full_name, (Turn("user", parts),), tools=tools)


def _panel(ask: Ask, collection: CollectionView, snapshot: Snapshot, moment: Moment) -> Preview:
    plan = plan_panel(ask, collection, snapshot, moment, Random(SEED))  # noqa: S311 ties, the same at each look
    chairs = [
        Chair("member" if seat.label == "member" else "explorer", seat.label, seat.alias, seat.why, seat.until)
        for seat in plan.seats
    ]
    skipped = [(one.alias, one.why) for one in plan.skipped]
    if collection.reply == ReplyKind.MERGED:
        merger, passed = _merger(plan, snapshot, moment)
        chairs += merger
        skipped += passed
    return Preview(chairs, (), skipped, "", plan.shape, plan.shape_by, plan.undecided)


def _merger(plan: PanelPlan, snapshot: Snapshot, moment: Moment) -> tuple[list[Chair], list[tuple[str, str]]]:
    """Who would merge answers as long as the request, and the merger that cannot."""
    resting = [alias for alias, until in moment.resting.items() if until > moment.now]
    chosen = choose_merger(plan, snapshot, plan.tokens, resting)
    own = skipped_merger(plan.collection, snapshot)
    passed = [(own.alias, own.why)] if own else []
    if isinstance(chosen, NoMerger):
        return [], [*passed, (_("nobody merges"), chosen.why)]
    return [Chair("merger", "merger", chosen.alias, chosen.why, chosen.until)], passed


def _route(ask: Ask, collection: CollectionView, snapshot: Snapshot, moment: Moment) -> Preview:
    """By the engine's plan of many conversations that begin now."""
    rng = Random(SEED)  # noqa: S311 draws in thought, the same at each look
    plans = [plan_route(ask, collection, snapshot, moment, rng) for _draw in range(DRAWS)]
    first = Counter(plan.eligible[0] for plan in plans)
    order = sorted(plans[0].eligible, key=lambda alias: -first[alias])
    takers = [
        Taker(alias, round(100 * first[alias] / DRAWS), *_reasons(alias, order[0], collection, snapshot, moment))
        for alias in order
    ]
    skipped = [(one.alias, one.why) for one in plans[0].passed]
    return Preview((), takers, skipped, "", collection.shape, "")


def _reasons(alias: str, best: str, collection: CollectionView, snapshot: Snapshot, moment: Moment) -> tuple[str, str]:
    """Why it gets what it gets, and what would change that. `best` goes first."""
    if moment.resting.get(alias, 0.0) > moment.now:
        return _("rests after a rate limit"), _("It comes last until its rest ends.")
    if snapshot.models[alias].retiring:
        return _("is about to be retired"), _("It comes last until it answers again.")
    if collection.ranking == "bayes":
        mean = believe(alias, collection.shape, snapshot.lately).mean
        why = _("believed to be useful in %(share)s of a hundred answers") % {"share": f"{100 * mean:.0f}"}
        return why, _("Drawn from that belief, which each verdict moves.")
    useful = snapshot.useful.get(alias, 0.0)
    why = ngettext("%(number)s useful verdict over all work", "%(number)s useful verdicts over all work", round(useful))
    if alias == best:
        turns = _("It goes first until another has more; a quarter goes to whoever has waited longest.")
    else:
        turns = _("It goes first once it has more than %(best)s, or has waited longest.") % {"best": best}
    return why % {"number": f"{useful:g}"}, turns
