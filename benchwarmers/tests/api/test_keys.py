"""Gateway keys for programs: told without the key, made with it once, closed for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from benchwarmers.tests.api.given import Program, journal
from collections_app.actions.key import do_create_key
from collections_app.actions.key_rules import digest_of
from collections_app.models import Change, GatewayKey

ROW = {"name", "hint", "collections", "rpm", "created", "last_used"}


def test_a_key_is_told_once_and_never_again() -> None:
    ben = Program("ben")
    told = ben.post("/api/gateway-key", {"name": "laptop", "collections": ["core"], "rpm": 20})
    row = GatewayKey.objects.get(name="laptop")
    assert (row.digest, row.owner.username, row.rpm) == (digest_of(told["key"]), "ben", 20)
    assert told["key"] not in str(told["changed"])
    listed = ben.get("/api/gateway-keys")
    assert listed["keys"][0].keys() >= ROW
    assert (listed["keys"][0]["collections"], listed["keys"][0]["state"]) == (["core"], "open")
    assert isinstance(listed["required"], bool)
    assert told["key"] not in str(listed)
    assert row.digest not in str(listed)
    assert told["key"] not in str(list(Change.objects.values_list("old", "new")))
    assert [one[:3] for one in journal()] == [("ben", "key", "laptop")]


def test_a_key_has_all_that_the_form_gives_it() -> None:
    until = timezone.now() + timedelta(days=3)
    budgets = [{"unit": "requests", "period": "day", "amount": 40}]
    body = {"name": "laptop", "tpm": 900, "expires_at": until.isoformat(), "budgets": budgets}
    Program("ben").post("/api/gateway-key", body)
    row = GatewayKey.objects.get()
    assert (row.expires_at, row.tpm, row.budgets.count()) == (until, 900, 1)


@pytest.mark.parametrize(("given", "words"), [
    ({"name": "A!"}, "name: "),
    ({"name": "local"}, "name: "),
    ({"collections": ["nowhere"]}, "collections: "),
    ({"collections": "core"}, "collections: It is a list"),
    ({"rpm": 0}, "rpm: "),
    ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at: This moment is past"),
    ({"expires_at": "2050-01-01T00:00:00"}, "expires_at: It is a time"),
    ({"expires_at": "tomorrow"}, "expires_at: "),
    ({"team": "nobody's"}, "team: "),
    ({"budgets": [{"unit": "smiles"}]}, "budgets: "),
    ({"budgets": [3]}, "budgets: "),
    ({"owner": "boss"}, "owner: There is no such field"),
])  # fmt: skip
def test_a_key_that_cannot_be_is_not_made(given: dict[str, Any], words: str) -> None:
    assert words in Program("ben").refused("/api/gateway-key", {"name": "laptop", **given})
    assert not GatewayKey.objects.exists()


def test_the_keys_of_others_are_not_there(maya: Program) -> None:
    do_create_key(actor=None, owner=User.objects.get(username="ben"), name="bens")
    do_create_key(actor=None, owner=User.objects.get(username="maya"), name="mayas")
    assert [row["name"] for row in Program("ben").get("/api/gateway-keys")["keys"]] == ["bens"]
    Program("ben").refused("/api/gateway-key/remove", {"name": "mayas"}, 404)
    Program("ben").post("/api/gateway-key/remove", {"name": "bens"})
    assert GatewayKey.objects.get(name="bens").revoked_at is not None
    assert Program("ben").get("/api/gateway-keys")["keys"] == []
    assert [row["name"] for row in Program("ben").get("/api/gateway-keys?state=revoked")["keys"]] == ["bens"]
    Program("ben").get("/api/gateway-keys?state=lost", 400)
