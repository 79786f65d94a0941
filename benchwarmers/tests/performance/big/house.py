"""The people and the catalogue of a seeded installation, and what the rows of work name of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

from django.contrib.auth.models import Group, User

from benchwarmers.tests.performance.big.amounts import Amounts
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import names, sentence
from collections_app.models import (
    Collection,
    ConnectionLimit,
    Endpoint,
    Fact,
    GatewayKey,
    Invitation,
    KeyBudget,
    LanguageModel,
    ModelAlias,
    Seating,
    Team,
)
from collections_app.models.people import GROUPS
from gateway.canon.kinds import ModelRole, ModelStatus, ReplyKind, Shape

TEAMS = 6
MEMBERS = 8
FEW = (("maya", "curator"), ("ben", "caller"), ("zoe", "viewer"), ("adam", "admin"))


@dataclass
class House:
    """What rows of work refer to. `owned` are keys by weight: few of them ask most."""

    rng: Random
    now: datetime
    amounts: Amounts
    people: list[User] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)
    endpoints: list[Endpoint] = field(default_factory=list)
    models: list[LanguageModel] = field(default_factory=list)
    collections: list[Collection] = field(default_factory=list)
    members: dict[int, list[LanguageModel]] = field(default_factory=dict)
    keys: list[GatewayKey] = field(default_factory=list)
    scope: dict[int, Collection] = field(default_factory=dict)

    def back(self, days: float | None = None) -> datetime:
        """Some time in the days that are seeded, lately more often than long ago."""
        span = self.amounts.days if days is None else days
        return self.now - timedelta(days=span * self.rng.random() ** 1.15, seconds=5)

    def weights(self) -> list[float]:
        """How often each key asks, beside the others."""
        return [1 / (place + 3) for place in range(len(self.keys))]


def make_house(rng: Random, now: datetime, amounts: Amounts) -> House:
    """People, teams, keys, endpoints, models with their facts, and collections. Needs an empty, migrated database."""
    house = House(rng, now, amounts)
    _people(house)
    _models(house)
    _facts(house)
    _collections(house)
    _keys(house)
    return house


def _people(house: House) -> None:
    count = house.amounts.people
    User.objects.create_superuser("boss", password="bench and bibs and boots")
    wanted = [*FEW, *((f"{name}.player", "caller") for name in names(count - len(FEW) - 1))]
    User.objects.bulk_create(
        [
            User(username=name, email=f"{name}@example.org", is_staff=group in ("curator", "admin"))
            for name, group in wanted
        ]
    )
    house.people = list(User.objects.order_by("pk"))
    by_name = {person.username: person for person in house.people}
    for group in GROUPS:
        Group.objects.get(name=group).user_set.add(*(by_name[name] for name, one in wanted if one == group))
    for number in range(TEAMS):
        team = Team.objects.create(name=f"team-{number + 1}", about=sentence(house.rng, 8))
        team.members.set(house.people[number + 1 :: TEAMS])
        house.teams.append(team)
    Invitation.objects.bulk_create(
        [
            Invitation(digest=sha256(str(number).encode()).hexdigest(), expires_at=house.now + timedelta(days=3))
            for number in range(count)
        ]
    )


def _models(house: House) -> None:
    rng, now, count = house.rng, house.now, house.amounts.models
    kinds = ["provider"] * 5 + ["aggregator", "hub", "local"]
    house.endpoints = [
        Endpoint.objects.create(
            name=f"harbour-{number + 1}",
            base=f"https://harbour-{number + 1}.example/v1",
            kind=kinds[number % len(kinds)],
            hub="litellm" if kinds[number % len(kinds)] == "hub" else "",
            default=number == 0 and not Endpoint.objects.filter(default=True).exists(),
        )
        for number in range(house.amounts.endpoints)
    ]
    states = [ModelStatus.HEALTHY] * 14 + [ModelStatus.THROTTLED, ModelStatus.SLOW, ModelStatus.FAILING]
    roles = [ModelRole.GENERAL] * 4 + [ModelRole.CODE, ModelRole.LIGHT]
    made = []
    for number, alias in enumerate(names(count)):
        endpoint, gone = house.endpoints[number % len(house.endpoints)], number % 13 == 12
        made.append(
            LanguageModel(
                alias=alias,
                served=f"lab/{alias}",
                endpoint=endpoint,
                role=rng.choice(roles),
                tag=f"behind-{number % 3}" if endpoint.kind == "hub" else "",
                retired_at=now - timedelta(days=rng.randint(1, 90)) if gone else None,
                retired_why="not listed for 3 days" if gone else "",
                status=ModelStatus.RETIRED if gone else rng.choice(states),
                status_at=now - timedelta(hours=1),
                retire_in=3 if number % 40 == 7 and not gone else None,
            )
        )
    LanguageModel.objects.bulk_create(made, batch_size=200)
    house.models = list(LanguageModel.objects.filter(endpoint__in=house.endpoints).order_by("pk"))
    for number, model in enumerate(house.models):
        model.endpoint = house.endpoints[number % len(house.endpoints)]
    ConnectionLimit.objects.bulk_create(
        [ConnectionLimit(connection=one.name, rpm=60, tpd=2_000_000) for one in house.endpoints if one.kind != "hub"]
    )


def _facts(house: House) -> None:
    def rows() -> Any:
        for number, model in enumerate(house.models):
            told = (
                ("context_window", 128_000, "feed"),
                ("max_output", 8_192 + number, "feed"),
                ("tools", number % 3 > 0, "probe"),
                ("vision", number % 4 == 0, "feed"),
                ("reasoning", number % 5 == 0, "feed"),
                ("prices", {"input": number % 7 / 4, "output": number % 7 * 0.8}, "feed"),
                ("limits", {"rpm": 20 + number % 40}, "learned"),
                ("description", sentence(house.rng, 20), "feed"),
            )
            for name, value, source in told:
                yield model.pk, name, value, source, house.now

    pour(Fact, ("language_model", "field", "value", "source", "seen_at"), rows())


def _collections(house: House) -> None:
    live = [model for model in house.models if model.retired_at is None]
    for number in range(house.amounts.collections):
        row, _ = Collection.objects.update_or_create(
            name=("core", "reviewers", "quick")[number] if number < 3 else f"squad-{number + 1}",
            defaults={
                "shape": Shape.REVIEW if number % 3 == 0 else "",
                "reply": list(ReplyKind)[number % 4],
                "ranking": "bayes" if number % 2 else "record",
                "description": sentence(house.rng, 9),
                "team": house.teams[number % TEAMS] if number % 4 == 3 else None,
            },
        )
        members = house.rng.sample(live, MEMBERS)
        Seating.objects.bulk_create(
            [Seating(collection=row, language_model=model, place=place) for place, model in enumerate(members, 1)]
        )
        house.collections.append(row)
        house.members[row.pk] = members
    ModelAlias.objects.bulk_create(
        [ModelAlias(name=f"gpt-{number}", target=row) for number, row in enumerate(house.collections)]
    )


def _keys(house: House) -> None:
    rng, now = house.rng, house.now
    for number in range(house.amounts.keys):
        owner, scope = house.people[number % len(house.people)], rng.choice(house.collections)
        key = GatewayKey(
            owner=owner,
            name=f"laptop-{number + 1}",
            digest=sha256(f"key {number}".encode()).hexdigest(),
            hint=f"{number:04x}",
            team=rng.choice(house.teams) if number % 3 == 0 else None,
            scoped=number % 2 == 0,
            revoked_at=now - timedelta(days=2) if number % 8 == 7 else None,
            last_used_at=now - timedelta(hours=number),
        )
        house.keys.append(key)
        house.scope[number] = scope
    GatewayKey.objects.bulk_create(house.keys)
    through = GatewayKey.collections.through
    through.objects.bulk_create(
        [
            through(gatewaykey_id=key.pk, collection_id=house.scope[number].pk)
            for number, key in enumerate(house.keys)
            if key.scoped
        ]
    )
    KeyBudget.objects.bulk_create(
        [
            KeyBudget(key=key, unit=unit, period=period, amount=amount)
            for key in house.keys[::3]
            for unit, period, amount in (("money", "month", 40 * 10**9), ("requests", "day", 2_000))
        ]
    )
