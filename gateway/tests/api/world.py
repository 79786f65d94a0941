"""A small world for the edge's tests: alice and bob with a key each, and a panel of everybody's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client, override_settings

from collections_app.models import Collection, Endpoint, Evidence, GatewayKey, LanguageModel, Seating
from gateway.api.listing import MODES
from gateway.engine.admission import SERVED_MODES
from gateway.models import Panel, Seat

AT = datetime(2026, 11, 29, 10, 15, tzinfo=UTC)


@contextmanager
def keys_required(required: bool = True) -> Iterator[None]:
    """The edge's routes alone, with or without keys."""
    bench = dataclasses.replace(settings.BENCH, require_keys=required)
    with override_settings(BENCH=bench, ROOT_URLCONF="gateway.api.urls"):
        yield


@dataclass
class Person:
    """A client that sends its key; without one, the local caller."""

    secret: str = ""

    def get(self, path: str, **query: str) -> Any:
        """The response."""
        return Client(raise_request_exception=False).get(path, query, headers=self._headers())

    def post(self, path: str, body: Any, content_type: str = "application/json") -> Any:
        """The response to a JSON body, or to bytes as they are."""
        client = Client(raise_request_exception=False)
        return client.post(path, body, content_type=content_type, headers=self._headers())

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.secret}"} if self.secret else {}


def make_user(name: str, group: str = "caller") -> User:
    """Somebody in one of the four groups."""
    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get(name=group))
    return user


def make_key(owner: User, name: str, *collections: Collection) -> Person:
    """A client with a new key, scoped when collections are given."""
    secret = f"bwk_{name}"
    key = GatewayKey.objects.create(
        owner=owner,
        name=name,
        digest=sha256(secret.encode()).hexdigest(),
        hint=secret[-4:],
        scoped=bool(collections),
    )
    key.collections.set(collections)
    return Person(secret)


def make_model(alias: str) -> LanguageModel:
    """A model on the one endpoint."""
    endpoint, _ = Endpoint.objects.get_or_create(name="groq", defaults={"base": "https://api.groq.example/v1"})
    return LanguageModel.objects.create(alias=alias, served=alias, endpoint=endpoint)


def make_collection(name: str, *members: LanguageModel) -> Collection:
    """A collection with its members in order."""
    collection = Collection.objects.create(name=name)
    for place, member in enumerate(members, 1):
        Seating.objects.create(collection=collection, language_model=member, place=place)
    return collection


def listed(name: str, reply: str = "all") -> list[str]:
    """What the listing has of a collection that is set to this reply, by what this server answers."""
    others = [f"bench/{name}:{mode}" for mode in MODES if mode != reply and mode in SERVED_MODES]
    return [f"bench/{name}", *others] if reply in SERVED_MODES else others


def make_panel(name: str, owner: User | None, collection: Collection, *statuses: str) -> list[str]:
    """A finished panel with one seat a status, its evidence unjudged; returns the call ids."""
    panel = Panel.objects.create(
        id=name,
        owner=owner,
        caller=owner.get_username() if owner else "local",
        collection=collection,
        collection_name=collection.name,
        protocol="openai_chat",
        shape="review",
        shape_by="set on the collection",
        started_at=AT,
    )
    members = list(collection.members.order_by("seatings__place"))
    for place, status in enumerate(statuses, 1):
        model = members[(place - 1) % len(members)]
        call = f"{name}.member{place}"
        Seat.objects.create(
            call=call,
            panel=panel,
            place=place,
            label="member",
            alias=model.alias,
            language_model=model,
            status=status,
        )
        if status in {"ok", "empty", "error"}:
            Evidence.objects.create(
                language_model=model,
                collection=collection,
                collection_name=collection.name,
                kind="seat",
                shape="review",
                call=call,
                task="Read this",
                status=status,
                at=AT,
            )
    return [f"{name}.member{place}" for place in range(1, len(statuses) + 1)]
