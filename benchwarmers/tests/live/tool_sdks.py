"""What every tool loop through an SDK needs: the clients with an ear for headers, two tools, and what a reply said.

Clients are untyped: `bench` is not in any SDK's own types. Certificates are not loaded, for nothing here is encrypted
and every loop has a client of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import anthropic
import httpx2
import ollama
import openai
from google import genai
from google.genai import types

from benchwarmers.tests.live.product import Product

WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "place": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "at": {"type": "array", "items": {"type": "number"}, "minItems": 2},
            },
            "required": ["city", "at"],
        },
        "unit": {"type": "string", "enum": ["°C", "°F"]},
    },
    "required": ["place", "unit"],
}
CLOCK: dict[str, Any] = {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}
TOOLS = {"weather": ("The weather at a place.", WEATHER), "clock": ("The time in a zone.", CLOCK)}
"""Name: (description, JSON schema)."""


class Call(NamedTuple):
    """A call as the SDK gave it. `id` is empty where the SDK has none."""

    id: str
    name: str
    arguments: Any


class Reply(NamedTuple):
    """What one turn said. `turn` is None where the SDK has no room for the `bench` object."""

    text: str
    finish: str
    calls: list[Call]
    tokens: tuple[int, int]
    thoughts: str = ""
    turn: int | None = None


class Ear:
    """The headers of every reply that a client got, by lower-case name; of refusals the status alone."""

    def __init__(self) -> None:
        self.heard: list[dict[str, str]] = []
        self.refused: list[int] = []

    @property
    def hooks(self) -> dict[str, Any]:
        return {"response": [self._hear]}

    def _hear(self, response: Any) -> None:
        if response.status_code != 200:
            self.refused.append(response.status_code)
        else:
            self.heard.append({name.lower(): value for name, value in response.headers.items()})


class Loop(NamedTuple):
    """Where a loop runs and what it asks."""

    product: Product
    model: str
    question: str
    ear: Ear

    def gpt(self) -> Any:
        http = httpx2.Client(event_hooks=self.ear.hooks, verify=False)
        return openai.OpenAI(
            base_url=f"http://127.0.0.1:{self.product.port}/v1", api_key="local", max_retries=0, http_client=http
        )

    def claude(self) -> Any:
        http = httpx2.Client(event_hooks=self.ear.hooks, verify=False)
        return anthropic.Anthropic(
            base_url=f"http://127.0.0.1:{self.product.port}", api_key="local", max_retries=0, http_client=http
        )

    def gemini(self) -> Any:
        options = types.HttpOptions(
            base_url=f"http://127.0.0.1:{self.product.port}",
            client_args={"event_hooks": self.ear.hooks, "verify": False},
            async_client_args={"verify": False},
        )
        return genai.Client(api_key="local", http_options=options)

    def llama(self) -> Any:
        return ollama.Client(f"http://127.0.0.1:{self.product.port}", event_hooks=self.ear.hooks, verify=False)


def gave(name: str, arguments: Any) -> str:
    """What a tool gives: its name and a digest of its arguments, so that the result of another call is noticed."""
    written = json.dumps(arguments, sort_keys=True)
    return f"{name} of {sha256(written.encode()).hexdigest()[:12]}"


def quotes(answer: str, calls: list[Call]) -> bool:
    """Has the answer a line for each of these calls, with what its tool gave?"""
    lines = answer.splitlines()
    return len(lines) == len(calls) and all(
        any(line.startswith(f"{call.name} gave: ") and gave(call.name, call.arguments) in line for line in lines)
        for call in calls
    )


def turn_of(bench: Mapping[str, Any] | None) -> int:
    """Raises where the object is missing."""
    assert bench is not None, "the reply has no bench object"
    assert bench["reply"] == "route"
    return int(bench["turn"])
