"""One running installation with a provider behind it, and the few requests that every live test makes."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwarmers.tests.live.upstream import Provider
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port

SEATS = {
    "quick": "says-quick",
    "steady": "waits-300-steady",
    "late": "waits-1500-late",
    "sixth": "says-sixth",
    "seventh": "says-seventh",
}


SPENT = {"spent": "spends-3-well", "spent-long": "spends-900-well"}
"""Members whose provider tells with each answer that it was the last for some seconds, each in a collection of its
own."""


SQUAD = {
    "chat": ("/practice/v1", ""),
    "anthropic": ("/practice/anthropic/v1", ""),
    "responses": ("/practice/responses/v1", ""),
    "gemini": (
        "/practice/gemini/v1beta",
        "options = { generationConfig = { thinkingConfig = { includeThoughts = true } } }\n",
    ),
    "ollama": ("/practice/ollama", ""),
}
"""For each API that members speak: where the practice squad speaks it, and what a model that thinks needs there."""
AGENTIC = ("handy", "keeper")
"""Of the squad, those that call tools at once. They are no ad hoc models, for these take no turns; their role keeps
them from exploring where other tests count seats."""


def set_up(provider: Provider, port: int) -> str:
    """A set-up file: `core` of three seats with explorers beside them, a collection of one for each recording, `five`
    and `thinkers` with one seat of the practice squad for each API, and `handy-<api>` and `keeper-<api>` for turns with
    tools."""
    lines = [f'[[endpoint]]\nname = "provider"\nbase = "{provider.base}"\nkind = "local"\ndefault = true\n']
    served = {**SEATS, **SPENT, **{name: name for name in provider.recordings}}
    for alias, name in served.items():
        ad_hoc = "false" if alias in SEATS else "true"
        lines.append(f'[[model]]\nalias = "{alias}"\nserved = "{name}"\nendpoint = "provider"\nad_hoc = {ad_hoc}\n')
    lines.append('[[collection]]\nname = "core"\nmembers = ["quick", "steady", "late"]\nshape = "general"\n')
    lines.append('[[collection]]\nname = "fast"\nmembers = ["quick"]\nshape = "general"\nmax_explorers = 1\n')
    lines += [
        f'[[collection]]\nname = "{name}"\nmembers = ["{name}"]\nmax_explorers = 0\n'
        for name in (*SPENT, *provider.recordings)
    ]
    return "\n".join([*lines, *_squad(port)])


def _squad(port: int) -> Iterator[str]:
    for api, (path, options) in SQUAD.items():
        base = f"http://127.0.0.1:{port}{path}"
        yield f'[[endpoint]]\nname = "squad-{api}"\nbase = "{base}"\nkind = "local"\napi = "{api}"\n'
        for served in ("terse", "thinker"):
            model = f'alias = "{api}-{served}"\nserved = "{served}"\nendpoint = "squad-{api}"\nad_hoc = true\n'
            yield f"[[model]]\n{model}vision = true\ndocuments = true\n{options}"
        for served in AGENTIC:
            model = f'alias = "{api}-{served}"\nserved = "{served}"\nendpoint = "squad-{api}"\nrole = "image"\n'
            yield f"[[model]]\n{model}tools = true\nvision = true\n{options}"
            yield f'[[collection]]\nname = "{served}-{api}"\nmembers = ["{api}-{served}"]\nmax_explorers = 0\n'
    for name, served in (("five", "terse"), ("thinkers", "thinker")):
        members = [f"{api}-{served}" for api in SQUAD]
        yield f'[[collection]]\nname = "{name}"\nmembers = {json.dumps(members)}\nmax_explorers = 0\n'


class Product:
    """`manage.py apply` and `manage.py up` in a folder of their own. `measured` lets coverage see them, which one
    installation of a run suffices for: it makes them half as slow again."""

    def __init__(self, home: Path, provider: Provider, *, measured: bool = False, **extra: str) -> None:
        self.provider = provider
        self.port = free_port()
        file = home / "setup.toml"
        file.write_text(set_up(provider, self.port))
        prepare(home)
        self.environment = environment(home, self.port, measured=measured) | extra
        self.manage("apply", str(file))
        self.run = Running(home, self.port, measured=measured, extra=extra)
        self.run.wait_until_whole()

    def manage(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """(status, lower-case headers, body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {"content-type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """(status, decoded body)."""
        status, _, data = self.request("POST", path, json.dumps(body).encode(), headers)
        return status, json.loads(data)

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        status, _, data = self.request("GET", path, None, headers)
        return status, json.loads(data)

    def ask(self, collection: str, prompt: str = "Hello?", **more: Any) -> Any:
        """The decoded reply of a panel."""
        ask = {"model": f"bench/{collection}", "messages": [{"role": "user", "content": prompt}], **more}
        status, reply = self.post("/v1/chat/completions", ask)
        assert status == 200, reply
        return reply
