"""A running installation that takes models on from real servers."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchwarmers.tests.up.running import ROOT, Running, environment, free_port

BEFORE = "import json\nfrom django.utils import timezone\n"
MARK = "TOLD "


class Bench:
    """`manage.py up` in a folder of its own. `seated` is what a test's fixture keeps of the model it took on."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.environment = environment(home, self.port, measured=False)
        self.seated: dict[str, Any] = {}
        self.run = Running(home, self.port, measured=False)
        self.run.wait_until_whole()

    def tell(self, program: str, **given: Any) -> Any:
        """Runs statements in the installation's shell with these values; what they put into `told`, through JSON."""
        values = "".join(f"{name} = json.loads({json.dumps(value)!r})\n" for name, value in given.items())
        ending = f"\nprint({MARK!r} + json.dumps(told))\n"
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", BEFORE + values + program + ending],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=180,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
        assert done.returncode == 0, done.stdout + done.stderr
        assert lines, done.stdout
        return json.loads(lines[-1].removeprefix(MARK))

    def wait_for_job(self, key: str, within_s: float = 240) -> dict[str, Any]:
        """The newest job of this key once it is at its end: state, note, lane and output."""
        until = time.monotonic() + within_s
        while True:
            job: dict[str, Any] = self.tell(
                "from probes.models import Job\n"
                "row = Job.objects.filter(key=key).latest('id')\n"
                "told = {'state': row.state, 'note': row.note, 'lane': row.lane, 'open': row.open,"
                " 'said': [line.text for line in row.lines.order_by('id')]}",
                key=key,
            )
            if not job["open"]:
                return job
            assert time.monotonic() < until, job
            time.sleep(1)

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        """(status, decoded body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def end(self) -> None:
        self.run.end()
