"""Records as a panel makes them, and the catalogue rows that they point to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from collections_app.models import Collection, Endpoint, GatewayKey, LanguageModel
from gateway.canon.event import Usage
from gateway.engine.records import CallMade, PanelClosed, PanelOpened, Record, SeatRow, Work

AT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


class Rows(NamedTuple):
    alice: User
    key: GatewayKey
    core: Collection
    models: list[LanguageModel]


def make_rows(base: str = "http://127.0.0.1:1/v1", models: int = 3) -> Rows:
    """Alice with a key, a collection and its models. Sync."""
    alice = User.objects.create_user("alice")
    key = GatewayKey.objects.create(owner=alice, name="ci", digest="d" * 64, hint="dddd")
    endpoint = Endpoint.objects.create(name="anthill", base=base, default=True)
    made = [
        LanguageModel.objects.create(alias=f"m{n}", served=f"lab/m{n}", endpoint=endpoint) for n in range(1, models + 1)
    ]
    core = Collection.objects.create(name="core")
    for place, one in enumerate(made, 1):
        core.seatings.create(language_model=one, place=place)
    return Rows(alice, key, core, made)


def opened(rows: Rows, panel: str = "p1", **facts: Any) -> PanelOpened:
    given: dict[str, Any] = {
        "id": panel,
        "owner_id": rows.alice.pk,
        "key_id": rows.key.pk,
        "caller": "ci",
        "collection_id": rows.core.pk,
        "collection_name": "core",
        "protocol": "openai_chat",
        "reply": "all",
        "shape": "general",
        "shape_by": "set on the collection",
        "system": "",
        "prompt": "Why?",
        "skipped": [{"seat": "with", "alias": "ghost", "why": "no model has this alias"}],
        "stamp": "7",
        "process": "here/1",
        "at": AT,
        "seats": tuple(seat(rows, place, panel) for place in range(1, len(rows.models) + 1)),
    }
    return PanelOpened(**(given | facts))


def seat(rows: Rows, place: int = 1, panel: str = "p1", **facts: Any) -> SeatRow:
    given: dict[str, Any] = {
        "call": f"{panel}.member{place}",
        "panel_id": panel,
        "place": place,
        "label": "member",
        "alias": f"m{place}",
        "language_model_id": rows.models[place - 1].pk,
        "connection": "anthill",
        "why": "member",
        "status": "asked",
    }
    return SeatRow(**(given | facts))


def done(rows: Rows, place: int = 1, panel: str = "p1", **facts: Any) -> SeatRow:
    given: dict[str, Any] = {
        "status": "ok",
        "answer": "Blue.",
        "usage": Usage(7, 3),
        "seconds": 1.5,
        "finished_at": AT + timedelta(seconds=2),
    }
    return seat(rows, place, panel, **(given | facts))


def work(rows: Rows, place: int = 1, panel: str = "p1", **facts: Any) -> Work:
    given: dict[str, Any] = {
        "call": f"{panel}.member{place}",
        "language_model_id": rows.models[place - 1].pk,
        "collection_id": rows.core.pk,
        "collection_name": "core",
        "kind": "seat",
        "shape": "general",
        "task": "Why?",
        "status": "ok",
        "at": AT + timedelta(seconds=2),
    }
    return Work(**(given | facts))


def call(rows: Rows, place: int = 1, panel: str = "p1", **facts: Any) -> CallMade:
    given: dict[str, Any] = {
        "at": AT,
        "seat": f"{panel}.member{place}",
        "language_model_id": rows.models[place - 1].pk,
        "alias": f"m{place}",
        "endpoint_name": "anthill",
        "connection": "anthill",
        "served": f"lab/m{place}",
        "owner_id": rows.alice.pk,
        "key_id": rows.key.pk,
        "caller": "ci",
        "collection_name": "core",
        "purpose": "",
        "status": "ok",
        "upstream_status": None,
        "failure": "",
        "attempts": 1,
        "usage": Usage(7, 3, 2, 1, 1),
        "seconds": 1.5,
        "first_token_s": 0.5,
    }
    return CallMade(**(given | facts))


def whole_panel(rows: Rows, panel: str = "p1") -> list[Record]:
    """Everything a panel of all models puts down, in order."""
    records: list[Record] = [opened(rows, panel)]
    for place in range(1, len(rows.models) + 1):
        records += [call(rows, place, panel), done(rows, place, panel), work(rows, place, panel)]
    return [*records, PanelClosed(panel, AT + timedelta(seconds=3))]
