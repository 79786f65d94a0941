"""What recorded refusals and rate-limit headers say, against tables written by reading each of them."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from gateway.engine.classify import rejected
from gateway.engine.lessons import lessons_in_refusal
from gateway.engine.limit_bodies import text_of, told_in_body
from gateway.engine.limit_headers import told_in_headers
from gateway.engine.told import Told
from gateway.tests.recordings.loading import SHARED
from gateway.wire.registry import CLIENTS

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TABLES = Path(__file__).parents[1] / "recordings"
# The documented shapes have no request, so their host is said here.
HOSTS = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}


def table(name: str) -> list[dict[str, str]]:
    with open(TABLES / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


ERRORS, LIMITS = table("errors.tsv"), table("limits.tsv")


@lru_cache(maxsize=1)
def recorded() -> dict[str, dict[str, Any]]:
    """Every recorded exchange by its name; skips where there are none."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared/recordings beside this checkout")
    return {file.relative_to(SHARED).as_posix(): json.loads(file.read_text()) for file in SHARED.glob("*/*.json")}


def headers_of(exchange: dict[str, Any]) -> dict[str, str]:
    return {name.lower(): str(value) for name, value in (exchange["response"].get("headers") or {}).items()}


def told_by_headers(exchange: dict[str, Any]) -> tuple[Told, ...]:
    host = (exchange.get("request") or {}).get("host") or HOSTS.get(exchange["provider"], "x.test")
    status = exchange["response"]["status"]
    return told_in_headers(headers_of(exchange).items(), status, f"https://{host}/v1", NOW.timestamp())


def body_of(exchange: dict[str, Any]) -> bytes:
    body = exchange["response"]["body"]
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def test_the_tables_miss_no_recording() -> None:
    exchanges = recorded()
    assert {row["file"] for row in ERRORS} == {
        name for name, one in exchanges.items() if one["response"]["status"] >= 400
    }
    assert {row["file"] for row in LIMITS} == {
        name
        for name, one in exchanges.items()
        if any("ratelimit" in header or header.startswith("retry-after") for header in headers_of(one))
    }
    assert (len(ERRORS), len(LIMITS)) >= (67, 71)


@pytest.mark.parametrize("row", ERRORS, ids=lambda row: row["file"].removesuffix(".json"))
def test_a_recorded_refusal_means(row: dict[str, str]) -> None:
    exchange = recorded()[row["file"]]
    status, body, headers = exchange["response"]["status"], body_of(exchange), headers_of(exchange)
    wire = CLIENTS["gemini" if "gemini" in exchange["api"] else "openai_chat"]
    message, code = wire.read_error(status, body)
    fault = rejected(status, headers, message, code, body, NOW)
    told = [*told_by_headers(exchange), *told_in_body(status, body, message, NOW.timestamp())]
    lessons = lessons_in_refusal(status, text_of(message, body), told)
    found = {lesson.field: lesson.value for lesson in lessons if lesson.field != "limits"}
    limits = {axis: most for lesson in lessons if lesson.field == "limits" for axis, most in lesson.value.items()}
    assert fault.failure == row["failure"]
    assert fault.wait == (None if row["wait"] == "-" else pytest.approx(float(row["wait"])))
    assert found == ({} if row["context_window"] == "-" else {"context_window": int(row["context_window"])})
    assert " ".join(f"{axis}={most}" for axis, most in sorted(limits.items())) == row["limits"].strip("-")


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row["file"].removesuffix(".json"))
def test_recorded_headers_tell(row: dict[str, str]) -> None:
    """Each as `metric window remaining/limit reset`, the reset a date or, with a plus, seconds from now."""
    expected = sorted(filter(None, (row["told"] or "").split(", ")))
    assert sorted(map(words_for, told_by_headers(recorded()[row["file"]]))) == expected


def words_for(told: Told) -> str:
    counts = "/".join("-" if count is None else str(count) for count in (told.remaining, told.limit))
    if told.reset_at is None:
        reset = "-"
    elif "anthropic" in told.source:  # which tells dates
        reset = datetime.fromtimestamp(told.reset_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    else:
        reset = f"+{told.reset_at - NOW.timestamp():.6g}"
    return f"{told.metric} {told.window} {counts} {reset}"
