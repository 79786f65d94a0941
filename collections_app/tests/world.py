"""One small world that every test may share: three people, three endpoints, five models, two collections, one alias."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from collections_app.actions.alias import do_save_alias
from collections_app.actions.collection import do_save_collection
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.actions.person import do_save_person
from collections_app.models import Collection, Endpoint, LanguageModel

MODELS = (
    ("fast", "vendor/fast-1", "north", "general"),
    ("slow", "vendor/slow-2", "north", "general"),
    ("coder", "maker/coder-7b", "south", "code"),
    ("tiny", "maker/tiny-1b", "south", "light"),
    ("home", "home-3", "cellar", "general"),
)


@dataclass(frozen=True)
class World:
    """Alice curates, Bob calls, Charlie is outside; Dora is the admin."""

    alice: User
    bob: User
    charlie: User
    dora: User

    def endpoint(self, name: str) -> Endpoint:
        return Endpoint.objects.get(name=name)

    def model(self, alias: str) -> LanguageModel:
        return LanguageModel.objects.get(alias=alias)

    def collection(self, name: str) -> Collection:
        return Collection.objects.get(name=name)


def make_world() -> World:
    """Needs an empty, migrated database."""
    world = World(
        alice=do_save_person(actor=None, username="alice", email="alice@example.org", groups=["curator"]),
        bob=do_save_person(actor=None, username="bob", groups=["caller"]),
        charlie=do_save_person(actor=None, username="charlie"),
        dora=do_save_person(actor=None, username="dora", groups=["admin"]),
    )
    do_save_endpoint(actor=None, name="north", base="https://north.example/v1")
    do_save_endpoint(actor=None, name="south", base="https://south.example/v1", kind="aggregator")
    do_save_endpoint(actor=None, name="cellar", base="http://127.0.0.1:9100/v1")
    for alias, served, endpoint, role in MODELS:
        do_save_model(actor=None, alias=alias, served=served, endpoint=endpoint, role=role)
    do_save_collection(actor=None, name="core", members=["fast", "slow", "coder"], merger="fast", tags=["daily"])
    do_save_collection(actor=None, name="pair", members=["fast", "home"], shape="review", reply="route")
    do_save_alias(actor=None, name="gpt-5.5", target="bench/core:route")
    return world
