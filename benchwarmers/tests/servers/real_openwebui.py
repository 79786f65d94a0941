"""A real Open WebUI with two connections: read, planned, written to, and models taken on and called through it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from benchwarmers.tests.servers import steps
from benchwarmers.tests.servers.bench import Bench
from benchwarmers.tests.servers.environments import python_of
from benchwarmers.tests.servers.process import serving
from benchwarmers.tests.servers.upstream import Upstream, upstream
from benchwarmers.tests.up.running import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
KEYS = ("sk-of-the-first-connection-012345", "sk-of-the-second-connection-01234")
QUIET = {
    "OFFLINE_MODE": "true",
    "HF_HUB_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "false",
    "SCARF_NO_ANALYTICS": "true",
    "DO_NOT_TRACK": "true",
    "ENABLE_OLLAMA_API": "false",
    "RAG_EMBEDDING_MODEL": "",
    "RAG_EMBEDDING_ENGINE": "openai",
    "WEBUI_SECRET_KEY": "only-for-this-test",
}


class WebUI:
    """Its administration, as its own pages use it."""

    def __init__(self, root: str) -> None:
        self.root = root
        person = {"name": "Ada", "email": "ada@example.org", "password": "a-Long-pass-1"}
        self.token = ""
        self.token = self.send("/api/v1/auths/signup", person)["token"]

    def send(self, path: str, body: Any = None) -> Any:
        headers = {"content-type": "application/json"} | (
            {"authorization": f"Bearer {self.token}"} if self.token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.root + path, data, headers), timeout=30) as answer:
            return json.loads(answer.read())

    def connect(self, *connections: tuple[str, dict[str, Any]]) -> None:
        config = {
            "ENABLE_OPENAI_API": True,
            "OPENAI_API_BASE_URLS": [base for base, _ in connections],
            "OPENAI_API_KEYS": list(KEYS[: len(connections)]),
            "OPENAI_API_CONFIGS": {str(place): said for place, (_, said) in enumerate(connections)},
        }
        self.send("/openai/config/update", config)


@pytest.fixture(scope="module")
def provider() -> Iterator[Upstream]:
    with upstream("maker/chats-1", "maker/chats-2") as running:
        yield running


@pytest.fixture(scope="module")
def webui(provider: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebUI]:
    home, port = tmp_path_factory.mktemp("webui"), free_port()
    root = f"http://127.0.0.1:{port}"
    command = [str(python_of("server-open-webui").with_name("open-webui")), "serve", "--host", "127.0.0.1"]
    variables = {**QUIET, "DATA_DIR": str(home / "data"), "CORS_ALLOW_ORIGIN": root}
    with serving([*command, "--port", str(port)], home, f"{root}/health", variables=variables, within_s=240):
        there = WebUI(root)
        there.connect(
            (provider.base, {"enable": True, "prefix_id": "lan", "model_ids": ["maker/chats-1"]}),
            (provider.base.replace("127.0.0.1", "localhost"), {"enable": True, "model_ids": []}),
        )
        meta = {"capabilities": {"vision": False}, "defaultFeatureIds": ["web_search"]}
        sibling = {"id": "lan.maker/chats-1", "name": "One", "meta": meta, "params": {}, "is_active": True}
        there.send("/api/v1/models/create", sibling)
        yield there


@pytest.fixture(scope="module")
def bench(webui: WebUI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    running = Bench(tmp_path_factory.mktemp("bench"))
    try:
        given = {"base": f"{webui.root}/api", "kind": "openwebui", "key": webui.token, "admin": webui.token}
        running.tell(steps.HUB, **given)
        yield running
    finally:
        running.end()


def test_a_real_open_webui_from_its_connections_to_a_call(bench: Bench, webui: WebUI, provider: Upstream) -> None:
    """One after the other, for each step begins where the last one ended."""
    seen = bench.tell(steps.LOOK)
    assert seen["notes"] == [], seen["release"]
    assert seen["connections"] == {
        "lan-proxy": ["lan-proxy", "lan", ["lan.maker/chats-1"], ""],
        "localhost": ["localhost", "", ["maker/chats-1", "maker/chats-2"], ""],
    }

    plan = bench.tell(steps.PLAN, connection="lan-proxy", model="maker/chats-2")
    assert plan["refusals"] == []
    assert plan["steps"][2] == "Copy capability switches, default features from lan.maker/chats-1."
    refused = bench.tell(steps.PLAN, connection="localhost", model="maker/chats-9")
    assert "is not among that now" in refused["refusals"][0]

    added = bench.tell(steps.ADD, connection="lan-proxy", model="maker/chats-2")
    assert (added["served"], added["tag"], added["why"]) == ("lan.maker/chats-2", "lan-proxy", "")
    config = webui.send("/openai/config")
    assert config["OPENAI_API_KEYS"] == list(KEYS)
    assert config["OPENAI_API_CONFIGS"]["0"]["model_ids"] == ["maker/chats-1", "maker/chats-2"]
    record = next(one for one in webui.send("/api/v1/models/base") if one["id"] == "lan.maker/chats-2")
    assert record["meta"]["tags"] == [{"name": "lan-proxy"}]
    assert record["meta"]["capabilities"] == {"vision": False}
    assert [grant["principal_id"] for grant in record["access_grants"]] == ["*"]
    again = bench.tell(steps.PLAN, connection="lan-proxy", model="maker/chats-2")
    assert (again["present"], again["steps"]) == (True, [])

    job = bench.wait_for_job(added["job"])
    assert job["state"] == "done", job
    seated = bench.tell(steps.SEAT, served="lan.maker/chats-2")
    assert seated == {"alias": "chats-2", "tag": "lan-proxy", "status": "healthy"}
    before = provider.asked["maker/chats-2", "Hello?"]
    assert answer(bench) == "It configures a cluster of many small services."
    assert provider.asked["maker/chats-2", "Hello?"] == before + 1
    assert provider.keys == {KEYS[0]}

    other = {"enable": True, "prefix_id": "home", "model_ids": ["maker/chats-1", "maker/chats-2"]}
    webui.connect((provider.base, other))
    given = {"connection": "lan-proxy", "prefix": "home", "former": "lan"}
    move = ["chats-2", "lan.maker/chats-2", "home.maker/chats-2"]
    dry = bench.tell(steps.RENAME, apply=False, **given)
    assert (dry["moves"], dry["served"]) == ([move], ["lan.maker/chats-2"])
    done = bench.tell(steps.RENAME, apply=True, **given)
    assert (done["moves"], done["served"]) == ([move], ["home.maker/chats-2"])
    assert answer(bench) == "It configures a cluster of many small services."


def answer(bench: Bench) -> str:
    """What the model says through the gateway, in route mode."""
    body = {"model": "bench/behind:route", "messages": [{"role": "user", "content": "Hello?"}]}
    status, reply = bench.post("/v1/chat/completions", body)
    assert status == 200, reply
    text: str = reply["choices"][0]["message"]["content"]
    return text
