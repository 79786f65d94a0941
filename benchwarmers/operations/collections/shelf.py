"""What the list of collections shows. Reads only; a page costs as many queries for a hundred collections as for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q, QuerySet

from benchwarmers.dashboard.cards import PLAYING
from benchwarmers.dashboard.selectors import not_judged_by, recent_of
from benchwarmers.operations.collections.filters import ShelfFilters
from benchwarmers.sight import visible_collections, visible_conversations, visible_panels
from collections_app.models import Collection, LanguageModel, Setting
from gateway.api.listing import Together, together_of
from gateway.canon.kinds import ReplyKind
from gateway.engine.explorers import explorer_places
from gateway.engine.loading import load_collections, load_models
from gateway.engine.snapshot import CollectionView, ModelView
from gateway.models import Conversation, Panel, Seat

PAGE: Final = 50
LATELY: Final = 500
"""Of how many panels and conversations the newest of a collection is looked for first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of a collection last, of what the reader may see."""

    at: datetime
    what: Panel | Conversation

    @property
    def is_panel(self) -> bool:
        return isinstance(self.what, Panel)


@dataclass(frozen=True, slots=True)
class Line:
    """One collection of the list. `explorers` counts the places for them, `owed` the verdicts that the reader owes."""

    view: CollectionView
    team: str
    explorers: int
    together: Together
    scripted: bool
    asked: Asked | None
    owed: int

    @property
    def kinds(self) -> list[str]:
        """The line-up as signs: members, then explorers, then the merger."""
        merged = ["merger"] if self.view.reply == ReplyKind.MERGED else []
        return ["member"] * len(self.view.members) + ["explorer"] * self.explorers + merged


@dataclass(frozen=True, slots=True)
class Shelf:
    """One page of the list. `total` counts all that pass the filters; `any` is false where the reader sees none at
    all; `tags` are those in use."""

    lines: Sequence[Line]
    total: int
    page: int
    pages: int
    any: bool
    tags: Sequence[str]


def load_shelf(person: User, filters: ShelfFilters, size: int | None = PAGE) -> Shelf:
    """The page of the list that the filters name, or with no `size` all of it."""
    rows = visible_collections(person)
    views = load_collections(rows)
    found = filters.pass_(views)
    asked = load_asked(person, [view.name for view in found])
    column = filters.sort.removeprefix("-")
    windows = _windows(found) if column == "context" else {}
    _sort(found, filters.sort, asked, windows)
    size = size or max(len(found), 1)
    pages = max(1, -(-len(found) // size))
    page = min(filters.page, pages)
    shown = found[(page - 1) * size : page * size]
    return Shelf(
        lines=_lines(person, shown, asked),
        total=len(found),
        page=page,
        pages=pages,
        any=bool(views),
        tags=sorted({tag for view in views for tag in view.tags}),
    )


def load_asked(person: User, names: Sequence[str]) -> dict[str, Asked]:
    """The newest panel or conversation of each collection that the reader sees. Eight queries at most."""
    panels = _newest(visible_panels(person), "started_at", names)
    talks = _newest(visible_conversations(person), "last_at", names)
    keys = {name: (panels.get(name), talks.get(name)) for name in names}
    heavy = ("prompt", "system", "skipped", "left_out")
    panel_of = Panel.objects.defer(*heavy).select_related("owner").in_bulk([one for one, _ in keys.values() if one])
    talk_of = Conversation.objects.select_related("owner").in_bulk([one for _, one in keys.values() if one])
    found: dict[str, Asked] = {}
    for name, (panel, talk) in keys.items():
        both = [Asked(panel_of[panel].started_at, panel_of[panel])] if panel in panel_of else []
        both += [Asked(talk_of[talk].last_at, talk_of[talk])] if talk in talk_of else []
        if both:
            found[name] = max(both, key=lambda one: one.at)
    return found


def _newest(rows: QuerySet[Any], at: str, names: Sequence[str]) -> dict[str, str]:
    """The key of the newest row of each collection. Nearly all are among the last few hundred rows; what is not is
    looked for by name. Asked for each collection's last row at once, Postgres walks all rows back for each that has
    none."""
    found: dict[str, str] = {}
    for name, pk in rows.order_by(f"-{at}").values_list("collection_name", "pk")[:LATELY]:
        found.setdefault(name, pk)
    rest = [name for name in names if name not in found]
    last = rows.filter(collection_name__in=rest).order_by().values_list("collection_name").annotate(Max(at))
    ends = Q(*(Q(**{"collection_name": name, at: when}) for name, when in last), _connector=Q.OR)
    if ends:
        found |= dict(rows.filter(ends).values_list("collection_name", "pk"))
    return found


def load_owed(person: User) -> Counter[str]:
    """How many verdicts this person owes on each collection, of the last panels that they asked."""
    if not person.has_perm("gateway.judge"):
        return Counter()
    seats = Seat.objects.filter(panel__in=recent_of(person).values("pk")).exclude(status__in=PLAYING)
    open_ = seats.filter(not_judged_by(person)).order_by()
    return Counter(dict(open_.values_list("panel__collection_name").annotate(number=Count("pk"))))


def places_of(view: CollectionView, setting: Setting) -> int:
    """How many explorers join its members."""
    limit = setting.max_explorers if view.max_explorers is None else view.max_explorers
    return 0 if view.reply == ReplyKind.ROUTE else explorer_places(len(view.members), setting.max_calls, limit)


def members_known(views: Iterable[CollectionView]) -> dict[str, ModelView]:
    """What is known of the members of these collections."""
    ids = [view.id for view in views]
    return load_models(LanguageModel.objects.filter(seatings__collection__in=ids).distinct())


def _lines(person: User, shown: Sequence[CollectionView], asked: dict[str, Asked]) -> list[Line]:
    models, owed, setting = members_known(shown), load_owed(person), Setting.load()
    teams = dict(Collection.objects.filter(pk__in=[view.id for view in shown]).values_list("name", "team__name"))
    lines = []
    for view in shown:
        members = [models[alias] for alias in view.members if alias in models]
        lines.append(
            Line(
                view=view,
                team=teams.get(view.name) or "",
                explorers=places_of(view, setting),
                together=together_of(members),
                scripted=any(model.scripted for model in members),
                asked=asked.get(view.name),
                owed=owed[view.name],
            )
        )
    return lines


def _windows(views: Sequence[CollectionView]) -> dict[str, int | None]:
    models = members_known(views)
    return {
        view.name: together_of([models[alias] for alias in view.members if alias in models]).context_window
        for view in views
    }


def _sort(found: list[CollectionView], sort: str, asked: dict[str, Asked], windows: dict[str, int | None]) -> None:
    """What is not known comes last either way."""
    values: dict[str, Callable[[CollectionView], Any]] = {
        "name": lambda view: view.name,
        "members": lambda view: len(view.members),
        "shape": lambda view: view.shape or None,
        "reply": lambda view: view.reply,
        "context": lambda view: windows.get(view.name),
        "asked": lambda view: asked[view.name].at if view.name in asked else None,
    }
    value, falling = values[sort.removeprefix("-")], sort.startswith("-")
    found.sort(key=lambda view: view.name)
    told = sorted((view for view in found if value(view) is not None), key=value, reverse=falling)
    found[:] = told + [view for view in found if value(view) is None]
