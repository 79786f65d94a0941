"""What one and two web processes carry, a share of a core each, in turn; and what a turn costs everybody else."""

from __future__ import annotations

import contextlib
import statistics
from pathlib import Path
from typing import Any, Final

import uvloop

from bench.client import Run
from bench.rounds import Failed
from bench.scale.place import Place, place
from bench.scale.quota import limited
from bench.setup import AT_ONCE

CALLERS: Final = 24
"""For each process: it never waits for one."""


def carry(upstream: str, folder: Path, *, rounds: int, seconds: float, share: float) -> dict[str, Any]:
    """Medians over rounds that visit one process and two in turn: turns a second, milliseconds of processor a turn of
    the web processes, of Postgres and of Valkey, commands to Valkey and rows a turn, connections and memory."""
    with contextlib.ExitStack() as stack:
        both = {webs: stack.enter_context(place(upstream, folder, webs)) for webs in (1, 2)}
        for one in both.values():
            stack.enter_context(limited([web.pid for web in one.webs], share))
            _visit(one, 2.0)
        visits: dict[int, list[dict[str, float]]] = {1: [], 2: []}
        for _ in range(rounds):
            for webs, one in both.items():
                visits[webs].append(_visit(one, seconds))
        found = {
            str(webs): {key: statistics.median(visit[key] for visit in told) for key in told[0]}
            for webs, told in visits.items()
        }
        pairs = list(zip(visits[2], visits[1], strict=True))
        rates = {str(webs): [round(visit["per_s"]) for visit in told] for webs, told in visits.items()}
        ratio = {key: statistics.median(two[key] / one[key] for two, one in pairs) for key in ("per_s", "web_ms")}
        return {"share": share, "rates": rates, **found, "two_to_one": ratio} | {
            "held": {str(webs): _held(one) for webs, one in both.items()}
        }


def _visit(at: Place, seconds: float) -> dict[str, float]:
    before = (at.web_s(), at.store_s(), *at.redis_told(), _rows(at))
    tally = uvloop.run(Run(at.ask(AT_ONCE), CALLERS * len(at.webs), seconds, warm_s=0).go())
    if tally.errors or set(tally.statuses) - {200}:
        raise Failed(f"{tally.errors} broken, {dict(tally.statuses)}")
    after = (at.web_s(), at.store_s(), *at.redis_told(), _rows(at))
    web, store, scripts, commands, redis_s, rows = (now - then for now, then in zip(after, before, strict=True))
    turns = tally.replies
    return {
        "per_s": len(tally.whole) / tally.span_s,
        "web_ms": web * 1000 / turns,
        "store_ms": store * 1000 / turns,
        "redis_ms": redis_s * 1000 / turns,
        "scripts": scripts / turns,
        "commands": commands / turns,
        "rows": rows / turns,
    }


def _rows(at: Place) -> float:
    ((rows,),) = at.sql("SELECT coalesce(sum(n_tup_ins + n_tup_upd), 0) FROM pg_stat_user_tables")
    return float(rows)


def _held(at: Place) -> dict[str, Any]:
    """What is open now: connections to Postgres and to Valkey, and the memory of each web process that is its own."""
    ((lines,),) = at.sql("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    with contextlib.closing(at.redis()) as client:
        clients: Any = client.info("clients")
    return {
        "postgres": int(lines) - 1,
        "redis": int(clients["connected_clients"]) - 1,
        "web_mb": [round(web.memory_full_info().uss / 1e6, 1) for web in at.webs],
        "web_files": [web.num_fds() for web in at.webs],
    }
