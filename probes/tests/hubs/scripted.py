"""Scripted administrations of hubs: documents that change as the real ones do when they are written to.

The forms are those of Open WebUI 0.12.4, LiteLLM 1.108 and CLI Proxy API 8.0, of which the first two are also run for
real (`probes/tests/hubs/real`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gateway.engine.fetch import Fetched

Answer = tuple[int, Any]


class Hub:
    """Answers `ask`; `asked` is (method, path, body). `script` maps "METHOD path" to an answer or a function of the
    body."""

    def __init__(self, script: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self.script = script
        self.headers = headers or {}
        self.asked: list[tuple[str, str, Any]] = []

    async def ask(self, method: str, path: str, body: object = None, *, wait_s: float) -> Fetched:
        # What is sent must be JSON, and is not the hub's own object.
        body = json.loads(json.dumps(body))
        self.asked.append((method, path, body))
        found = self.script.get(f"{method} {path}", (404, {"detail": "Not Found"}))
        status, document = found(body) if callable(found) else found
        return Fetched(status, self.headers, json.dumps(document).encode())

    def written(self) -> list[tuple[str, str, Any]]:
        return [asked for asked in self.asked if asked[0] != "GET"]


async def no_sleep(seconds: float) -> None:
    """Time does not pass in tests."""


LOGO, SEES = "data:logo", {"vision": True}
KEYS = ["sk-secret-of-north-1234567890", "sk-secret-of-lan-1234567890", "sk-secret-of-lan2-1234567890"]


def openwebui(**changes: Any) -> tuple[Hub, dict[str, Any]]:
    """An Open WebUI with three connections, two of them at bare addresses, and its state: `config`, `models`,
    `records`."""
    state: dict[str, Any] = {
        "version": "0.12.4",
        "config": {
            "ENABLE_OPENAI_API": True,
            "OPENAI_API_BASE_URLS": [
                "https://openrouter.ai/api/v1",
                "http://192.168.1.5:8000/v1",
                "http://192.168.1.6:8000/v1",
            ],
            "OPENAI_API_KEYS": list(KEYS),
            "OPENAI_API_CONFIGS": {
                "0": {"enable": True, "prefix_id": "or", "model_ids": ["maker/one"], "tags": []},
                "1": {"enable": True, "model_ids": []},
                "2": {"enable": False, "prefix_id": "lan2", "model_ids": []},
            },
        },
        "models": [
            model("or.maker/one", 0, owner="openai", upstream="maker/one"),
            model("home-7b", 1, owner="library"),
            {"id": "llama3:8b", "owned_by": "ollama", "connection_type": "local", "tags": []},
        ],
        "records": [record("or.maker/one", "openrouter", {"profile_image_url": LOGO, "capabilities": SEES})],
    } | changes

    def update(body: Any) -> Answer:
        state["config"] = body
        for index, prefix in ((0, "or."), (1, "")):
            for added in body["OPENAI_API_CONFIGS"][str(index)]["model_ids"]:
                if prefix + added not in {one["id"] for one in state["models"]}:
                    state["models"].append(model(prefix + added, index, upstream=added))
        return 200, body

    def write(body: Any) -> Answer:
        state["records"] = [one for one in state["records"] if one["id"] != body["id"]] + [body]
        return 200, body

    script: dict[str, Any] = {
        "GET /api/version": lambda body: (200, {"version": state["version"]}),
        "GET /api/models": lambda body: (200, {"data": state["models"]}),
        "GET /openai/config": lambda body: (200, state["config"]),
        "GET /api/v1/models/base": lambda body: (200, state["records"]),
        "POST /openai/config/update": update,
        "POST /api/v1/models/create": write,
        "POST /api/v1/models/model/update": write,
    }
    return Hub(script), state


def model(
    id: str, index: int, *, owner: str = "openai", upstream: str = "", tags: tuple[str, ...] = ()
) -> dict[str, Any]:
    inner: dict[str, Any] = {"id": id, "owned_by": owner}
    if upstream:
        inner["openai"] = {"id": upstream}
    told = {"id": id, "name": id, "owned_by": "openai", "openai": inner, "urlIdx": index}
    return told | {"connection_type": "external", "tags": [{"name": tag} for tag in tags]}


def record(id: str, tag: str, meta: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    grant = {"id": "g1", "principal_type": "user", "principal_id": "*", "permission": "read"}
    told: dict[str, Any] = {
        "id": id,
        "name": id,
        "base_model_id": None,
        "params": {},
        "access_grants": [grant],
        "is_active": True,
    }
    return told | {"meta": {**(meta or {}), "tags": [{"name": tag}]}} | more


def deployment(name: str, stored: bool = True, **params: Any) -> dict[str, Any]:
    return {"model_name": name, "litellm_params": params, "model_info": {"id": f"id-{name}", "db_model": stored}}


def litellm(db: str = "connected", details: bool = True, **changes: Any) -> tuple[Hub, dict[str, Any]]:
    """A LiteLLM with a connection that has a stored credential and one that has a masked key and headers."""
    state: dict[str, Any] = {
        "data": [
            deployment("plain", False, model="openrouter/maker/plain", api_base="https://openrouter.ai/api/v1"),
            deployment(
                "one",
                model="openrouter/maker/one",
                api_base="https://openrouter.ai/api/v1",
                litellm_credential_name="or-key",
                timeout=30.0,
                extra_headers={"X-Title": "bench", "Authorization": "Bearer sk-hidden-header-value"},
            ),
            deployment("claude", model="anthropic/claude-x", api_key="sk-***"),
        ],
        "new": None,
    } | changes

    def new(body: Any) -> Answer:
        if state["new"] is not None:
            answer: Answer = state["new"]
            return answer
        state["data"].append({**body, "model_info": {**body["model_info"], "id": "id-new", "db_model": True}})
        return 200, {"model_id": "id-new", "litellm_params": {"api_key": "encrypted-secret"}}

    ready = {"status": "healthy", "db": db, "litellm_version": "1.108.7"}
    script: dict[str, Any] = {
        "GET /health/readiness": (200, ready),
        "GET /model/info": lambda body: (200, {"data": state["data"]}),
        "POST /model/new": new,
    }
    if details:
        script["GET /health/readiness/details"] = (200, ready)
    return Hub(script), state


def cliproxy(on_patch: Callable[[Any, list[Any]], Answer | None] | None = None) -> tuple[Hub, list[dict[str, Any]]]:
    """A CLI Proxy API with a provider with a prefix, one without, and one switched off."""
    providers: list[dict[str, Any]] = [
        {
            "name": "openrouter",
            "prefix": "or",
            "base-url": "https://openrouter.ai/api/v1",
            "api-key-entries": [{"api-key": KEYS[0]}],
            "models": [{"name": "maker/one", "alias": "one", "thinking": {"levels": ["low"]}}],
        },
        {"name": "My Lab", "base-url": "http://10.0.0.2/v1", "models": None},
        {"name": "off", "disabled": True, "base-url": "http://10.0.0.3/v1", "models": []},
    ]

    def patch(body: Any) -> Answer:
        if on_patch is not None and (answer := on_patch(body, providers)) is not None:
            return answer
        own = next((one for one in providers if one["name"] == body["name"]), None)
        if own is None:
            return 404, {"error": "item not found"}
        own |= body["value"]
        return 200, {"status": "ok"}

    path = "/v0/management/openai-compatibility"
    script: dict[str, Any] = {
        f"GET {path}": lambda body: (200, {"openai-compatibility": providers}),
        f"PATCH {path}": patch,
    }
    return Hub(script, {"x-cpa-version": "v8.0.3"}), providers
