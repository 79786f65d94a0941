"""Every path that asks models with every kind of key, and every socket as everybody."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from benchwarmers.asgi import sockets
from benchwarmers.live import websocket_urlpatterns
from benchwarmers.rights.rule import KEY, SIGNED_IN, Row
from benchwarmers.rights.table import INFERENCE, SOCKETS
from benchwarmers.tests.rights.asked import ALIVE, DEAD
from benchwarmers.tests.rights.cast import OUT, PEOPLE, Cast, bearer, session_of
from benchwarmers.tests.rights.door import LET_IN, Door, body_for, every_path
from gateway.api.routing import find_route
from gateway.engine.loading import load_snapshot
from gateway.engine.snapshot import Snapshot
from gateway.tests.api.asking import Answer, Limits, ask


@pytest.fixture
def known(cast: Cast) -> Snapshot:
    return load_snapshot()


def send(known: Snapshot, path: str, collection: str, headers: dict[str, str], *, required: bool = True) -> Answer:
    door: Any = Door(known)
    limits = Limits(require_keys=required)
    return async_to_sync(ask)(door, path, body_for(path, collection), limits=limits, headers=headers)


def test_every_path_is_served_by_the_consumer_and_falls_under_one_rule() -> None:
    assert all(find_route(path) is not None for path, _ in every_path("den"))
    assert Row(write=KEY) == INFERENCE


@pytest.mark.parametrize("key", [*ALIVE, *DEAD])
def test_each_key_asks_what_it_may_in_every_format(cast: Cast, known: Snapshot, key: str) -> None:
    wanted = {"elsewhere": 403, "blue": 404, "blue-scoped": 404}.get(key, LET_IN)
    wrong = []
    for path, counts in every_path("den"):
        answer = send(known, path, "den", bearer(cast.secrets[key]))
        expected = 401 if key in DEAD else 200 if counts else wanted
        if answer.status != expected:
            wrong.append((path, answer.status, expected, answer.body[:200]))
    assert not wrong


def test_what_is_withheld_is_answered_like_what_nobody_has_in_every_format(cast: Cast, known: Snapshot) -> None:
    headers = bearer(cast.secrets["blue"])
    for path, counts in every_path("den"):
        if not counts:
            told = send(known, path, "den", headers)
            other = send(known, path.replace("/den", "/xyz"), "xyz", headers)
            assert (told.status, other.status) == (404, 404)
            assert told.body.replace(b"den", b"xyz") == other.body
            assert "bench/core" in json.dumps(told.json)


def test_without_keys_everybody_may_ask_everything(cast: Cast, known: Snapshot) -> None:
    for path, counts in every_path("den"):
        assert send(known, path, "den", {}, required=False).status == (200 if counts else LET_IN), path


def test_a_session_asks_nothing(cast: Cast, known: Snapshot) -> None:
    cookie = f"{settings.SESSION_COOKIE_NAME}={session_of(cast.clients['adam'])}"
    for path, _ in every_path("den"):
        assert send(known, path, "den", {"cookie": cookie}).status == 401, path


def test_every_socket_has_a_rule() -> None:
    assert {str(one.pattern) for one in websocket_urlpatterns} == set(SOCKETS)
    assert set(SOCKETS.values()) == {SIGNED_IN}


@pytest.mark.parametrize("person", PEOPLE)
def test_a_socket_lets_in_who_is_signed_in(cast: Cast, person: str) -> None:
    for path in SOCKETS:
        cookie = f"{settings.SESSION_COOKIE_NAME}={session_of(cast.clients[person])}".encode()
        scope = {"type": "websocket", "path": f"/{path}", "headers": [(b"cookie", cookie)], "subprotocols": []}
        assert async_to_sync(_is_let_in)(scope) == (person not in OUT)


async def _is_let_in(scope: dict[str, Any]) -> bool:
    end: Any = ApplicationCommunicator(sockets, scope)  # type: ignore[no-untyped-call]
    await end.send_input({"type": "websocket.connect"})
    answer = await end.receive_output(5)
    await end.send_input({"type": "websocket.disconnect", "code": 1000})
    await end.wait(5)
    return bool(answer["type"] == "websocket.accept")
