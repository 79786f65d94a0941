"""What is done to a key in one web process holds for the next request in another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from benchwarmers.tests.live.keyed import Keyed, plain_in, send

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys")]
FAST, OTHER = "bench/fast", "bench/other"


@pytest.fixture
def ben(keyed: Keyed) -> Iterator[httpx.Client]:
    with closing(keyed.sign_in("ben")) as ben:
        yield ben


def make(ben: httpx.Client, name: str, collection: str, **limits: str) -> tuple[str, str]:
    """(path of its page, the key)."""
    answer = send(ben, "/keys/new/", {"name": name, "opens": "some", "collections": collection, **limits})
    (path,) = re.findall(r'href="(/keys/\d+/)"', answer.text)
    return path, plain_in(answer)


def rotate(ben: httpx.Client, path: str, minutes: int) -> str:
    (hint,) = re.findall(r'name="hint" value="(\S+)"', ben.get(path).text)
    return plain_in(send(ben, f"{path}rotate", {"hint": hint, "minutes": str(minutes)}, page=path))


def test_a_key_and_its_scope_are_known_everywhere_at_once(keyed: Keyed, ben: httpx.Client) -> None:
    path, plain = make(ben, "scoped", "fast")
    for place in (1, 0):
        assert keyed.listed(place, plain) == {FAST}
        assert keyed.ask_with(place, plain, "fast")[0] == 200
        assert keyed.ask_with(place, plain, "other")[0] == 403
    for collection, opens, closed in (("other", OTHER, "fast"), ("fast", FAST, "other")):
        send(ben, path, {"opens": "some", "collections": collection})
        assert keyed.ask_with(1, plain, closed)[0] == 403
        assert keyed.listed(1, plain) == {opens}
        assert keyed.ask_with(1, plain, collection)[0] == 200


def test_a_rotated_key_opens_under_both_secrets_until_the_overlap_is_ended(keyed: Keyed, ben: httpx.Client) -> None:
    path, first = make(ben, "turning", "fast")
    second = rotate(ben, path, 60)
    assert [keyed.ask_with(1, plain, "fast")[0] for plain in (second, first)] == [200, 200]
    assert [keyed.listed(1, plain) for plain in (second, first)] == [{FAST}, {FAST}]
    third = rotate(ben, path, 60)
    assert [keyed.ask_with(1, plain, "fast")[0] for plain in (first, second, third)] == [401, 200, 200]
    fourth = rotate(ben, path, 0)
    assert [keyed.listed(1, plain) for plain in (second, third, fourth)] == [401, 401, {FAST}]
    assert [keyed.ask_with(0, plain, "fast")[0] for plain in (second, third, fourth)] == [401, 401, 200]


def test_a_revoked_key_is_refused_everywhere_by_the_next_request(keyed: Keyed, ben: httpx.Client) -> None:
    for place in (1, 0):
        path, plain = make(ben, f"gone-{place}", "fast")
        old, plain = plain, rotate(ben, path, 60)
        assert [keyed.listed(place, one) for one in (old, plain)] == [{FAST}, {FAST}]
        send(ben, f"{path}revoke", page=path)
        status, body = keyed.ask_with(place, plain, "fast")
        assert status == 401
        assert "revoked" in body["error"]["message"]
        assert [keyed.listed(one, secret) for one in (0, 1) for secret in (old, plain)] == [401] * 4


def test_a_budget_is_one_for_all_processes_and_raised_for_all_at_once(keyed: Keyed, ben: httpx.Client) -> None:
    path, plain = make(ben, "counted", "fast", requests_day="2")
    assert [keyed.ask_with(place, plain, "fast")[0] for place in (0, 1)] == [200, 200]
    assert [keyed.ask_with(place, plain, "fast")[0] for place in (0, 1)] == [429, 429]
    with closing(keyed.sign_in("ada")) as ada:
        send(ada, path, {"opens": "all", "requests_day": "3"})
    assert [keyed.ask_with(place, plain, "fast")[0] for place in (1, 0)] == [200, 429]
