"""Recordings: where they lie, their bodies as a provider sent them, and how they arrive.

Those beside this file are made by hand in the shapes seen; a folder of recordings of real traffic beside the checkout,
`../shared/recordings`, is read as well where there is one.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Event
from gateway.canon.reply import Reply, fold
from gateway.wire.base import ClientWire

SHARED = Path(__file__).resolve().parents[4] / "shared" / "recordings"
_SIZES = (1, 2, 5, 40, 700, 9_000)


def find(own: str, *shared: str) -> list[Path]:
    """The recordings in the folder `own` beside this file, then those of real traffic that fit the patterns."""
    folder = Path(__file__).parent / own
    return [*sorted(folder.glob("*.json")), *(file for pattern in shared for file in sorted(SHARED.glob(pattern)))]


def require(files: list[Path], least: int) -> None:
    """More than `least` recordings are there; skips where no real traffic is at hand."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared/recordings beside this checkout: only the hand-made replies are read")
    assert len(files) > least


def name_of(file: Path) -> str:
    """A recording's name among tests."""
    return f"{file.parent.name}/{file.stem}"


def response_of(file: Path, *, indent: int | None = None) -> tuple[dict[str, Any], bytes, bool]:
    """(the recorded response, its body as bytes, whether it came as a stream)."""
    response: dict[str, Any] = json.loads(file.read_text())["response"]
    streamed = response.get("stream") is not None
    body = response["stream"] if streamed else json.dumps(response["body"], ensure_ascii=False, indent=indent)
    return response, body.encode(), streamed


def data_of(stream: str) -> list[Any]:
    """The JSON documents of a stream of server-sent events."""
    lines = [line.removeprefix("data:").strip() for line in stream.splitlines() if line.startswith("data:")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def read_in_pieces(client: ClientWire, body: bytes, content_type: str, seed: int | str) -> Reply:
    """What a format reads of a body that arrives in pieces of all sizes."""
    cutter = random.Random(seed)
    reader = client.reader(content_type=content_type)
    events: list[Event] = []
    while body:
        size = cutter.choice(_SIZES)
        events += reader.feed(body[:size])
        body = body[size:]
    return fold([*events, *reader.end()])
