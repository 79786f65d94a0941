"""What the asking page reads: the collections one may ask, one's keys, what one asked last, and an earlier question to
put again. Never writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Prefetch, Q
from django.db.models.functions import Substr
from django.utils import timezone
from msgspec.structs import replace

from benchwarmers.ask.question import MODES, Question
from benchwarmers.sight import visible_collections, visible_panels
from collections_app.models import Collection, GatewayKey, Seating
from gateway.models import Panel, Seat

RECENT: Final = 5
HEAD_CHARACTERS: Final = 200
LIGHT: Final = ("call", "panel_id", "place", "label", "alias", "status", "seconds")
IMAGES: Final = re.compile(r"^\[image: data URL, [\d,]+ KB\]\n?", re.M)
"""What stands for an image in a prompt that is kept."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A collection to ask. `mode` is how it answers by itself, where this page can show that."""

    name: str
    description: str
    members: Sequence[str]
    mode: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was put before: its panel, the beginning of its words and its seats."""

    panel: Panel
    head: str
    seats: Sequence[Seat]


def load_choices(person: User) -> list[Choice]:
    """The collections this person may ask, by name. Two queries."""
    seatings = Seating.objects.select_related("language_model").order_by("place")
    rows = visible_collections(person).order_by("name").prefetch_related(Prefetch("seatings", queryset=seatings))
    return [_choice(row) for row in rows]


def load_keys(person: User) -> list[GatewayKey]:
    """The keys that this person can draw on; none where the server asks for none."""
    if not settings.BENCH.require_keys:
        return []
    open_now = Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())
    mine = GatewayKey.objects.filter(open_now, owner=person, revoked_at__isnull=True, signed=None)
    return list(mine.order_by("name"))


def load_recent(person: User) -> list[Asked]:
    """What this person asked last, newest first. Two queries, whatever was ever asked."""
    seats = Seat.objects.only(*LIGHT).order_by("place")
    panels = (
        Panel.objects.filter(owner=person)
        .order_by("-started_at")
        .defer("prompt", "system", "skipped", "left_out")
        .annotate(head=Substr("prompt", 1, HEAD_CHARACTERS))
        .prefetch_related(Prefetch("seats", queryset=seats))[:RECENT]
    )
    return [Asked(panel, str(getattr(panel, "head", "")), list(panel.seats.all())) for panel in panels]


def find_earlier(person: User, panel_id: str) -> Panel | None:
    """A panel that this person sees, or None."""
    return visible_panels(person).select_related("owner", "key").filter(pk=panel_id).first() if panel_id else None


def question_of(panel: Panel) -> Question:
    """The question of a panel, to be put again. Its images are not kept, and neither is what was nominated."""
    return Question(
        collection=panel.collection_name,
        mode=panel.reply if panel.reply in MODES else MODES[0],
        prompt=IMAGES.sub("", panel.prompt).strip(),
        system=panel.system,
    )


def had_images(panel: Panel) -> bool:
    """Whether pictures went with the question."""
    return IMAGES.search(panel.prompt) is not None


def settled(question: Question, choices: Sequence[Choice], recent: Sequence[Asked]) -> Question:
    """An empty form asks what was asked last, else the first there is, as that collection answers by itself."""
    if question.collection or not choices:
        return question
    last = recent[0].panel.collection_name if recent else ""
    choice = next((one for one in choices if one.name == last), choices[0])
    return replace(question, collection=choice.name, mode=choice.mode)


def load_page(person: User, question: Question) -> dict[str, Any]:
    """What the form shows beside an earlier panel: what there is to choose, and what was asked last."""
    choices, recent = load_choices(person), load_recent(person)
    question = settled(question, choices, recent)
    chosen = next((one for one in choices if one.name == question.collection), None)
    return {
        "question": question,
        "choices": choices,
        "asked": chosen,
        "keys": load_keys(person),
        "recent": recent,
    }


def _choice(row: Collection) -> Choice:
    return Choice(
        name=row.name,
        description=row.description,
        members=[seating.language_model.alias for seating in row.seatings.all()],
        mode=row.reply if row.reply in MODES else MODES[0],
    )
