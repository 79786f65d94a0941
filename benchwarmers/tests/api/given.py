"""A program of a person: it has a token of theirs and speaks JSON."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from collections_app.actions.token import do_create_token
from collections_app.models import Change


class Program:
    """Asks as this person. Every answer is JSON, and its `ok` says whether it went well."""

    def __init__(self, name: str) -> None:
        user = User.objects.get(username=name)
        plain = do_create_token(user=user, name="laptop", now=timezone.now())[1]
        self.headers = {"Authorization": f"Bearer {plain}"}

    def get(self, path: str, status: int = 200) -> Any:
        return self._told(Client().get(path, headers=self.headers), status)

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        return self._told(Client().post(path, body, content_type="application/json", headers=self.headers), status)

    def status(self, path: str, body: Any) -> int:
        """How it went, whatever it was."""
        answer = Client(raise_request_exception=False).post(
            path, body, content_type="application/json", headers=self.headers
        )
        return answer.status_code

    def document(self, path: str) -> Any:
        """An answer without `ok`: somebody else's format."""
        answer = Client().get(path, headers=self.headers)
        assert answer.status_code == 200
        return answer.json()

    def refused(self, path: str, body: Any, status: int = 400) -> str:
        """What was wrong, in one line."""
        return " ".join(self.post(path, body, status)["errors"])

    def _told(self, answer: Any, status: int) -> Any:
        told = answer.json()
        assert answer.status_code == status, told
        assert told["ok"] is (status < 300)
        assert told["ok"] or all(isinstance(why, str) and why for why in told["errors"])
        return told


def journal() -> list[tuple[str, str, str, str]]:
    """(who, thing, name, field) of each change, the oldest first, without the making of the program's token."""
    return list(
        Change.objects.exclude(thing="personal token")
        .order_by("pk")
        .values_list("actor_name", "thing", "name", "field")
    )
