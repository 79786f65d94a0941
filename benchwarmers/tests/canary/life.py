"""Everything that an installation says in its life: to programs, on pages, in files, to the terminal, in its log and in
its data folder. Lived through once; the tests look at what was said."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchwarmers.tests.canary.crawl import crawl
from benchwarmers.tests.canary.house import APIS, CONTROL, VALUES, House
from benchwarmers.tests.canary.parrot import PLACES
from benchwarmers.tests.up.running import wait_for


@dataclass
class Life:
    """Texts by where they were said. `pages` are (status, text) by address."""

    replies: dict[str, str] = field(default_factory=dict)
    refusals: dict[str, httpx.Response] = field(default_factory=dict)
    lists: dict[str, httpx.Response] = field(default_factory=dict)
    pages: dict[str, httpx.Response] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    database: str = ""
    files: dict[str, str] = field(default_factory=dict)


def live(house: House) -> Life:
    """The whole of it, in order; the house has ended then."""
    life = Life()
    _ask(house, life)
    _be_refused(house, life)
    _list(house, life)
    wait_for(lambda: "sign in again" in house.browser.get("/sign-ins/").text, 30, house.run)
    life.pages = dict(crawl(house.browser))
    for words in (("export",), ("doctor",), ("rotate_vault",)):
        house.manage(*words)
    house.program.get(f"/nowhere/{CONTROL}")
    with sqlite3.connect(house.home / "benchwarmers.sqlite3") as base:
        life.database = "\n".join(base.iterdump())
    house.end()
    life.commands, life.log = house.told, house.run.lines
    for path in Path(house.home).rglob("*"):
        if path.is_file() and "sqlite3" not in path.name and path.name != "setup.toml":
            life.files[path.name] = path.read_text("latin-1")
    return life


def _ask(house: House, life: Life) -> None:
    for place in PLACES:
        asked = {
            f"{place}": house.ask(f"bench/{place}"),
            f"{place} as stream": house.ask(f"bench/{place}", stream=True),
        }
        for api in APIS:
            asked[f"{place} from {api}"] = house.ask(f"bench/{place}-{api}")
            asked[f"{place} from {api} as stream"] = house.ask(f"bench/{place}-{api}", stream=True)
        for name, reply in asked.items():
            heads = "\n".join(f"{one}: {value}" for one, value in reply.headers.items())
            life.replies[name] = f"{heads}\n\n{reply.text}"


def _be_refused(house: House, life: Life) -> None:
    key, token = VALUES["gateway key"], VALUES["admin token"]
    for number, headers in enumerate(
        ({"authorization": f"Basic {key}"}, {"authorization": key}, {"x-api-key": f"{key}x"})
    ):
        life.refusals[f"key {number}"] = house.browser.post("/v1/chat/completions", json={}, headers=headers)
    wrong = {"authorization": f"Bearer {token}"}
    for path in (f"/v1beta/models?key={token}", f"/v1beta/models/m1:generateContent?key={token}", "/v1/x", "/bench/x"):
        for method in ("GET", "POST"):
            life.refusals[f"{method} {path}"] = house.program.request(method, path, headers=wrong)
    with httpx.Client(base_url=house.browser.base_url, timeout=60) as stranger:
        life.refusals["sign-in"] = house.knock(stranger, VALUES["password"], VALUES["gateway key"])


def _list(house: House, life: Life) -> None:
    panel = house.ask("bench/answer").json()["bench"]["panel"]
    paths = ["/v1/models", "/api/tags", "/api/ps", "/v1beta/models", "/bench/openapi.json", "/health"]
    paths += [f"/bench/panels/{panel}", f"/bench/panels/{panel}/events", "/bench/record?collection=bench/answer"]
    for path in paths:
        life.lists[path] = house.program.get(path)
    reader = {"authorization": f"Bearer {VALUES['metrics token']}"}
    life.lists["/metrics"] = house.program.get("/metrics", headers=reader)
