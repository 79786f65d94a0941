"""What the page of one collection shows. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from benchwarmers.dashboard.conversations import ConversationRow, load_conversations
from benchwarmers.dashboard.panel_filters import PanelFilters
from benchwarmers.dashboard.selectors import PanelRow, load_panels
from benchwarmers.dashboard.talk_filters import TalkFilters
from benchwarmers.operations.collections.preview import Preview, preview
from collections_app.decay import Lately
from collections_app.intervals import Interval, credible, wilson
from collections_app.models import Collection, ModelAlias, Setting, Standing
from gateway.api.listing import Together, together_of
from gateway.engine.loading import load_seating
from gateway.engine.moment import Moment
from gateway.engine.snapshot import CollectionView, Snapshot

REQUESTS: Final = 30
TALKS: Final = 10
STANDINGS: Final = 30


@dataclass(frozen=True, slots=True)
class Stand:
    """What the work of one model in this collection amounts to. `useful` is the share of verdicts with its interval,
    `lately` the belief from decayed sums; None where nobody judged."""

    alias: str
    member: bool
    retired: bool
    offloads: int
    judged: int
    useful: Interval | None
    lately: Interval | None
    real: int
    false: int


@dataclass(frozen=True, slots=True)
class CollectionPage:
    """All of one collection, as its reader may see it. `own_only` says that others may have asked it too."""

    row: Collection
    view: CollectionView
    together: Together
    preview: Preview
    stands: Sequence[Stand]
    requests: Sequence[PanelRow]
    talks: Sequence[ConversationRow]
    aliases: Sequence[ModelAlias]
    own_only: bool


def load_page(
    person: User, row: Collection, now: datetime, *, carries: str = "text", blind: bool = False
) -> CollectionPage:
    """The page as this person may see it. `carries` is what the request of the preview brings; `blind` whether they
    judge so."""
    snapshot = load_seating(Collection.objects.filter(pk=row.pk))
    view = snapshot.collections[row.name]
    return CollectionPage(
        row=row,
        view=view,
        together=together_of([snapshot.models[alias] for alias in view.members if alias in snapshot.models]),
        preview=preview(view, snapshot, moment_of(snapshot, now), carries),
        stands=load_stands(view, now),
        requests=load_panels(person, PanelFilters(collection=row.name), now, blind=blind, size=REQUESTS).rows,
        talks=load_conversations(person, TalkFilters(collection=row.name), now, TALKS).rows,
        aliases=list(row.aliases.select_related("target")),
        own_only=not person.has_perm("gateway.view_all_panels"),
    )


def moment_of(snapshot: Snapshot, now: datetime) -> Moment:
    """What is true now, as far as the database knows: what other processes did in this very second is not in it."""
    return Moment(now.timestamp(), snapshot.last_work, snapshot.cooling)


def load_stands(view: CollectionView, now: datetime) -> list[Stand]:
    """Who has worked here, most judged first. Two queries."""
    half_life = Setting.load().half_life_days
    rows = Standing.objects.filter(collection_name=view.name, shape="").select_related("language_model")
    return [_stand(row, view, now, half_life) for row in rows.order_by("-judged", "-offloads", "pk")[:STANDINGS]]


def _stand(row: Standing, view: CollectionView, now: datetime, half_life: float) -> Stand:
    model = row.language_model
    sums = Lately(row.lately_useful, row.lately_judged, row.lately_at).told_at(now, half_life)
    return Stand(
        alias=model.alias,
        member=model.alias in view.members,
        retired=model.retired,
        offloads=row.offloads,
        judged=row.judged,
        useful=wilson(row.useful, row.judged),
        lately=credible(sums.useful, sums.not_useful) if row.judged else None,
        real=row.real_claims,
        false=row.false_claims,
    )
