"""Three processes find the same token at its end, at once: one alone asks for a new one."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, environment, free_port, wait_for
from probes.tests.sign_ins.authority import running_authority
from probes.tests.sign_ins.world import table

pytestmark = pytest.mark.slow

SEED = """
from datetime import timedelta
from django.utils import timezone
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
from collections_app.models import SignIn
row = do_save_endpoint(actor=None, name="open", base="{base}", key_name="open")
do_save_secret(actor=None, name="open", plain="old-token")
do_save_secret(actor=None, name="open.refresh", plain="old-refresh")
now = timezone.now()
SignIn.objects.create(
    endpoint=row, provider="open", client_id="shipped", at=now, expires_at=now + timedelta(seconds=60), refreshes=True
)
"""
RENEW = "from probes.sign_ins.desk import desk; from probes.sign_ins.renew import renew_due; print(renew_due(desk()))"
READ = "from collections_app.vault import secret_for; print(secret_for('open'), secret_for('open.refresh'))"


def test_three_processes_renew_once(tmp_path: Path) -> None:
    with running_authority(hold=threading.Event()) as us:
        us.refreshing["old-refresh"] = "shipped"
        file = tmp_path / "providers.json"
        file.write_bytes(msgspec.json.encode(list(table(us).values())))
        prepare(tmp_path / "home")
        variables = environment(tmp_path / "home", free_port(), measured=False)
        variables["BENCHWARMERS_SIGN_IN_PROVIDERS"] = str(file)

        def begin(*words: str) -> subprocess.Popen[str]:
            command = [sys.executable, "manage.py", *words]
            return subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)

        def said(*words: str) -> str:
            out, _ = begin(*words).communicate(timeout=120)
            return out.strip()

        said("init")
        said("shell", "-v", "0", "-c", SEED.format(base=f"{us.root}/v1"))
        running = [begin("shell", "-v", "0", "-c", RENEW) for _ in range(3)]
        try:
            # The one that asks is kept waiting until the others have looked and found nothing to do.
            wait_for(lambda: sum(one.poll() is not None for one in running) == 2, 60)
            assert us.hold is not None
            us.hold.set()
            assert sorted(one.communicate(timeout=60)[0].strip() for one in running) == ["0", "0", "1"]
        finally:
            for one in running:
                one.kill()
        assert len(us.asked("/token")) == 1
        token, refresh = said("shell", "-v", "0", "-c", READ).split()
        assert token in us.tokens
        assert refresh in us.refreshing
