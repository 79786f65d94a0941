"""Bodies shown in the OpenAPI document. Made up, and of the shapes in `serializers`."""

from __future__ import annotations

from typing import Any

CALL = "p20261129-101500-7c1e.member1"
WAITING = "p20261129-101500-7c1e.explorer"
ROUTED = "r20261129-111500-0a9b.1"

VERDICT: dict[str, Any] = {
    "call": CALL,
    "useful": True,
    "note": "Found the race in the cache.",
    "real": ["The lock is released before the write."],
    "false": [],
}
ROUTE_VERDICT: dict[str, Any] = {"call": ROUTED, "useful": True, "note": "Fixed the build in six turns."}
WITHDRAW: dict[str, Any] = {"call": CALL, "withdraw": True}
WITHDRAWN: dict[str, Any] = {"ok": True, "withdrawn": True}
RECORDED: dict[str, Any] = {
    "ok": True,
    "recorded": {
        "date": "2026-11-29",
        "model": "alpha",
        "task": "Review this patch (bench/core, review)",
        "useful": True,
        "note": VERDICT["note"],
        "call": CALL,
        "real": VERDICT["real"],
        "false": [],
    },
}
NO_CALL: dict[str, Any] = {
    "error": {
        "message": f"There is no call {CALL!r} that you may judge; take the id from the reply's bench object.",
        "type": "bench_gateway",
        "code": 404,
    }
}
CALLS: dict[str, Any] = {"calls": [CALL, WAITING]}
PENDING: dict[str, Any] = {"pending": [WAITING]}
RECORD: dict[str, Any] = {
    "collection": "bench/core",
    "task": "",
    "aliases": {
        "alpha": {"useful": 3, "notUseful": 1, "judged": 4, "lastAt": "2026-11-29T10:15:00+00:00"},
        "beta": {"useful": 0, "notUseful": 1, "judged": 1, "lastAt": "2026-11-28T08:00:00+00:00"},
    },
}
ENTRY: dict[str, Any] = {
    "id": "bench/agents:route",
    "object": "model",
    "created": 1796000000,
    "owned_by": "benchwarmers",
    "description": "tool work",
    "tags": ["agents"],
    "members": ["alpha", "beta"],
    "shape": "",
    "explorers": 2,
    "reply": "route",
    "merger": "",
    "together": {
        "context_window": 128000,
        "context_unknown": ["beta"],
        "capabilities": ["tools"],
        "connections": ["groq", "openrouter"],
        "limits": {"rpm": 20, "rpd": None, "tpm": 6000, "tpd": None},
    },
}
LISTING: dict[str, Any] = {"object": "list", "data": [ENTRY]}
