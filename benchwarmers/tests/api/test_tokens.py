"""Personal tokens: made once on a page, good for /api/ alone, over when they are over."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from benchwarmers.api import person
from collections_app.actions.token import MOST, do_create_token, do_revoke_token
from collections_app.models import PersonalToken
from collections_app.refusal import Refused

As = Callable[[str], Client]


def token(name: str = "maya", days: int | None = 9) -> str:
    return do_create_token(user=User.objects.get(username=name), name="laptop", now=timezone.now(), days=days)[1]


def status(secret: str, **headers: str) -> tuple[int, dict[str, object]]:
    sent = {"Authorization": f"Bearer {secret}"} if secret else {}
    answer = Client().get("/api/status", headers={**sent, **headers})
    assert answer["Content-Type"].startswith("application/json")
    return answer.status_code, answer.json()


def test_a_token_is_shown_once_and_opens_the_interface_as_its_person(as_person: As) -> None:
    client = as_person("ben")
    page = client.post("/account/tokens/", {"name": " my  laptop ", "days": "30"}).content.decode()
    plain = re.findall(r"bwp_[\w-]{40,}", page)[0]
    code, told = status(plain)
    assert (code, told["ok"], told["you"]) == (200, True, "ben")
    later = client.get("/account/tokens/").content.decode()
    assert plain not in later
    assert "my laptop" in later
    row = PersonalToken.objects.get()
    assert plain not in str(row.__dict__)
    assert row.last_used_at is not None


def test_a_revoked_an_expired_and_a_strange_token_open_nothing(as_person: As) -> None:
    client = as_person("maya")
    plain = token()
    client.post(f"/account/tokens/{PersonalToken.objects.get().pk}/revoke/")
    over = token()
    PersonalToken.objects.filter(revoked_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    for secret in (plain, over, "bwp_nonsense", "bwk_a-gateway-key", ""):
        code, told = status(secret)
        assert (code, told["ok"]) == (401, False), secret


def test_somebody_elses_token_is_not_there_and_a_switched_off_person_has_none(as_person: As) -> None:
    client = as_person("ben")
    plain = token("maya")
    number = PersonalToken.objects.get().pk
    client.post(f"/account/tokens/{number}/revoke/")
    assert status(plain)[0] == 200
    User.objects.filter(username="maya").update(is_active=False)
    assert status(plain)[0] == 401


def test_a_cookie_opens_nothing_and_a_token_opens_no_page(as_person: As) -> None:
    client = as_person("maya")
    assert client.get("/api/status").status_code == 401
    answer = Client().get("/panels/", headers={"Authorization": f"Bearer {token()}"})
    assert answer.status_code == 302


def test_what_is_not_there_is_told_in_json(as_person: As) -> None:
    as_person("maya")
    answer = Client().get("/api/nowhere", headers={"Authorization": f"Bearer {token()}"})
    assert (answer.status_code, answer.json()["ok"]) == (404, False)
    assert answer["X-Benchwarmers-Version"]


@pytest.mark.parametrize(("name", "days"), [("", 1), ("x" * 65, 1), ("x", 0), ("x", 4_000)])
def test_a_token_without_a_name_or_an_end_in_sight_is_refused(as_person: As, name: str, days: int) -> None:
    as_person("maya")
    with pytest.raises(Refused):
        do_create_token(user=User.objects.get(username="maya"), name=name, now=timezone.now(), days=days)


def test_nobody_has_more_than_so_many(as_person: As) -> None:
    as_person("maya")
    for _number in range(MOST):
        token()
    with pytest.raises(Refused, match="revoke some"):
        token()
    row = PersonalToken.objects.latest("pk")
    do_revoke_token(user=User.objects.get(username="maya"), number=row.pk, now=timezone.now())
    assert token()


def test_a_database_that_is_away_is_told_in_json(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    as_person("maya")
    plain = token()

    def away(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(person, "find_person", away)
    assert status(plain) == (503, {"ok": False, "errors": [person.AWAY]})
