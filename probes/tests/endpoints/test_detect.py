"""Model servers on this machine and keys in the environment, found when somebody asks."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from collections_app.actions.endpoint import do_save_endpoint
from gateway.canon.kinds import Api
from probes import detect
from probes.detect import find_runtimes, keys_at_hand
from probes.detect_signs import LISTING, PORTS, SIGNS, TAGS, Runtime, tell
from probes.tests.listing.servers import Served, serving

ROOT = "http://127.0.0.1:1"
ONE: Any = {"data": [{"id": "m"}]}
TAGGED: Any = {"models": [{"name": "m"}]}


@pytest.mark.parametrize(
    ("said", "runtime", "api"),
    [
        ({LISTING: ONE, TAGS: TAGGED, "/api/version": {"version": "0.5"}}, "ollama", Api.OLLAMA),
        ({LISTING: ONE, "/api/v0/models": {"data": [{"id": "m", "state": "loaded"}]}}, "lmstudio", Api.CHAT),
        ({LISTING: {"data": [{"id": "m", "owned_by": "vllm"}]}, "/version": {"version": "0.9"}}, "vllm", Api.CHAT),
        ({LISTING: ONE, TAGS: TAGGED, "/props": {"default_generation_settings": {}}}, "llamacpp", Api.CHAT),
        ({LISTING: ONE, "/v1/internal/model/info": {"model_name": "m"}}, "textgen", Api.CHAT),
        ({LISTING: ONE, "/system": {"backends": []}}, "localai", Api.CHAT),
        (
            {
                LISTING: ONE,
                TAGS: TAGGED,
                "/api/version": {"version": "0.7"},
                "/api/extra/version": {"result": "KoboldCpp"},
            },
            "koboldcpp",
            Api.CHAT,
        ),
        ({LISTING: ONE}, "local", Api.CHAT),
        ({TAGS: TAGGED}, "ollama-like", Api.OLLAMA),
        ({LISTING: {"data": []}}, "local", Api.CHAT),
    ],
)
def test_a_server_is_told_by_what_only_it_answers(said: dict[str, Any], runtime: str, api: str) -> None:
    found = tell(ROOT, 1, said)
    assert found is not None
    assert (found.id, found.api, found.base) == (runtime, api, ROOT if api == Api.OLLAMA else f"{ROOT}/v1")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {LISTING: "<html>", TAGS: ["m"], "/api/version": {"version": "1"}},
        {LISTING: {"error": "no"}},
        {LISTING: {"data": [{"id": "bench/core", "owned_by": "benchwarmers"}]}, TAGS: TAGGED},
    ],
)
def test_what_lists_no_models_and_a_gateway_like_this_one_are_not_found(said: dict[str, Any]) -> None:
    assert tell(ROOT, 1, said) is None


def test_the_port_alone_names_nobody_but_hints() -> None:
    (port,) = [port for port, usual in PORTS.items() if usual == "Jan"]
    found = tell(ROOT, port, {LISTING: ONE})
    assert found is not None
    assert found.id == "local"
    assert "Jan" in found.label


@pytest.fixture(autouse=True)
def _here(settings: Any) -> None:
    """Tests look nowhere by themselves; these look at this machine."""
    settings.BENCH = dataclasses.replace(settings.BENCH, detect_hosts=("127.0.0.1",))


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server on a port that is looked at, and no other."""
    with serving({TAGS: TAGGED, LISTING: ONE, "/api/version": {"version": "0.5"}}) as server:
        monkeypatch.setattr(detect, "PORTS", {server.port: "Ollama"})
        yield server


@pytest.mark.django_db
def test_a_server_is_found_where_it_listens_and_not_once_it_is_an_endpoint(ollama: Served) -> None:
    assert find_runtimes() == [Runtime("ollama", "Ollama", ollama.base, Api.OLLAMA, 1)]
    assert set(ollama.paths()) == {LISTING, TAGS, *SIGNS}
    do_save_endpoint(actor=None, name="here", base=f"http://localhost:{ollama.port}", api="ollama")
    ollama.asked.clear()
    assert find_runtimes() == []
    assert ollama.asked == []


@pytest.mark.django_db
def test_our_own_ports_are_not_asked(ollama: Served, settings: Any) -> None:
    settings.BENCH = dataclasses.replace(settings.BENCH, gateway_port=ollama.port)
    assert find_runtimes() == []
    assert ollama.asked == []


@pytest.mark.django_db
def test_a_server_that_lists_nothing_is_asked_for_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving({}) as server:
        monkeypatch.setattr(detect, "PORTS", {server.port: ""})
        assert find_runtimes() == []
    assert sorted(server.paths()) == [TAGS, LISTING]


@pytest.mark.django_db
def test_keys_of_the_environment_are_found_but_for_those_in_use() -> None:
    environ = {"GROQ_API_KEY": "a", "MISTRAL_API_KEY": "b", "OPENAI_API_KEY": " ", "GOOGLE_API_KEY": "c"}
    found = [(key.preset.id, key.variable) for key in keys_at_hand(environ)]
    assert found == [("gemini", "GOOGLE_API_KEY"), ("groq", "GROQ_API_KEY"), ("mistral", "MISTRAL_API_KEY")]
    do_save_endpoint(actor=None, name="fast", base="https://elsewhere.example/v1", key_env="GROQ_API_KEY")
    do_save_endpoint(actor=None, name="le-chat", base="https://api.mistral.ai/v1")
    assert [key.preset.id for key in keys_at_hand(environ)] == ["gemini"]


@pytest.mark.django_db
def test_the_command_tells_of_both_and_shows_no_key(ollama: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {"GROQ_API_KEY": "gsk-a-real-key"})
    out = StringIO()
    call_command("detect", stdout=out)
    assert f"Ollama: 1 models at {ollama.base} (api ollama)" in out.getvalue()
    assert "Groq: a key in GROQ_API_KEY" in out.getvalue()
    assert "gsk-a-real-key" not in out.getvalue()
