"""An installation with a canary in every secret, at the lowest level of logging, behind a Redis with a password."""

from __future__ import annotations

import hmac
import json
import struct
import subprocess
import sys
import time
from base64 import b32decode
from pathlib import Path
from typing import Any, Final

import httpx

from benchwarmers.tests.canary.parrot import PLACES, RENEWAL
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment, free_port, wait_for
from benchwarmers.valkey import find_server

VALUES: Final = {
    "provider key in the environment": "canary+env/2f6b9c81d4=prov",
    "provider key of a named variable": "canary+var/7d03e5a9b2=prov",
    "provider key in the vault": "canary+vault/91c4e7f20a=prov",
    "secret of a header": "canary+door/5be8f1a37c=head",
    "gateway key": "bwk_canary4f81d7b2c09e63a5f81d7b2c09e63a5f",
    "password": "canary!pass 'word' 3c9e",
    "second factor": "CANARYJBSWY3DPEHPK3PXPCANARY2345",
    "admin token": "canary-admin-0a7d5e9b31",
    "metrics token": "canary-metrics-66b0f2d9c4",
    "key of sessions": "canary-sessions-key-8d2b7f41c6e09a35-long-enough",
    "key of the vault": "Y2FuYXJ5LXZhdWx0LWtleS0zMi1ieXRlcy1sb25nISE=",
    "password of Redis": "canary-redis-c4a1e8d3",
    "client secret": "canary-oidc-e2d94b7a10",
    "token of a sign-in": "canary+access/5f20c7be91=sign",
    "refresh token of a sign-in": "canary+refresh/a83d16e40c=sign",
}
CONTROL: Final = "control-finch-18e5"
"""A word that is no secret and must be found wherever the canaries are looked for."""
APIS: Final = {"chat": "/v1", "responses": "/v1", "anthropic": "/v1", "gemini": "/v1beta", "ollama": ""}
KEYS: Final = {
    "chat": {},
    "responses": {"key_env": "CANARY_NAMED"},
    "anthropic": {"key_name": "stored"},
    "gemini": {"key_name": "stored"},
    "ollama": {},
}


def set_up(base: str) -> str:
    """An endpoint for each API that is spoken, and a model and a collection for each place of an answer."""
    lines = ['[[person]]\nusername = "warden"\ngroups = ["admin"]\n']
    lines.append('[[key]]\nname = "caller"\nowner = "warden"\nsecret_env = "CANARY_GATEWAY"\n')
    for api, path in APIS.items():
        more = "".join(f'{name} = "{value}"\n' for name, value in KEYS[api].items())
        headers = 'headers = { X-Door-Token = "secret:door", X-Title = "bench" }\n'
        lines.append(
            f'[[endpoint]]\nname = "{api}"\nbase = "{base}{path}"\nkind = "provider"\napi = "{api}"\n{more}{headers}'
        )
        lines += [
            f'[[model]]\nalias = "{place}-{api}"\nserved = "{place}-{api}"\nendpoint = "{api}"\nrole = "image"\n'
            for place in PLACES
        ]
    for place in PLACES:
        members = ", ".join(f'"{place}-{api}"' for api in APIS)
        lines.append(f'[[collection]]\nname = "{place}"\nmembers = [{members}]\nmax_explorers = 0\n')
        lines += [
            f'[[collection]]\nname = "{place}-{api}"\nmembers = ["{place}-{api}"]\nreply = "route"\n' for api in APIS
        ]
    return "\n".join(lines)


HIDE: Final = """
from datetime import timedelta
from pathlib import Path
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.utils import timezone
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.invitation import do_invite
from collections_app.actions.secret import do_save_secret
from collections_app.models import SignIn
warden = User.objects.get(username="warden")
warden.is_superuser = True
warden.set_password({password!r})
warden.save()
do_save_secret(actor=warden, name="stored", plain={stored!r})
do_save_secret(actor=warden, name="door", plain={door!r})
TOTP.activate(warden, {factor!r})
_, token = do_invite(actor=warden, now=timezone.now())
row = do_save_endpoint(actor=warden, name="signed", base={base!r}, key_name="signed")
do_save_secret(actor=warden, name="signed", plain={access!r})
do_save_secret(actor=warden, name="signed.refresh", plain={refresh!r})
end = timezone.now() + timedelta(seconds=60)
SignIn.objects.create(endpoint=row, provider="parrot", client_id="me", at=end, expires_at=end, refreshes=True)
Path({note!r}).write_text(token)
"""


