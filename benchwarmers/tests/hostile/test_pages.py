"""Whatever stands in the address or the form of a page, it is answered, and never by a defect of ours.

`FUZZ_PAGES` is the number of requests; `make fuzz` sends more.
"""

from __future__ import annotations

import os
import re
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from django.core.signals import got_request_exception
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from benchwarmers.tests.rights.cast import Cast
from benchwarmers.tests.rights.conftest import cast, made
from benchwarmers.tests.rights.routes import Found, walk
from benchwarmers.tests.rights.test_rights_matrix import BY_SECRET, OBJECTS, OF_ALL

__all__ = ["cast", "made"]
REQUESTS = int(os.environ.get("FUZZ_PAGES", "150"))
ROOT = Path(__file__).resolve().parents[3]
WILD: Final = (
    "",
    "0",
    "-1",
    "9" * 25,
    "9" * 5_000,
    "1e999",
    "nan",
    "٣",
    "²",
    "\x00",
    "\ud83c",
    "%00",
    "x" * 3_000,
    "'\"<script>",
    "2026-13-45",
    "0001-01-01",
    "9999-12-31",
    "2026-11-29T25:00",
    "-",
    "{",
    '{"a": 1e999}',
    "[" * 2_000,
    "../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "(a+)+$",
    "%",
    "_",
    "\\",
    "\u202e",
    "1,2,3",
)
_NAME: Final = re.compile(r"""(?:\.get|\.getlist|GET|POST|typed|query|form)[(\[]\s*"(\w{1,30})\"""")
NOT_ASKED: Final = re.compile(r"^(admin:jsi18n|logout|.*:(endpoint-detect|hub|hub-add))$")
"""What would look for servers in the network, or end the session."""


@cache
def names_near(module: str) -> tuple[str, ...]:
    """The names of fields that the package of a view reads."""
    parts = module.split(".")[:-1]
    folder = ROOT.joinpath(*parts)
    found = {name for file in folder.glob("*.py") for name in _NAME.findall(file.read_text())}
    return tuple(sorted(found)) or ("page", "q", "next")


def routes() -> list[tuple[Found, str]]:
    """Each with the module of its view."""
    modules = {str(one.lookup_str).rpartition(".")[0] for one in _patterns(get_resolver())}
    by_view = dict(zip((found.pattern for found in walk()), _patterns(get_resolver()), strict=True))
    assert len(modules) > 10
    return [
        (found, getattr(by_view[found.pattern].callback, "__module__", "benchwarmers.dashboard.views"))
        for found in walk()
        if not found.regular and NOT_ASKED.search(found.name) is None
    ]


def _patterns(resolver: Any) -> Iterator[Any]:
    for one in resolver.url_patterns:
        if hasattr(one, "url_patterns"):
            yield from _patterns(one)
        else:
            yield one


def known_values(things: dict[str, Any], found: Found) -> dict[str, Any]:
    """What the parameters of the address are in the cast, as far as they are known."""
    kinds = (OBJECTS.get(found.name) or ({},))[0] or OF_ALL.get(found.name) or {}
    values = {name: things.get(kind, kind) for name, kind in kinds.items()}
    return {**dict.fromkeys(found.parameters, "1"), **BY_SECRET.get(found.name, {}), **values}


def wild(rng: Random) -> str:
    return rng.choice(WILD)


def send(client: Client, found: Found, module: str, things: dict[str, Any], rng: Random) -> tuple[str, Any]:
    """One request: a wild word in the address, the query or the form."""
    values = known_values(things, found)
    if values and rng.random() < 0.25:
        values[rng.choice(list(values))] = quote(wild(rng).encode("utf-8", "replace"))
    address = found.address(values)
    names = names_near(module)
    fields = {name: wild(rng) for name in rng.sample(names, min(len(names), rng.choice((1, 1, 2, 5, 20))))}
    safe = {name: value.encode("utf-8", "replace").decode() for name, value in fields.items()}
    if rng.random() < 0.6:
        where = f"{address}?{urlencode(safe)}"
        return where, client.get(where, headers={"hx-request": "true"} if rng.random() < 0.3 else {})
    return f"POST {address} {safe!r:.500}", client.post(address, safe)


@pytest.mark.timeout(3_600)
def test_no_word_in_an_address_or_a_form_makes_a_page_fail(cast: Cast) -> None:
    """As the admin, who gets furthest. Each request in a transaction that is taken back."""
    rng = Random(f"pages {os.environ.get('FUZZ_SEED', '0')}")
    failed: dict[str, str] = {}
    raised: list[BaseException] = []

    def note(**_: Any) -> None:
        import sys

        kind: tuple[Any, BaseException | None, TracebackType | None] = sys.exc_info()
        if kind[1] is not None:
            raised.append(kind[1])

    got_request_exception.connect(note)
    statuses: Counter[int] = Counter()
    all_routes, signed_in = routes(), cast.clients["adam"].cookies.output(header="", sep=";")
    try:
        for _ in range(REQUESTS):
            found, module = rng.choice(all_routes)
            cast.clients["adam"].cookies.load(signed_in)  # some of it signs out
            with transaction.atomic():
                where, answer = send(cast.clients["adam"], found, module, cast.things, rng)
                statuses[answer.status_code] += 1
                if answer.status_code >= 500:
                    error = raised[-1] if raised else None
                    failed.setdefault(_place(error), where[:700])
                transaction.set_rollback(True)
            raised.clear()
    finally:
        got_request_exception.disconnect(note)
    print(dict(statuses))
    assert failed == {}
    assert statuses[200] > REQUESTS // 10


def _place(error: BaseException | None) -> str:
    if error is None:
        return "no trace"
    places = [f"{Path(one.filename).name}:{one.lineno}" for one in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__}: {str(error)[:150]} {places[-6:]}"
