"""An authorisation server on this machine that speaks all flows: PKCE for a key, OAuth with PKCE, device codes with
their waiting, refresh tokens that rotate, and every way to answer wrongly. It lists models to whoever has its token.

It runs in a thread, so that tests may ask it from anywhere, and so may a browser.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

LIFE_S = 3600
FAULTS = ("redirect", "huge", "garbage", "list", "broken", "busy", "empty", "echo", "odd-life")


@dataclass
class Agreed:
    """What somebody agreed to: the PKCE challenge and where the code may be brought back from."""

    challenge: str
    client_id: str = ""
    redirect: str = ""


@dataclass
class Authority:
    """`tokens` are those that open the listing, `refreshing` the refresh tokens that are good once. `fault` spoils the
    next requests for a token, `hold` keeps them waiting. `seen` has the (path, fields) of all requests."""

    prefix: str = "tok"
    tokens: set[str] = field(default_factory=set)
    refreshing: dict[str, str] = field(default_factory=dict)
    codes: dict[str, Agreed] = field(default_factory=dict)
    devices: dict[str, str] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    fault: str = ""
    hold: threading.Event | None = None
    life: Any = LIFE_S
    rotates: bool = True
    says_life: bool = True
    issues: str = ""
    forgets_state: bool = False
    lists_to_anyone: bool = False
    lists: bool = True
    port: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def fresh(self, kind: str) -> str:
        """A value that stands nowhere else."""
        made = f"{self.prefix}-{kind}-{next(self.numbers)}-{sha256(kind.encode()).hexdigest()[:12]}"
        self.made.append(made)
        return made

    def asked(self, path: str) -> list[dict[str, str]]:
        """The fields of the requests to one path."""
        return [fields for where, fields in self.seen if where == path]

    def answer_device(self, user_code: str, how: str) -> None:
        """Somebody typed the code: `granted`, `denied`, `expired`, or `pending` and `slow` before that."""
        self.devices[user_code] = how


async def agree(request: web.Request) -> web.Response:
    """The page where somebody agrees, and where that leads."""
    us, query = _us(request), request.query
    us.seen.append((request.path, dict(query)))
    back = query.get("callback_url") or query.get("redirect_uri") or ""
    if "answer" not in query:
        more = urlencode({**query, "answer": "yes"}), urlencode({**query, "answer": "no"})
        links = f'<a href="?{more[0]}">Agree</a> <a href="?{more[1]}">Refuse</a>'
        return web.Response(
            text=f"<!doctype html><title>Authority</title><h1>Agree?</h1>{links}", content_type="text/html"
        )
    found = {} if us.forgets_state else {"state": query.get("state", "")}
    if query["answer"] == "no":
        found |= {"error": "access_denied", "error_description": "The owner refused."}
    else:
        code = us.fresh("code")
        us.codes[code] = Agreed(query["code_challenge"], query.get("client_id", ""), back)
        found["code"] = code
        if us.issues:
            us.codes[code].client_id = us.issues
            found["client_id"] = us.issues
    raise web.HTTPFound(f"{back}?{urlencode(found)}")


async def give(request: web.Request) -> web.StreamResponse:
    """The endpoint for tokens, of all flows."""
    us = _us(request)
    sent = await request.json() if request.content_type == "application/json" else dict(await request.post())
    fields = {str(name): str(value) for name, value in sent.items()}
    us.seen.append((request.path, fields))
    if us.hold is not None:
        await asyncio.get_running_loop().run_in_executor(None, us.hold.wait)
    if us.fault:
        return _spoil(us, fields)
    match fields.get("grant_type"):
        case None | "authorization_code":
            return _exchange(us, fields)
        case "refresh_token":
            client = us.refreshing.get(fields["refresh_token"])
            if client is None or client != fields["client_id"]:
                return _no("invalid_grant", "The refresh token is not known.")
            if us.rotates:
                del us.refreshing[fields["refresh_token"]]
            return web.json_response(_grant(us, client, again=not us.rotates))
        case _:
            return _device_answer(us, fields)


async def give_code(request: web.Request) -> web.Response:
    """A device's code."""
    us = _us(request)
    wrong = request.path.endswith("-json") != (request.content_type == "application/json")
    sent = await request.json() if request.content_type == "application/json" else dict(await request.post())
    us.seen.append((request.path, {str(name): str(value) for name, value in sent.items()}))
    if wrong:
        return _no("invalid_request", "Another kind of body is wanted.")
    if us.fault == "no-device":
        return _no("unauthorized_client", "The device flow is off.")
    typed = f"WXYZ-{next(us.numbers):04d}"
    us.devices[typed] = "pending"
    found = {"device_code": f"{us.fresh('device')}:{typed}", "user_code": typed, "interval": 1, "expires_in": 600}
    where = {"verification_uri": f"{us.root}/type?code={typed}"}
    if us.fault == "bad-link":
        where = {"verification_uri": "javascript:alert(1)"}
    return web.json_response({**found, **where})


async def type_code(request: web.Request) -> web.Response:
    """The page where somebody types the code, or comes with it."""
    us, typed = _us(request), request.query.get("code", "")
    if "ok" in request.query and typed in us.devices:
        us.devices[typed] = "granted"
        return web.Response(text="<!doctype html><title>Done</title><h1>Done</h1>", content_type="text/html")
    link = f'<a href="?{urlencode({"code": typed, "ok": "1"})}">Allow</a>'
    return web.Response(text=f"<!doctype html><title>Type</title><h1>Allow?</h1>{link}", content_type="text/html")


