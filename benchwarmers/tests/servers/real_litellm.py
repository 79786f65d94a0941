"""A real LiteLLM proxy, without a database: read and planned at, and a model of its config file taken on and called
through it.

What needs its database is tried over documents of its form alone (`probes/tests/hubs`): the engine of its database
client is a binary that no package brings.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.servers import steps
from benchwarmers.tests.servers.bench import Bench
from benchwarmers.tests.servers.environments import python_of
from benchwarmers.tests.servers.process import serving
from benchwarmers.tests.servers.upstream import Upstream, upstream
from benchwarmers.tests.up.running import free_port
from gateway.engine.fetch import Fetched
from probes.hubs.litellm_plan import NO_DATABASE, NO_KEYS, trouble_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
MASTER = "sk-master-key-of-the-proxy-0123"
UPSTREAM = "sk-of-the-upstream-behind-litellm"
CONFIG = """
model_list:
  - model_name: chats-1
    litellm_params: {model: openai/maker/chats-1, api_base: "%s", api_key: "%s", extra_headers: {X-Title: bench}}
litellm_settings: {telemetry: false, num_retries: 0}
general_settings: {master_key: "%s", disable_spend_logs: true}
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Upstream]:
    with upstream("maker/chats-1", "maker/chats-2") as running:
        yield running


@contextmanager
def proxy(home: Path, provider: Upstream, **variables: str) -> Iterator[str]:
    """Its root."""
    config, port = home / "config.yaml", free_port()
    config.write_text(CONFIG % (provider.base, UPSTREAM, MASTER))
    root = f"http://127.0.0.1:{port}"
    command = [str(python_of("server-litellm").with_name("litellm")), "--config", str(config), "--host", "127.0.0.1"]
    quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_DOCS": "True"} | variables
    with serving([*command, "--port", str(port)], home, f"{root}/health/liveness", variables=quiet, within_s=240):
        yield root


@pytest.fixture(scope="module")
def litellm(provider: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with proxy(tmp_path_factory.mktemp("litellm"), provider) as root:
        yield root


@pytest.fixture(scope="module")
def bench(litellm: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    running = Bench(tmp_path_factory.mktemp("bench"))
    try:
        running.tell(steps.HUB, base=f"{litellm}/v1", kind="litellm", key=MASTER, admin=MASTER)
        yield running
    finally:
        running.end()


def test_a_real_litellm_without_a_database_from_its_connections_to_a_call(bench: Bench, provider: Upstream) -> None:
    seen = bench.tell(steps.LOOK)
    assert seen["connections"] == {"lan-proxy": ["lan-proxy", "", ["chats-1"], ""]}
    assert (seen["notes"], seen["troubles"]) == ([], [NO_DATABASE]), seen["release"]

    plan = bench.tell(steps.PLAN, connection="lan-proxy", model="maker/chats-2")
    assert (plan["refusals"], plan["steps"]) == ([NO_DATABASE], [])

    job = bench.wait_for_job(bench.tell(steps.TAKE_ON, served="chats-1"))
    assert job["state"] == "done", job
    seated = bench.tell(steps.SEAT, served="chats-1")
    assert seated == {"alias": "chats-1", "tag": "lan-proxy", "status": "healthy"}
    body = {"model": "bench/behind:route", "messages": [{"role": "user", "content": "Hello?"}]}
    status, reply = bench.post("/v1/chat/completions", body)
    assert status == 200, reply
    assert reply["choices"][0]["message"]["content"] == "It configures a cluster of many small services."
    assert provider.asked["maker/chats-1", "Hello?"] == 1
    assert provider.keys == {UPSTREAM}


def test_its_own_refusals_become_instructions(litellm: str) -> None:
    body = {"model_name": "x", "litellm_params": {"model": "openai/x"}}

    assert str(trouble_of(post(f"{litellm}/model/new", body, MASTER), "take the model")) == NO_DATABASE
    assert str(trouble_of(post(f"{litellm}/model/new", body, "sk-wrong"), "take the model")) == NO_KEYS


def post(address: str, body: Any, key: str) -> Fetched:
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, json.dumps(body).encode(), headers), timeout=60
        ) as answer:
            return Fetched(answer.status, {}, answer.read())
    except urllib.error.HTTPError as error:
        return Fetched(error.code, {}, error.read())
