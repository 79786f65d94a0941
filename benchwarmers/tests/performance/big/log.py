"""What was changed and who read what."""

from __future__ import annotations

from typing import Any

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import sentence
from collections_app.models import Change
from gateway.models import Reading

FIELDS = (("model", "tag"), ("collection", "description"), ("endpoint", "base"), ("key", "rpm"), ("verdict", "note"))


def pour_log(house: House) -> None:
    """Changes of every kind of thing, and answers of others that were read."""
    rng = house.rng
    changes: list[tuple[Any, ...]] = []
    for number, at in enumerate(sorted(house.back() for _ in range(house.amounts.changes))):
        thing, field = FIELDS[number % len(FIELDS)]
        who, name = rng.choice(house.people), house.models[number % len(house.models)].alias
        changes.append((at, who.pk, who.username, thing, name, field, sentence(rng, 4), sentence(rng, 5)))
    pour(Change, ("at", "actor", "actor_name", "thing", "name", "field", "old", "new"), changes)
    readings: list[tuple[Any, ...]] = []
    for number, at in enumerate(sorted(house.back() for _ in range(house.amounts.readings))):
        who, whose = rng.sample(house.people, 2)
        readings.append((at, who.pk, who.username, "panel", f"p{number}", whose.username))
    pour(Reading, ("at", "reader", "reader_name", "thing", "name", "owner_name"), readings)
