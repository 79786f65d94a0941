"""An installation takes a model on from llama.cpp's own server, seats it, and routes turns with tools to it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.servers.bench import Bench
from benchwarmers.tests.servers.environments import python_of
from benchwarmers.tests.servers.process import serving
from benchwarmers.tests.up.running import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
HERE = Path(__file__).parent
KEY = "sk-of-the-server-in-the-cellar-0123"
NAME = "bigram-1m"
ANSWER = "uncopyrightable. Fkd!"
"""As `bigram` has it, which only the server's own Python can import."""
ADD = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Adds two numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        },
    },
}
ADD_ENDPOINT = """
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.secret import do_save_secret
from probes.listing import list_models
do_save_secret(actor=None, name="cellar", plain=key)
row = do_save_endpoint(actor=None, name="cellar", base=base)
told = {"kind": row.kind, "listed": [[one.served, one.context_window, one.owner] for one in list_models(row)]}
"""
TAKE_ON = """
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
(job,) = do_onboard(actor=None, items=[Item("cellar", served, "quick")], now=timezone.now())
told = job.key
"""
SEAT = """
from collections_app.actions.collection import do_save_collection
from collections_app.models import LanguageModel
model = LanguageModel.objects.get(served=served)
do_save_collection(actor=None, name="cellar", members=[model.alias], max_explorers=0)
facts = {fact.field: fact.value for fact in model.facts.filter(source="probe")}
told = {"alias": model.alias, "status": model.status, "facts": facts}
"""
PROBED = """
from probes.models import ProbeSample
rows = ProbeSample.objects.filter(language_model__served=served).order_by("id")
told = [[row.prompt, row.answered, row.detail] for row in rows]
"""


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base address of the server."""
    home, port, python = tmp_path_factory.mktemp("llama"), free_port(), str(python_of("server-llama"))
    model = home / "bigram.gguf"
    subprocess.run([python, str(HERE / "bigram.py"), str(model)], check=True)
    command = [python, str(HERE / "serve_llama.py"), str(model), str(port), NAME, KEY]
    base = f"http://127.0.0.1:{port}/v1"
    with serving(command, home, f"{base}/models", variables={}, within_s=120):
        yield base


@pytest.fixture(scope="module")
def bench(llama: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """It has taken the model on and seated it in `bench/cellar`."""
    running = Bench(tmp_path_factory.mktemp("bench"))
    try:
        found = running.tell(ADD_ENDPOINT, base=llama, key=KEY)
        assert found == {"kind": "local", "listed": [[NAME, 49_152, "llamacpp"]]}
        job = running.wait_for_job(running.tell(TAKE_ON, served=NAME))
        assert job["state"] == "done", job
        running.seated = running.tell(SEAT, served=NAME)
        yield running
    finally:
        running.end()


def test_what_the_probes_asked_was_answered(bench: Bench) -> None:
    asked = bench.tell(PROBED, served=NAME)

    assert {prompt for prompt, _, _ in asked} >= {"tiny", "large"}
    assert [told for told in asked if not told[1]] == []


def test_the_facts_say_what_it_showed(bench: Bench) -> None:
    assert bench.seated["status"] == "healthy"
    assert bench.seated["facts"].get("tools") is True


def ask(bench: Bench, **more: Any) -> Any:
    body = {"model": "bench/cellar:route", "messages": [{"role": "user", "content": "What is 1 and 1?"}], **more}
    status, reply = bench.post("/v1/chat/completions", body)
    assert status == 200, reply
    return reply["choices"][0]


def test_a_turn_without_tools_is_answered(bench: Bench) -> None:
    choice = ask(bench)

    assert (choice["message"]["content"], choice["finish_reason"]) == (ANSWER, "stop")


@pytest.mark.parametrize("wanted", ["auto", "required", {"type": "function", "function": {"name": "add"}}])
def test_a_turn_with_tools_calls_one_and_its_result_is_answered(bench: Bench, wanted: Any) -> None:
    choice = ask(bench, tools=[ADD], tool_choice=wanted)

    (call,) = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == ("add", {"a": 1, "b": 1})

    turns = [
        {"role": "user", "content": "What is 1 and 1?"},
        choice["message"],
        {"role": "tool", "tool_call_id": call["id"], "content": "2"},
    ]
    assert ask(bench, messages=turns, tools=[ADD])["message"]["content"] == ANSWER


def test_a_panel_of_it_gives_its_answer(bench: Bench) -> None:
    status, reply = bench.post(
        "/v1/chat/completions", {"model": "bench/cellar", "messages": [{"role": "user", "content": "Hello?"}]}
    )

    assert status == 200, reply
    assert ANSWER in reply["choices"][0]["message"]["content"]


def test_a_schema_is_kept_to(bench: Bench) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "sure": {"type": "boolean"}},
        "required": ["a", "sure"],
    }
    output = {"type": "json_schema", "json_schema": {"name": "sum", "schema": schema, "strict": True}}

    answer = json.loads(ask(bench, response_format=output)["message"]["content"])

    assert answer["a"] == 1
    assert isinstance(answer["sure"], bool)
