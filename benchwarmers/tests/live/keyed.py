"""An installation that asks for keys, with a second web process beside its own, and people who manage keys on its pages
by plain HTTP."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import Provider
from benchwarmers.tests.up.running import ROOT, free_port, wait_for

PEOPLE = """
[[person]]
username = "ada"
groups = ["admin"]

[[person]]
username = "ben"
groups = ["caller"]

[[collection]]
name = "other"
members = ["quick"]
shape = "general"
max_explorers = 0

[[model]]
alias = "sleeper"
served = "waits-60000-asleep"
endpoint = "provider"
ad_hoc = true

[[model]]
alias = "napper"
served = "waits-2500-awake"
endpoint = "provider"
ad_hoc = true

[[collection]]
name = "freeing"
members = ["sleeper"]
max_explorers = 0
on_disconnect = "cancel"

[[collection]]
name = "finishing"
members = ["napper"]
max_explorers = 0
"""
NEWS_S = 0.3
"""Seconds of silence after which the second process gives a sign of life."""


class Keyed(Product):
    """Ada is an admin, Ben a caller. `ports` are those of the two web processes."""

    def __init__(self, home: Path, provider: Provider) -> None:
        super().__init__(home, provider, BENCHWARMERS_REQUIRE_KEYS="1", BENCHWARMERS_TIME_ZONE=zone_at_noon())
        file = home / "people.toml"
        file.write_text(PEOPLE)
        self.manage("apply", str(file))
        self.ports = (self.port, free_port())
        environment = self.environment | {"BENCH_PORT": str(self.ports[1]), "BENCH_KEEPALIVE_S": str(NEWS_S)}
        command = [sys.executable, "-m", "benchwarmers.serve"]
        self.other = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
        wait_for(self._other_is_up, 30, self.run)

    def end(self) -> None:
        self.other.terminate()
        self.other.wait(20)
        self.run.end()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def link_for(self, name: str) -> str:
        """The path that signs this person in once."""
        command = [sys.executable, "-m", "benchwarmers.tests.pages.play", "link", name]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.strip().splitlines()[-1]

    def sign_in(self, name: str) -> httpx.Client:
        """A session of this person at the first process."""
        person = httpx.Client(base_url=self.address, timeout=20)
        send(person, self.link_for(name))
        return person

    def ask_with(self, place: int, plain: str, collection: str) -> tuple[int, Any]:
        """(status, decoded body) of a question to one of the two processes."""
        body = {"model": f"bench/{collection}", "messages": [{"role": "user", "content": "Hello?"}]}
        headers = {"authorization": f"Bearer {plain}"}
        address = f"http://127.0.0.1:{self.ports[place]}/v1/chat/completions"
        answer = httpx.post(address, json=body, headers=headers, timeout=30)
        return answer.status_code, answer.json()

    def listed(self, place: int, plain: str) -> set[str] | int:
        """The collections that a key is shown by one of the two processes, or the status that refuses it."""
        headers = {"authorization": f"Bearer {plain}"}
        answer = httpx.get(f"http://127.0.0.1:{self.ports[place]}/v1/models", headers=headers, timeout=30)
        if answer.status_code != 200:
            return answer.status_code
        return {one["id"] for one in answer.json()["data"] if ":" not in one["id"]}

    def _other_is_up(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.ports[1]}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def zone_at_noon() -> str:
    """A time zone in which the day is half over: no budget of a day starts anew while a test runs."""
    behind = datetime.now(UTC).hour - 12
    return f"Etc/GMT{behind:+d}" if behind else "UTC"


def send(person: httpx.Client, path: str, fields: dict[str, Any] | None = None, *, page: str = "") -> httpx.Response:
    """Post a form as its page would: `page` is where it stands, if not at its own address."""
    (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', person.get(page or path).text)
    answer = person.post(path, data={"csrfmiddlewaretoken": token, **(fields or {})})
    assert answer.status_code < 400, answer.text
    return answer


def plain_in(answer: httpx.Response) -> str:
    """The key that a page shows."""
    (plain,) = set(re.findall(r"bwk_[A-Za-z0-9_-]{43}", answer.text))
    return str(plain)
