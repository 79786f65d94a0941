"""The list of keys in each of its orders, page by page, and as a file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from benchwarmers.dashboard.keys import KeyFilters, load_keys
from collections_app.actions.key import do_create_key
from collections_app.models import GatewayKey

As = Callable[[str], Client]
NOON = datetime(2099, 11, 29, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def five() -> dict[str, str]:
    """Made in this order; the secrets by name."""
    made = {}
    for at, (name, owner, used, expires) in enumerate(
        [
            ("delta", "maya", 3, None),
            ("alpha", "ben", None, 9),
            ("echo", "ben", 1, 4),
            ("bravo", "boss", 2, 9),
            ("charlie", "maya", None, None),
        ]
    ):
        row, made[name] = do_create_key(
            actor=None,
            owner=User.objects.get(username=owner),
            name=name,
            expires_at=NOON + expires * DAY if expires else None,
        )
        GatewayKey.objects.filter(pk=row.pk).update(
            created_at=NOON + at * DAY, last_used_at=NOON - used * DAY if used else None
        )
    return made


ORDERS = [
    ("", "charlie bravo echo alpha delta"),
    ("made", "delta alpha echo bravo charlie"),
    ("name", "alpha bravo charlie delta echo"),
    ("-name", "echo delta charlie bravo alpha"),
    ("owner", "alpha echo bravo delta charlie"),
    ("-used", "echo bravo delta charlie alpha"),
    ("used", "alpha charlie delta bravo echo"),
    ("expires", "echo alpha bravo delta charlie"),
    ("-expires", "charlie delta bravo alpha echo"),
    ("nonsense", "charlie bravo echo alpha delta"),
]


@pytest.mark.parametrize(("sort", "order"), ORDERS)
def test_each_order_goes_on_page_by_page_and_back(five: dict[str, str], sort: str, order: str) -> None:
    boss = User.objects.get(username="boss")
    filters = KeyFilters.read(QueryDict(f"sort={sort}"))
    seen, back = [], ""
    while True:
        page = load_keys(boss, filters, NOON, size=2)
        seen += [row.key.name for row in page.rows]
        if not page.older:
            back = page.newer
            break
        filters = KeyFilters.read(QueryDict(page.older[1:]))
    assert seen == order.split()
    earlier = load_keys(boss, KeyFilters.read(QueryDict(back[1:])), NOON, size=2)
    assert [row.key.name for row in earlier.rows] == order.split()[2:4]


@pytest.mark.parametrize("cursor", ["~", "nonsense~1", "alpha~nonsense", "~7", "2026-11-29T12:00:00~1"])
@pytest.mark.parametrize("sort", ["name", "used"])
def test_a_cursor_that_cannot_be_read_does_no_harm(as_person: As, five: dict[str, str], sort: str, cursor: str) -> None:
    assert as_person("boss").get("/keys/", {"sort": sort, "before": cursor}).status_code == 200


def test_the_links_of_the_orders_keep_the_filters_and_drop_the_place(as_person: As, five: dict[str, str]) -> None:
    page = as_person("boss").get("/keys/?person=ben&sort=name").content.decode()
    assert 'href="/keys/?person=ben&amp;sort=-name" aria-current="true" class="is-ascending"' in page
    assert 'href="/keys/?person=ben&amp;sort=-used"' in page
    assert 'href="/keys/?person=ben&amp;sort=name&amp;format=csv" download' in page


def test_the_file_tells_all_but_the_keys_and_only_of_those_one_may_see(as_person: As, five: dict[str, str]) -> None:
    GatewayKey.objects.filter(name="alpha").update(rpm=7)
    answer = as_person("boss").get("/keys/?sort=name&format=csv")
    text = answer.content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert answer["Content-Type"].startswith("text/csv")
    assert [row["name"] for row in rows] == ["alpha", "bravo", "charlie", "delta", "echo"]
    alpha = rows[0]
    assert (alpha["owner"], alpha["requests_a_minute"], alpha["opens"]) == ("ben", "7", "*")
    assert (alpha["hint"], alpha["last_used"], alpha["state"]) == (five["alpha"][-4:], "", "open")
    assert alpha["expires"].startswith("2099-12-08")
    for plain in five.values():
        assert plain not in text
    for digest in GatewayKey.objects.values_list("digest", flat=True):
        assert digest not in text
    mine = as_person("ben").get("/keys/?format=csv").content.decode()
    assert set(re.findall(r"^(\w+),ben,", mine, re.M)) == {"alpha", "echo"}
    assert "maya" not in mine