async def list_models(request: web.Request) -> web.Response:
    """Two models, to whoever has a token."""
    us = _us(request)
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token not in us.tokens and not us.lists_to_anyone:
        return web.json_response({"error": {"message": f"the key {token} is not known"}}, status=401)
    if not us.lists:
        return web.json_response({"error": {"message": f"no models for {token}"}}, status=503)
    return web.json_response({"object": "list", "data": [{"id": "one"}, {"id": "two"}]})


async def answer(request: web.Request) -> web.Response:
    """A model, for whoever has a token. It says which."""
    us = _us(request)
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    us.seen.append((request.path, {"token": token}))
    if token not in us.tokens:
        return web.json_response({"error": {"message": "the key is not known", "code": "invalid_api_key"}}, status=401)
    piece = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "one"}
    delta = {"index": 0, "delta": {"role": "assistant", "content": "Well kept."}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    if not (await request.json()).get("stream"):
        choice = {"index": 0, "message": delta["delta"], "finish_reason": "stop"}
        return web.json_response({**piece, "object": "chat.completion", "choices": [choice], "usage": usage})
    lines = [json.dumps({**piece, "choices": [delta]}), json.dumps({**piece, "choices": [], "usage": usage}), "[DONE]"]
    text = "".join(f"data: {line}\n\n" for line in lines)
    return web.Response(text=text, content_type="text/event-stream")


def _exchange(us: Authority, fields: dict[str, str]) -> web.Response:
    agreed = us.codes.pop(fields.get("code", ""), None)
    if agreed is None:
        return _no("invalid_grant", "The code is not known.")
    digest = sha256(fields.get("code_verifier", "").encode()).digest()
    if urlsafe_b64encode(digest).decode().rstrip("=") != agreed.challenge:
        return _no("invalid_grant", "The verifier does not fit.")
    if "grant_type" not in fields:
        key = us.fresh("key")
        us.tokens.add(key)
        return web.json_response({"key": key})
    if (fields.get("client_id"), fields.get("redirect_uri")) != (agreed.client_id, agreed.redirect):
        return _no("invalid_grant", "Another client or address.")
    return web.json_response(_grant(us, agreed.client_id))


def _device_answer(us: Authority, fields: dict[str, str]) -> web.Response:
    match us.devices.get(fields["device_code"].rpartition(":")[2]):
        case "granted":
            return web.json_response(_grant(us, fields["client_id"]))
        case "denied":
            return _no("access_denied", "The owner refused the code.")
        case "expired":
            return _no("expired_token", "The code is too old.")
        case "slow":
            return _no("slow_down", "Slower.")
        case _:
            return _no("authorization_pending", "Nobody typed it.", status=200)


def _grant(us: Authority, client: str, *, again: bool = False) -> dict[str, Any]:
    token = us.fresh("access")
    us.tokens.add(token)
    found: dict[str, Any] = {"access_token": token, "token_type": "bearer"}
    if us.life is not None and (us.says_life or not us.refreshing):
        found["expires_in"] = us.life
    if us.life is not None and not again:
        refresh = us.fresh("refresh")
        us.refreshing[refresh] = client
        found["refresh_token"] = refresh
    return found


def _spoil(us: Authority, fields: dict[str, str]) -> web.Response:
    match us.fault:
        case "redirect":
            return web.Response(status=307, headers={"location": f"{us.root}/elsewhere"})
        case "huge":
            return web.json_response({"access_token": "x", "padding": "x" * 300_000})
        case "garbage":
            return web.Response(text="<html>not today</html>", content_type="text/html")
        case "list":
            return web.json_response(["access_token"])
        case "broken":
            return web.Response(text="out of order", status=502)
        case "busy":
            return _no("temporarily_unavailable", "Later.", status=503)
        case "empty":
            return web.json_response({"token_type": "bearer"})
        case "echo":
            return _no("invalid_request", f"What is {' '.join(fields.values())} meant to be?")
        case _:
            token = us.fresh("access")
            us.tokens.add(token)
            return web.json_response({"access_token": token, "expires_in": "soon"})


def _no(error: str, words: str, status: int = 400) -> web.Response:
    return web.json_response({"error": error, "error_description": words}, status=status)


def _us(request: web.Request) -> Authority:
    return request.app[KEY]


KEY = web.AppKey("authority", Authority)


@contextmanager
def running_authority(**fields: Any) -> Iterator[Authority]:
    """One, as long as the block runs."""
    us = Authority(**fields)
    app = web.Application()
    app[KEY] = us
    app.add_routes([web.get("/auth", agree), web.get("/authorize", agree), web.get("/type", type_code)])
    app.add_routes([web.post("/keys", give), web.post("/token", give), web.get("/v1/models", list_models)])
    app.add_routes([web.post("/v1/chat/completions", answer)])
    app.add_routes([web.post("/device", give_code), web.post("/device-json", give_code)])
    loop, ready = asyncio.new_event_loop(), threading.Event()
    runner = web.AppRunner(app, shutdown_timeout=0.1)

    async def open_up() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        us.port = runner.addresses[0][1]
        ready.set()

    def serve() -> None:
        loop.run_until_complete(open_up())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve, name="authority", daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield us
    finally:
        if us.hold is not None:
            us.hold.set()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
