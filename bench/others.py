"""Other gateways in front of the same upstream, each from its public package in an environment of its own (kept under
`.clients`, made where it is not there): the original that this product follows, and LiteLLM's proxy."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil

from bench.processes import CORES, free_port, spawned, variables, wait_for
from bench.setup import AT_ONCE, CHUNKS, SEATS, SLOW
from bench.targets import Target
from benchwarmers.tests.servers.environments import python_of

ROUTED: Final = (AT_ONCE, CHUNKS, SLOW)


@contextlib.contextmanager
def original(base: str, folder: Path) -> Iterator[Target]:
    """The original's gateway over a data folder made for it, in route mode."""
    python, home, port, log = python_of("original"), folder / "original", free_port(), folder / "original.log"
    write_home(home, base)
    env = variables(
        BENCHWARMERS_HOME=str(home),
        BENCHWARMERS_KEY_FAKE="none",
        LLM_USER_PATH=str(home / "llm"),
        BENCH_GATEWAY_PORT=str(port),
    )
    del env["PYTHONPATH"]  # its package has the name of ours
    (program,) = python.parents[1].glob("lib/python3*/site-packages/benchwarmers/gateway.py")
    with spawned([str(python), str(program)], log, env, CORES.measured, folder=home) as process:
        wait_for(f"http://127.0.0.1:{port}/v1/models", process, log)
        served = psutil.Process(process.pid)
        yield Target(
            "the original 0.3.3", f"http://127.0.0.1:{port}", served, naming="bench/{}:route".format, patience=2
        )


def write_home(home: Path, base: str) -> None:
    """A data folder of the original: the models of the upstream, a collection for each, and the panels."""
    for place in ("config", "metrics/usage", "runs/gateway", "perf", "llm"):
        (home / place).mkdir(parents=True, exist_ok=True)
    collections = {model: [model] for model in ROUTED} | {"panel3": list(SEATS[:3]), "panel5": list(SEATS)}
    models = (*ROUTED, *SEATS)
    files: dict[str, Any] = {
        "endpoints.json": {"fake": {"base": base, "key": "fake", "default": True, "kind": "provider"}},
        "model-overrides.json": {model: {"tools": True} for model in models},
        "collections.json": {
            name: {"members": members, "description": name, "shape": "general"} for name, members in collections.items()
        },
        "gateway.json": {"max_calls": 5, "max_explorers": 0},
    }
    for name, content in files.items():
        (home / "config" / name).write_text(json.dumps(content), "utf-8")
    registered = "".join(
        f'\n- model_id: {model}\n  model_name: {model}\n  api_base: "{base}"\n  api_key_name: fake\n'
        for model in models
    )
    (home / "config" / "extra-openai-models.yaml").write_text(registered, "utf-8")


@contextlib.contextmanager
def litellm(base: str, folder: Path) -> Iterator[Target]:
    """LiteLLM's proxy with one worker and without a database."""
    program, port, log = python_of("server-litellm").with_name("litellm"), free_port(), folder / "litellm.log"
    config = folder / "litellm.json"
    params = {"api_base": base, "api_key": "none"}
    models = [{"model_name": one, "litellm_params": {"model": f"openai/{one}"} | params} for one in ROUTED]
    settings = {"telemetry": False, "num_retries": 0, "set_verbose": False}
    general = {"disable_spend_logs": True}
    told = {"model_list": models, "litellm_settings": settings, "general_settings": general}
    config.write_text(json.dumps(told), "utf-8")  # JSON is YAML
    env = variables(
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        LITELLM_LOG="ERROR",
        LITELLM_MODE="PRODUCTION",
        LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY="true",
        NO_DOCS="True",
    )
    del env["PYTHONPATH"]
    words = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", str(port), "--num_workers", "1"]
    with spawned(words, log, env, CORES.measured, folder=folder) as process:
        wait_for(f"http://127.0.0.1:{port}/health/liveness", process, log, within_s=240)
        yield Target("LiteLLM proxy", f"http://127.0.0.1:{port}", psutil.Process(process.pid), patience=5, rounds=2)