class House:
    """Running, with everybody in it signed in and a few questions asked."""

    def __init__(self, home: Path, base: str, traces: str) -> None:
        self.home, self.port = home, free_port()
        self.told: list[str] = []
        prepare(home)
        redis = free_port()
        self.extra = {
            "BENCHWARMERS_LOG_LEVEL": "DEBUG",
            "BENCHWARMERS_ADMIN_TOKEN": VALUES["admin token"],
            "BENCHWARMERS_OTLP_ENDPOINT": traces,
            "BENCHWARMERS_METRICS_TOKEN": VALUES["metrics token"],
            "BENCHWARMERS_SECRET_KEY": VALUES["key of sessions"],
            "BENCHWARMERS_VAULT_KEY": VALUES["key of the vault"],
            "BENCHWARMERS_KEY_CHAT": VALUES["provider key in the environment"],
            "BENCHWARMERS_KEY_OLLAMA": VALUES["provider key in the environment"],
            "BENCHWARMERS_OIDC_CORP_ISSUER": "https://sign-in.example.org",
            "BENCHWARMERS_OIDC_CORP_CLIENT_ID": "bench",
            "BENCHWARMERS_OIDC_CORP_CLIENT_SECRET": VALUES["client secret"],
            "BENCHWARMERS_SIGN_IN_PROVIDERS": str(_providers(home, base)),
            "CANARY_NAMED": VALUES["provider key of a named variable"],
            "CANARY_GATEWAY": VALUES["gateway key"],
            "REDIS_URL": f"redis://:{VALUES['password of Redis']}@127.0.0.1:{redis}/0",
        }
        self.redis = _redis(redis, home)
        file = home / "setup.toml"
        file.write_text(set_up(base))
        self.manage("apply", str(file))
        hidden = {name: VALUES[long] for name, long in _HIDDEN.items()}
        note = home.parent / f"{home.name}-invitation"
        self.manage("shell", "-c", HIDE.format(**hidden, note=str(note), base=f"{base}/v1"))
        self.invitation = note.read_text()
        self.run = Running(home, self.port, measured=False, extra=self.extra)
        wait_for(self.run.is_healthy, 60, self.run)
        wait_for(lambda: "celery.apps.worker" in self.run.output, 30, self.run)
        self.browser = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)
        self.program = httpx.Client(
            base_url=self.browser.base_url, timeout=60, headers={"authorization": f"Bearer {VALUES['gateway key']}"}
        )

    def manage(self, *words: str) -> str:
        """What a command says, on both channels. It may not fail."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=environment(self.home, self.port, measured=False) | self.extra,
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.told.append(done.stdout + done.stderr)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sign_in(self) -> str:
        """As the warden; the value of the session's cookie."""
        answer = self.knock(self.browser, "warden", VALUES["password"])
        step = answer.headers["location"]
        assert step.startswith("/login/code/"), answer.text
        self.browser.get(step)
        answer = self._send(self.browser, step, code=one_time_code(VALUES["second factor"], time.time()))
        assert answer.status_code == 302, answer.text
        return str(self.browser.cookies["bw_session"])

    def knock(self, browser: httpx.Client, name: str, password: str) -> httpx.Response:
        """What the sign-in page answers to this name and password."""
        browser.get("/login/")
        return self._send(browser, "/login/", username=name, password=password)

    def _send(self, browser: httpx.Client, path: str, **fields: str) -> httpx.Response:
        sent = {**fields, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        return browser.post(path, data=sent, headers={"origin": str(browser.base_url).rstrip("/")})

    def ask(self, model: str, **more: Any) -> httpx.Response:
        """A question that has the control word in it."""
        body = {"model": model, "messages": [{"role": "user", "content": f"Say {CONTROL}."}], **more}
        return self.program.post("/v1/chat/completions", json=body)

    def end(self) -> None:
        """Stop everything; a second time does nothing."""
        self.browser.close()
        self.program.close()
        self.run.end()
        self.redis.terminate()
        self.redis.wait(10)


_HIDDEN = {
    "password": "password",
    "stored": "provider key in the vault",
    "door": "secret of a header",
    "factor": "second factor",
    "access": "token of a sign-in",
    "refresh": "refresh token of a sign-in",
}


def one_time_code(secret: str, now: float) -> str:
    """What an authenticator app shows at this time, in seconds."""
    digest = hmac.digest(b32decode(secret), struct.pack(">Q", int(now) // 30), "sha1")
    start = digest[-1] & 15
    return f"{(struct.unpack_from('>I', digest, start)[0] & 0x7FFFFFFF) % 1_000_000:06}"


def _providers(home: Path, base: str) -> Path:
    """A file with a provider that renews no token and repeats it."""
    file = home.parent / f"{home.name}-providers.json"
    named = {"id": "parrot", "label": "Parrot", "flow": "oauth", "name": "parrot", "client_id": "me"}
    placed = {"base": f"{base}/v1", "authorize": f"{base}/authorize", "token": base + RENEWAL}
    file.write_text(json.dumps([{**named, **placed}]))
    return file


def _redis(port: int, home: Path) -> subprocess.Popen[bytes]:
    listens = ["--port", str(port), "--bind", "127.0.0.1", "--requirepass", VALUES["password of Redis"]]
    keeps = ["--save", "", "--appendonly", "yes", "--dir", str(home)]
    return subprocess.Popen(
        [find_server(), *listens, *keeps], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
