"""The four tools: what each takes, what it asks of the gateway, and what an agent reads of the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from gateway.canon.names import PREFIX
from gateway.mcp import schemas, words
from gateway.mcp.fence import fence
from gateway.mcp.reminders import Reminders, calls_in
from gateway.mcp.routes import Refusal, Routes, fetch

ERROR_CHARACTERS: Final = 300
_SEAT_FIELDS: Final = ("call", "seat", "alias", "status", "seconds")
_COLLECTION_FIELDS: Final = ("description", "tags", "members", "explorers", "shape", "reply", "merger")


class Desk(Struct, frozen=True):
    """What a tool works with. `read` gives the end of a transcript on this machine, and nothing where callers are
    remote."""

    routes: Routes
    reminders: Reminders
    read: Callable[[str], str]


class Said(Struct, frozen=True):
    """What a tool says: texts for people and agents, and the same as data."""

    texts: list[str]
    data: dict[str, Any]


Run = Callable[[Desk, dict[str, Any]], Awaitable[Said]]


class Tool(Struct, frozen=True):
    """A tool as it is listed, and what it does."""

    name: str
    title: str
    about: str
    takes: schemas.Schema
    gives: schemas.Schema
    hints: dict[str, bool]
    run: Run

    def listed(self) -> dict[str, Any]:
        """Its line in tools/list."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.about,
            "inputSchema": self.takes,
            "outputSchema": self.gives,
            "annotations": {"title": self.title, **self.hints},
        }


async def list_collections(desk: Desk, said: dict[str, Any]) -> Said:
    """Collections in their own way of answering; their other ways are folded away."""
    told = await fetch(desk.routes, "GET", "/v1/models")
    found = [_collection(entry) for entry in told["data"] if ":" not in entry["id"] and entry["id"].startswith(PREFIX)]
    text = _json(found) if found else words.NOBODY
    return Said([text], {"collections": found})


def _collection(entry: dict[str, Any]) -> dict[str, Any]:
    together = entry.get("together") or {}
    return {
        "name": entry["id"],
        **{field: entry.get(field) for field in _COLLECTION_FIELDS},
        **{field: together.get(field) for field in ("context_window", "capabilities", "limits")},
    }


async def ask(desk: Desk, said: dict[str, Any]) -> Said:
    """One panel, asked whole."""
    collection, prompt = (str(said[name]).strip() for name in ("collection", "prompt"))
    if not collection or not prompt:
        raise Refusal("Name a collection and write a prompt; neither may be blank.")
    bench: dict[str, Any] = {}
    if said.get("merged") is not None:
        bench["reply"] = "merged" if said["merged"] else "all"
    if said.get("with"):
        bench["with"] = said["with"]
    messages = [{"role": "user", "content": said["prompt"]}]
    if said.get("system"):
        messages.insert(0, {"role": "system", "content": said["system"]})
    model = collection if collection.startswith(PREFIX) else f"{PREFIX}{collection}"
    body = {"model": model, "messages": messages, "stream": False} | ({"bench": bench} if bench else {})
    told = await fetch(desk.routes, "POST", "/v1/chat/completions", body)
    choices = told.get("choices") or [{}]
    content = (choices[0].get("message") or {}).get("content") or ""
    panel = _panel(told.get("bench") or {})
    name = str(panel.get("panel") or panel.get("call") or model)
    return Said([fence(content, name), f"{words.SEATS}\n{_json(panel)}"], {**panel, "answer": content})


def _panel(bench: dict[str, Any]) -> dict[str, Any]:
    merged = bench.get("reply") == "merged"
    kept = {name: bench[name] for name in ("panel", "collection", "shape", "call", "alias") if bench.get(name)}
    kept["seats"] = [_seat(seat, answers=merged) for seat in bench.get("seats") or []]
    if bench.get("merger"):
        kept["merger"] = _seat(bench["merger"], answers=False)
    return kept | {name: bench[name] for name in ("skipped", "note") if bench.get(name)}


def _seat(seat: dict[str, Any], *, answers: bool) -> dict[str, Any]:
    kept = {name: seat[name] for name in _SEAT_FIELDS if seat.get(name) not in (None, "")}
    if seat.get("error"):
        kept["error"] = seat["error"][-ERROR_CHARACTERS:]
    if answers and seat.get("answer"):
        kept["answer"] = seat["answer"]
    return kept


async def verdict(desk: Desk, said: dict[str, Any]) -> Said:
    """One judgement on one call."""
    told = await fetch(desk.routes, "POST", "/bench/verdict", said)
    kept = told["recorded"]
    real, false = len(kept.get("real") or []), len(kept.get("false") or [])
    judged = "useful" if kept["useful"] else "not useful"
    text = f"Recorded for {kept['call']}: {judged}, {real} real and {false} false claims."
    return Said([text], {"call": kept["call"], "useful": kept["useful"], "real": real, "false": false})


async def pending_verdicts(desk: Desk, said: dict[str, Any]) -> Said:
    """What a hook at the end of a turn says: nothing, or each call that waits, once a session."""
    none = Said([""], {"pending": []})
    if said.get("active") is True:
        return none
    calls = [call for call in said.get("calls") or [] if isinstance(call, str)]
    calls += calls_in(desk.read(str(said.get("transcript") or "")))
    if not calls:
        return none
    told = await fetch(desk.routes, "POST", "/bench/pending", {"calls": list(dict.fromkeys(calls))})
    session = str(said.get("session") or "")
    pending = desk.reminders.fresh(session, told["pending"]) if session else told["pending"]
    if not pending:
        return none
    text = words.OWED.format(count=len(pending), calls=", ".join(pending))
    hook = {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": text}}
    return Said([_json(hook)], {"pending": pending})


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


_READS: Final = {"readOnlyHint": True, "openWorldHint": False}
TOOLS: Final[dict[str, Tool]] = {
    tool.name: tool
    for tool in (
        Tool(
            "list_collections",
            "List collections",
            words.LIST,
            schemas.LIST_IN,
            schemas.LIST_OUT,
            _READS,
            list_collections,
        ),
        Tool(
            "ask",
            "Ask a panel",
            words.ASK,
            schemas.ASK_IN,
            schemas.ASK_OUT,
            {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True},
            ask,
        ),
        Tool(
            "verdict",
            "Record a verdict",
            words.VERDICT,
            schemas.VERDICT_IN,
            schemas.VERDICT_OUT,
            {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
            verdict,
        ),
        Tool(
            "pending_verdicts",
            "Verdicts that are owed",
            words.PENDING,
            schemas.PENDING_IN,
            schemas.PENDING_OUT,
            _READS,
            pending_verdicts,
        ),
    )
}
"""By name, in the order of the list."""
