"""What the page "What each seat adds" reads from the database: the judged panels of one collection. Never writes.

A panel counts when two of its seats answered and somebody judged one of them; of others nobody knows what they hold.
Mergers are not counted, because they repeat the others.
"""

from __future__ import annotations

from collections import defaultdict

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from benchwarmers.dashboard.contribution_sums import Chair, Judged, Page, Said, make_page
from benchwarmers.sight import visible_panels
from collections_app.claim_map import Wording
from collections_app.models import ClaimSeat, Collection, Verdict
from gateway.canon.kinds import SeatStatus
from gateway.models import Panel, Seat

NEWEST = 2000
MERGER = "merger"


def is_there(person: User, collection: str) -> bool:
    """Whether this person may know of the collection: some panel of theirs asked it, or they see everybody's panels."""
    if visible_panels(person).filter(collection_name=collection).exists():
        return True
    return person.has_perm("gateway.view_all_panels") and Collection.objects.filter(name=collection).exists()


def load_page(person: User, collection: str) -> Page:
    """What each seat adds in the newest panels of the collection that this person may see. Four queries."""
    newest = visible_panels(person).filter(collection_name=collection).order_by("-started_at", "-id")[:NEWEST]
    return make_page(newest.count(), _load_judged(newest), collection)


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
    for call, by, real, false in verdicts.values_list("call", "judge_name", "real", "false"):
        if call in panel_of:
            said[panel_of[call]].append(Said(call, by, real, false))
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
