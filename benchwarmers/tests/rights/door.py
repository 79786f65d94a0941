"""The paths that ask models, and a bench that judges who may ask as the real one does and stops right behind the door.

The consumer, `admit` and `embed` are the product's own; what they would need once a caller is let in is not here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

from gateway.api import routing
from gateway.api.zones import GEMINI_METHODS
from gateway.canon.fault import CallerFault
from gateway.engine.admit import admit
from gateway.engine.bench import Beginning, Bench
from gateway.engine.embed import EmbedAsking, embed
from gateway.engine.pulse import Pulse
from gateway.engine.run import Asking
from gateway.engine.snapshot import Snapshot
from gateway.tests.api.asking import CONTENTS, HELLO

LET_IN = 418
"""What stands for: may ask, and would now be counted and seated."""
GEMINI_PLACES = ("v1beta/models/", "v1alpha/models/", "v1/models/", "models/", "v1beta/", "")


class Door:
    """A bench that knows a catalogue and the time, and nothing else."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.rng = Random(1)
        self.catalogue = self
        self.pulse = self

    @property
    def latest(self) -> Snapshot:
        return self.snapshot

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def clock(self) -> datetime:
        return datetime.now(UTC)

    now = clock

    def glance(self) -> Snapshot:
        return self.snapshot

    async def current(self, stamp: str | None) -> Snapshot:
        return self.snapshot

    async def read_stamp(self) -> str:
        return ""

    async def begin(self) -> Beginning:
        return Beginning(self.clock(), Pulse(), self.snapshot)

    async def open_run(self, asking: Asking) -> Any:
        return await admit(cast(Bench, self), asking)

    async def embed(self, asking: EmbedAsking) -> Any:
        return await embed(cast(Bench, self), asking)

    def __getattr__(self, name: str) -> Any:
        raise CallerFault(f"let in, and now {name} is needed", status=LET_IN)


def every_path(collection: str) -> Iterator[tuple[str, bool]]:
    """(path, whether it only counts) of all that is served before Django; Gemini's name the collection."""
    plain = (*routing._OLLAMA, *routing._EMBEDDED_OLLAMA)
    aliased = (*routing._ASKING, *routing._COUNTED, *routing._EMBEDDED)
    for path in (*plain, *aliased, *(f"/v1{path}" for path in aliased)):
        yield path, path.rpartition("/v1")[2] in routing._COUNTED
    for place in GEMINI_PLACES:
        for method in GEMINI_METHODS:
            yield f"/{place}bench/{collection}:{method}", method == "countTokens"


def body_for(path: str, collection: str) -> dict[str, Any]:
    """A request that fits this path."""
    name, model = path.rpartition("/")[2], {"model": f"bench/{collection}"}
    match name.partition(":")[2] or name:
        case "batchEmbedContents":
            return {"requests": [{"model": f"models/bench/{collection}", "content": CONTENTS["contents"][0]}]}
        case "embedContent":
            return {"content": CONTENTS["contents"][0]}
        case "generateContent" | "streamGenerateContent" | "countTokens":
            return CONTENTS
        case "embeddings" if path.startswith("/api"):
            return {**model, "prompt": "Hello?"}
        case "embed" | "embeddings" | "responses" | "input_tokens":
            return {**model, "input": "Hello?"}
        case "completions" | "generate" if "chat" not in path:
            return {**model, "prompt": "Hello?", "stream": False}
        case _:
            return {**model, "messages": HELLO, "max_tokens": 99, "stream": False}
