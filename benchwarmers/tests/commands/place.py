"""An installation whose models and panels have the names that the documents use, and a shell to type into."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from benchwarmers.cli.main import FILES, bench
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port
from probes.tests.original.made import make_folder

MODELS = {
    "alpha": "terse",
    "beta": "wrong",
    "gamma": "thinker",
    "deepthinker": "slow",
    "qwen3-coder-480b": "handy",
}
"""By alias, who of the squad it is."""
COLLECTIONS = {
    "core": ("alpha", "beta"),
    "reviewers": ("alpha", "beta"),
    "agents": ("alpha",),
    "fast": ("alpha",),
}
TOKEN = """
from django.contrib.auth.models import User
from django.utils import timezone
from collections_app.actions.person import do_save_person
from collections_app.actions.token import do_create_token
do_save_person(actor=None, username="alice", groups=["caller"])
print(do_create_token(user=User.objects.filter(is_superuser=True).first(), name="docs", now=timezone.now())[1])
"""
TASK = {
    "title": "A claim",
    "prompt": "Is it so?",
    "shape": "claim",
    "must_find": [{"any_of": ["verdict: true"]}],
    "must_not_claim": ["verdict: false"],
    "score_in": "first_line",
}
"""A task of the original's suite."""
CALL = re.compile(r"p20\d{6}-\d{6}-[0-9a-z]{4}(\.\w+)?")
"""A call or a panel as the pages name one."""


def set_up(port: int) -> str:
    """A set-up file: the practice squad under the names of the pages."""
    base = f"http://127.0.0.1:{port}/practice/v1"
    lines = [f'[[endpoint]]\nname = "squad"\nbase = "{base}"\nkind = "local"\ndefault = true\n']
    lines += [f'[[endpoint]]\nname = "{name}"\nbase = "{base}"\nkind = "local"\n' for name in ("openrouter", "old-hub")]
    lines += [
        f'[[model]]\nalias = "{alias}"\nserved = "{served}"\nendpoint = "squad"\n' for alias, served in MODELS.items()
    ]
    lines += [
        f'[[collection]]\nname = "{name}"\nmembers = {list(members)!r}\nmerger = "{members[0]}"\n'.replace("'", '"')
        for name, members in COLLECTIONS.items()
    ]
    return "\n".join(lines)


def _is_plain(command: str) -> bool:
    """Of the command line, without pipes and the like, and none that becomes another program."""
    words = shlex.split(command, comments=True)
    return words[0] == "bench" and not set("|<>&$") & set(command) and FILES.get(words[1]) not in {"local", "suite"}


class Place(Product):
    """It runs, and `folder` is where somebody stands in a clone."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.port = free_port()
        self.home, self.folder = home, folder
        prepare(home)
        self.environment = environment(home, self.port, measured=False)
        file = home / "names.toml"
        file.write_text(set_up(self.port))
        self.manage("init")
        self.manage("apply", str(file))
        self.run = Running(home, self.port, measured=False)
        self.run.wait_until_whole()
        self.token = self.manage("shell", "--no-imports", "-v", "0", "-c", TOKEN).split()[-1]
        self._furnish()

    def type(self, commands: list[str], **variables: str) -> str:
        """What these commands write, one after the other until one fails: in one shell where any needs one, and else
        by the command line's own code in this process, which saves starting Python for each."""
        told = self.variables | variables
        here = [self._here(command) for command in commands]
        if not all(_is_plain(command) for command in here):
            return self._in_a_shell("\n".join(here), told)
        return "".join(self._in_this_process(command, told) for command in here)

    @property
    def variables(self) -> dict[str, str]:
        """What somebody has exported who uses this installation."""
        return self.environment | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "BENCHWARMERS_URL": f"http://127.0.0.1:{self.port}",
            "BENCHWARMERS_TOKEN": self.token,
            "KEY": "local",
            "TOKEN": self.token,
        }

    def _in_a_shell(self, script: str, variables: dict[str, str]) -> str:
        done = subprocess.run(
            ["/bin/sh", "-e", "-c", script],
            cwd=self.folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout

    def _in_this_process(self, command: str, variables: dict[str, str]) -> str:
        with chdir(self.folder):
            done = CliRunner().invoke(bench, shlex.split(command, comments=True)[1:], env=variables, prog_name="bench")
        assert done.exit_code == 0, f"{command}\n{done.output[-2000:]}\n{done.exception!r}"
        return str(done.output)

    def _here(self, command: str) -> str:
        """The command with this installation's address, and with calls that there are."""
        here = command.replace("127.0.0.1:8122", f"127.0.0.1:{self.port}")
        here = re.sub(r"\bcurl (-s )?", "curl -sS --fail-with-body ", here)
        # It finds no Valkey in a folder where nothing runs, and ends with 1.
        here = re.sub(r"^(.* doctor)\b.*", r"\1 || test $? = 1", here)
        here = here.replace("https://openrouter.ai/api/v1", f"http://127.0.0.1:{self.port}/practice/v1")
        here = here.replace("/srv/", f"{self.folder}/srv/")
        return CALL.sub(self._call, here) if CALL.search(here) else here

    def _call(self, named: re.Match[str]) -> str:
        reply: Any = self.ask("core")
        calls = [seat["call"] for seat in reply["bench"]["seats"] if seat["call"].startswith("p")]
        last = named[1] or ""
        if not last:
            return str(calls[0].partition(".")[0])
        return str(next((call for call in calls if call.endswith(last)), calls[-1]))

    def _furnish(self) -> None:
        """The files that the pages name."""
        program = f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" '
        for place, rest in (("bin/bench", '-P -m benchwarmers.cli "$@"'), (".venv/bin/python", '"$@"')):
            file = self.folder / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{program}{rest}\n")
            file.chmod(0o755)
        (self.folder / "manage.py").symlink_to(ROOT / "manage.py")
        for name in ("plan.md", "notes.md", "questions.txt"):
            (self.folder / name).write_text("Is this right?\n")
        (self.folder / "key.txt").write_text("sk-of-the-documents\n")
        (self.folder / "tasks").symlink_to(ROOT / "suite" / "starter")
        (self.folder / "srv").mkdir()
        for name in ("vault-key", "secret-key"):
            (self.folder / name).write_bytes((self.home / name).read_bytes())
        (self.folder / "code" / "project").mkdir(parents=True)
        task = self.folder / "old-benchwarmers" / "suite" / "tasks" / "claim-a" / "task.json"
        task.parent.mkdir(parents=True)
        task.write_text(json.dumps(TASK))
        make_folder(self.folder / "old-benchwarmers")
        make_folder(self.folder / ".local/share/benchwarmers-old")
        subprocess.run(["git", "init", "-q", str(self.folder)], check=True, capture_output=True)
