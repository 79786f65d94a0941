"""llm, the command line, with models of a compatible server as its own documentation tells to set them up."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchwarmers.tests.clients.steps import (
    BASE,
    KEY,
    NOBODY,
    PERSON,
    PIXEL,
    PRACTICE,
    SUM,
    expect,
    expect_seen,
    expect_squad,
    step,
)

FOLDER = Path(tempfile.mkdtemp())
COMMAND = str(Path(sys.executable).parent / "llm")
ENTRY = "- model_id: {id}\n  model_name: {model}\n  api_base: {base}/v1\n  api_key_name: gateway\n"
(FOLDER / "extra-openai-models.yaml").write_text(
    ENTRY.format(id="panel", model=PRACTICE, base=BASE)
    + "  supports_schema: true\n  vision: true\n"
    + ENTRY.format(id="person", model=PERSON, base=BASE)
    + "  vision: true\n"
    + ENTRY.format(id="panel-completion", model=PRACTICE, base=BASE)
    + "  completion: true\n"
    + ENTRY.format(id="nobody", model=NOBODY, base=BASE)
)


def llm(*words: str, fails: bool = False) -> str:
    """What it printed, on the stream that fits."""
    done = subprocess.run(
        [COMMAND, *words],
        env={**os.environ, "LLM_USER_PATH": str(FOLDER)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
    )
    if (done.returncode != 0) != fails:
        raise AssertionError(f"exit {done.returncode}: {done.stdout[-300:]}{done.stderr[-500:]}")
    return done.stderr if fails else done.stdout


def picture() -> None:
    file = FOLDER / "pixel.png"
    file.write_bytes(base64.b64decode(PIXEL))
    expect_seen(llm("-m", "panel", "What colour?", "-a", str(file)))
    told = llm("-m", "person", "What colour?", "-a", str(file), fails=True)
    expect("image" in told, told)


def person() -> None:
    told = json.loads(llm("-m", "panel", "--schema", "name,age int", SUM))
    expect(isinstance(told["name"], str) and isinstance(told["age"], int), told)


def unknown() -> None:
    told = llm("-m", "nobody", SUM, fails=True)
    expect(PRACTICE in told, told)


llm("keys", "set", "gateway", "--value", KEY)
step("chat", "whole", lambda: expect_squad(llm("-m", "panel", "--no-stream", SUM, "-o", "temperature", "0.1")))
step("chat", "streamed", lambda: expect_squad(llm("-m", "panel", SUM, "-s", "Be terse.")))
step("chat", "conversation goes on", lambda: expect_squad(llm("-c", "And once more: " + SUM)))
step("chat", "structured by a schema", person)
step("chat", "image, and one that nobody sees", picture)
step("chat", "unknown model", unknown)
step("completions", "streamed", lambda: expect_squad(llm("-m", "panel-completion", SUM)))
step("completions", "whole", lambda: expect_squad(llm("-m", "panel-completion", "--no-stream", SUM)))
