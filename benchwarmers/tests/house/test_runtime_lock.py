"""The product runs on what its own lock brings. Tests install more, which would hide what nobody asked for."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ALONE = """
import importlib.metadata, re, sys
from importlib.machinery import PathFinder

locked = set({locked!r})
plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
foreign = {{
    module
    for module, owners in importlib.metadata.packages_distributions().items()
    if not any(plain(owner) in locked for owner in owners)
}}

class OnlyTheLock(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in foreign else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = OnlyTheLock
import django
django.setup()
{imports}
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import benchwarmers.asgi, benchwarmers.serve, uvicorn.protocols.http.httptools_impl, uvloop",
        "import benchwarmers.background, kombu.transport.redis, celery.concurrency.thread\n"
        "import django_celery_beat.schedulers",
        "import benchwarmers.up, benchwarmers.doctor, benchwarmers.first_start",
        "from django.core.management import call_command; call_command('check')",
        "import benchwarmers.cli.main as m; [m.bench.get_command(None, name) for name in m.FILES]\n"
        "import rich.console, rich.live, rich.table, httpx",
        "import benchwarmers.cli.mcp_session",
    ],
    ids=["web", "worker and beat", "supervisor", "checks", "command line", "agents' pipe"],
)
def test_every_process_starts_with_the_runtime_lock_alone(imports: str) -> None:
    pins = re.findall(r"^([A-Za-z0-9_.-]+)==", (ROOT / "requirements.txt").read_text(), re.M)
    locked = sorted(re.sub(r"[-_.]+", "-", pin).lower() for pin in pins)
    program = ALONE.format(locked=locked, imports=imports)
    environment = {"DJANGO_SETTINGS_MODULE": "benchwarmers.tests.settings", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
