"""How the scripts here count: one step, one JSON line on standard output.

They run in environments without the product's own packages, so this module and they import nothing of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

BASE = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else ""
KEY = "local"
PRACTICE = "bench/practice"
PERSON = "bench/person"
NOBODY = "bench/nobody"
SUM = "What is 17 * 23?"
SQUAD = ("practice-flaky", "practice-slow", "practice-terse", "practice-thinker", "practice-wrong")
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def step(api: str, name: str, run: Callable[[], object]) -> None:
    """Run one step and print what became of it. The libraries raise errors of every kind; all are findings."""
    try:
        run()
        error = ""
    except Exception as failure:
        error = f"{type(failure).__module__}.{type(failure).__qualname__}: {failure}"[:1000]
    print(json.dumps({"api": api, "step": name, "error": error}), flush=True)


def expect_squad(text: str | None) -> None:
    """The whole practice squad speaks in this text, and someone knows the sum."""
    missing = [alias for alias in SQUAD if alias not in (text or "")]
    if missing or "391" not in (text or ""):
        raise AssertionError(f"without {missing or '391'}: {(text or '')[:300]!r}")


def expect_seen(text: str | None) -> None:
    """Whoever counts right counted one image."""
    if "Got 1 image." not in (text or ""):
        raise AssertionError(f"no image was seen: {(text or '')[:300]!r}")


def expect_person(person: object) -> None:
    found = (getattr(person, "name", None), getattr(person, "age", None))
    if found != ("Ada", 36):
        raise AssertionError(f"not the person: {person!r}")


def expect_refusal(run: Callable[[], object], status: int, words: str) -> None:
    """The call ends in an error that knows this status and shows the gateway's words."""
    try:
        answer = run()
    except Exception as failure:
        known = getattr(failure, "status_code", getattr(failure, "code", None))
        if known != status or words not in str(failure):
            raise AssertionError(
                f"expected {status} with {words!r}, got {known} {type(failure).__name__}: {failure}"
            ) from failure
        return
    raise AssertionError(f"expected {status}, got {str(answer)[:300]}")


def expect(condition: object, told: object) -> None:
    if not condition:
        raise AssertionError(str(told)[:500])
