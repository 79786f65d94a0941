"""The tools themselves read what we write. Opt-in, for they are large: `INSPECT_PYTHON` names a Python that has
inspect_ai (tried with 0.3.285), `PROMPTFOO` the words that start promptfoo (tried with 0.123.1)."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("world"), pytest.mark.slow]
READ = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
found = []
for info in list_eval_logs(sys.argv[1]):
    head, log = read_eval_log(info, header_only=True), read_eval_log(info)
    found.append([info.task, head.eval.model, head.results.scores[0].scored_samples, len(log.samples),
                  [s.scores["suite"].value if s.scores else s.error.message if s.error else "-" for s in log.samples]])
print(json.dumps(sorted(found)))
"""


def test_inspect_lists_and_reads_the_logs(tmp_path: Path) -> None:
    python = os.environ.get("INSPECT_PYTHON")
    if not python:
        pytest.skip("INSPECT_PYTHON names no Python with inspect_ai")
    call_command("export_suite", "--form", "inspect", "--to", str(tmp_path))
    done = subprocess.run([python, "-c", READ, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    late = "timeout: timeout: no end"
    assert json.loads(done.stdout) == [
        ["benchwarmers-suite", "benchwarmers/fast", 4, 4, [1.0, 0.0, 1.0, 0.5]],
        ["benchwarmers-suite", "benchwarmers/slow", 0, 4, ["-", "-", late, late]],
    ]


def test_promptfoo_imports_the_results(tmp_path: Path) -> None:
    program = os.environ.get("PROMPTFOO")
    if not program:
        pytest.skip("PROMPTFOO names no promptfoo")
    file, back = tmp_path / "results.json", tmp_path / "back.json"
    call_command("export_suite", "--form", "promptfoo", "--to", str(file))
    env = os.environ | {
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "home"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "true",
    }
    name = json.loads(file.read_text())["evalId"]
    for words in (["import", str(file)], ["export", "eval", name, "-o", str(back)]):
        done = subprocess.run(
            [*shlex.split(program), *words], capture_output=True, text=True, env=env, check=False, timeout=100
        )
        assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(back.read_text())["results"]["results"]
    assert sorted((one["provider"]["id"], one["success"]) for one in results) == [
        *[("fast", False)] * 2,
        *[("fast", True)] * 2,
        *[("slow", False)] * 4,
    ]
