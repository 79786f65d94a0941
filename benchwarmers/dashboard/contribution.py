"""What the page "What each seat adds" reads from the database: the judged panels of one collection. Never writes.

A panel counts when two of its seats answered and somebody judged one of them; of others nobody knows what they hold.
Mergers are not counted, because they repeat the others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from django.contrib.auth.models import User
from django.db.models import Count, Max, QuerySet
from django.db.models.functions import Coalesce

from benchwarmers.dashboard.contribution_sums import Chair, Judged, Page, Said, make_page
from benchwarmers.dashboard.evidence_figures import Stood
from benchwarmers.dashboard.kept import Kept, keep
from benchwarmers.sight import SEES_PANELS, visible_panels
from collections_app.claim_map import Wording
from collections_app.models import ClaimSeat, Collection, Standing, Verdict
from gateway.canon.kinds import SeatStatus
from gateway.models import Panel, Seat

NEWEST = 2000
FEW = 150
"""Of more panels than that the sums take longer than a page may."""
MATRIX = 16
"""Models of the grid of agreement: those that add most."""
MERGER = "merger"


def is_there(person: User, collection: str) -> bool:
    """Whether this person may know of the collection: some panel of theirs asked it, or they see everybody's panels."""
    if visible_panels(person).filter(collection_name=collection).exists():
        return True
    return person.has_perm("gateway.view_all_panels") and Collection.objects.filter(name=collection).exists()


def load_kept(person: User, collection: str, *, now: bool) -> Kept[Page]:
    """What each seat adds; of many panels it is kept until one of them, a verdict or a claim is new or another."""
    newest = list(_newest(person, collection).values_list("pk", flat=True)[: FEW + 1])
    if len(newest) <= FEW:
        return Kept(_short(load_page(person, collection)), stale=False)
    told = Verdict.objects.aggregate(Max("id"), Max("at")), ClaimSeat.objects.aggregate(Max("id"), Count("id"))
    whose = "all" if person.has_perm(SEES_PANELS) else str(person.pk)
    mark = f"{newest[0]} {told!r}"
    return keep(f"adds {whose} {collection}", mark, lambda: _short(load_page(person, collection)), heavy=True, now=now)


def load_stood(collection: str) -> list[Stood]:
    """How each model stands in a collection, over all shapes of work. One query."""
    rows = Standing.objects.filter(collection_name=collection, shape="").order_by()
    fields = ("language_model__alias", "offloads", "judged", "useful", "real_claims", "false_claims")
    return [Stood(*row) for row in rows.values_list(*fields)]


def load_page(person: User, collection: str) -> Page:
    """What each seat adds in the newest panels of the collection that this person may see. Four queries."""
    newest = _newest(person, collection)[:NEWEST]
    return make_page(newest.count(), _load_judged(newest), collection)


def _short(page: Page) -> Page:
    """With as much of the grid of agreement as a page shows: that of five hundred models has 250,000 cells."""
    return replace(page, matrix=[(name, list(cells[:MATRIX])) for name, cells in page.matrix[:MATRIX]])


def _newest(person: User, collection: str) -> QuerySet[Panel]:
    return visible_panels(person).filter(collection_name=collection).order_by("-started_at", "-id")


def _load_judged(newest: QuerySet[Panel]) -> list[Judged]:
    """The panels that count, in no particular order: three queries, whatever their number."""
    ids = newest.values("pk")
    chairs: dict[str, list[Chair]] = defaultdict(list)
    panel_of: dict[str, str] = {}
    seats = Seat.objects.filter(panel__in=ids, status=SeatStatus.OK).exclude(label=MERGER).order_by("panel", "place")
    who = Coalesce("language_model__alias", "alias")
    for panel, call, alias, read, written in seats.values_list("panel_id", "call", who, "tokens_in", "tokens_out"):
        unknown = read is None and written is None
        chairs[panel].append(Chair(call, alias, None if unknown else (read or 0) + (written or 0)))
        panel_of[call] = panel
    said: dict[str, list[Said]] = defaultdict(list)
    verdicts = Verdict.objects.filter(call__in=Seat.objects.filter(panel__in=ids).values("call")).order_by("id")
    for call, by, real, false, blind in verdicts.values_list("call", "judge_name", "real", "false", "blind"):
        if call in panel_of:
            said[panel_of[call]].append(Said(call, by, real, false, blind))
    groups: dict[str, dict[int, tuple[str, list[Wording]]]] = defaultdict(dict)
    settled = ClaimSeat.objects.filter(group__panel__in=ids).order_by("group_id", "id")
    columns = ("group__panel", "group_id", "group__text", "call", "text")
    for panel, group, text, call, words in settled.values_list(*columns):
        if call in panel_of:
            groups[panel].setdefault(group, (text, []))[1].append(Wording(call, words, group))
    return [
        Judged(seats, [(group, *told) for group, told in groups[panel].items()], said[panel])
        for panel, seats in chairs.items()
        if len(seats) > 1 and said[panel]
    ]
