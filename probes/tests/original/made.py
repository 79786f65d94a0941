"""A small data folder in the original's forms, as one was seen to be written."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

KEY = "bwk_a-key-that-clients-have-already"
PANEL = "p20260601-080000-0a1b"


def make_folder(path: Path) -> Path:
    """Two endpoints, four models of which one is retired and one renamed, two collections, a panel, verdicts, calls."""
    documents: dict[str, Any] = {
        "config/endpoints.json": {
            "north": {"base": "https://north.example/v1/", "key": "north", "kind": "provider"},
            "hub": {
                "base": "https://hub.example/api",
                "key": "hub",
                "kind": "hub",
                "hub": "openwebui",
                "default": True,
            },
            "again": {"base": "https://north.example/v1", "key": "second", "connect": {"provider": "openrouter"}},
        },
        "config/model-roles.json": {"_comment": ["x"], "models": {"coder": "code"}, "ad_hoc": ["coder"]},
        "config/model-options.json": {"fast": {"max_tokens": 800}},
        "config/model-overrides.json": {"fast": {"tools": True, "limits": {"rpm": 30}, "odd": 1}},
        "config/model-learned.json": {
            "fast": {
                "context_window": {"value": 8192, "at": "2026-05-01T00:00:00+00:00", "evidence": "at most 8192"},
                "capabilities": {"reasoning": {"value": True, "evidence": "thought"}},
                "limits": {"tpm": {"value": 9000, "evidence": "limit 9000"}},
            }
        },
        "config/alias-history.json": {"old-slow": "slow", "lost": "nobody"},
        "config/provider-tags.json": {"vendor/slow": "groq/vendor"},
        "config/collections.json": {
            "core": {"members": ["fast", "old-slow"], "shape": "review", "reply": "all", "merger": "", "tags": ["x"]},
            "bad": {"members": ["nobody"]},
        },
        "config/retired.json": {
            "gone": {
                "served": "vendor/gone",
                "endpoint": "north",
                "at": "2026-05-02T10:00:00+00:00",
                "by": "auto",
                "why": "dead",
            }
        },
        "config/connection-limits.json": {"north": {"rpm": 60, "rpmo": 1000}},
        "config/connections.json": {"paid": ["north"], "models_dev": {"hub": "nvidia"}, "allow_paid": ["fast"]},
        "config/gateway.json": {"_why": "x", "max_calls": 4, "max_explorers": 1},
        "config/gateway-keys.json": {
            "ci": {
                "sha256": hashlib.sha256(KEY.encode()).hexdigest(),
                "hint": KEY[-4:],
                "collections": ["core"],
                "rpm": 9,
            }
        },
        "config/dismissed.json": {
            "vendor/dull": {"at": "2026-05-03T00:00:00+00:00", "by": "ui"},
            "vendor/dull@north": {"at": "2026-05-03T00:00:00+00:00", "by": "ui"},
            "strange@name": {"at": "2026-05-03T00:00:00+00:00", "by": "ui"},
        },
        "config/scheduler.json": {"mode": "run"},
    }
    for name, document in documents.items():
        write(path / name, json.dumps(document))
    registered = [
        ("fast", "vendor/fast", "https://north.example/v1", "north"),
        ("slow", "vendor/slow", "https://hub.example/api", "hub"),
        ("coder", "vendor/fast", "https://north.example/v1", "second"),
        ("stray", "x", "https://nowhere.example/v1", "x"),
    ]
    entries = [
        f'\n- model_id: {alias}\n  model_name: {served}\n  api_base: "{base}"\n  api_key_name: {key}\n'
        for alias, served, base, key in registered
    ]
    write(path / "config/extra-openai-models.yaml", "".join(entries))
    write_lines(path / "runs/gateway/calls.jsonl", [panel(), "not json"])
    write_lines(path / "metrics/offloads.jsonl", offloads())
    write_lines(path / "metrics/usage/2026-06.jsonl", [call("fast", 1780300801.5), call("old-slow", 1780300802.5)])
    write(
        path / "perf/history.csv",
        "timestamp,model,prompt,n,p50_s,answered,failure,detail\n"
        "2026-06-01T05:00:00+00:00,fast,tiny,1,0.8,1,,\n"
        "2026-06-01T05:00:00+00:00,old-slow,tiny,1,,0,capacity,busy\n"
        "2026-06-01T05:00:00+00:00,nobody,tiny,1,0.8,1,,\n",
    )
    write(path / "suite/tasks/one/output/fast.txt", "an answer")
    return path


def panel() -> dict[str, Any]:
    seats = [
        {
            "call": f"{PANEL}.member1",
            "seat": "member",
            "alias": "fast",
            "status": "ok",
            "answer": "four",
            "seconds": 0.5,
        },
        {"call": f"{PANEL}.member2", "seat": "member", "alias": "old-slow", "status": "error", "error": "busy"},
    ]
    return {
        "panel": PANEL,
        "at": "2026-06-01T08:00:00+00:00",
        "model": "bench/core",
        "shape": "review",
        "shape_by": "set on the collection",
        "key": "ci",
        "system": "",
        "prompt": "two and two?",
        "seats": seats,
    }


def offloads() -> list[dict[str, Any]]:
    asked = {
        "date": "2026-06-01",
        "model": "fast",
        "task": "two and two? (bench/core, review)",
        "call": f"{PANEL}.member1",
    }
    return [
        {**asked, "useful": None, "note": "member; ok in 0.5s"},
        {**asked, "useful": True, "note": "good", "real": ["four"], "false": ["four", "five"]},
        {"date": "2026-05-30", "model": "old-slow", "task": "a review by hand", "useful": False, "note": ""},
        {"date": "2026-05-30", "model": "nobody", "task": "x", "useful": True, "note": ""},
    ]


def call(alias: str, at: float) -> dict[str, Any]:
    return {
        "t": at,
        "alias": alias,
        "connection": "north",
        "endpoint": "north",
        "served": "vendor/fast",
        "status": "ok",
        "attempts": 1,
        "tokens_in": 12,
        "tokens_out": 3,
        "seconds": 0.5,
        "caller": "serve",
        "purpose": "",
    }


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_lines(path: Path, records: list[Any]) -> None:
    write(path, "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records))
