"""What the processes hold when nobody asks anything: descriptors, sockets, threads, connections to the stores, memory,
and requests under way. Compared before the load and after it, it shows what leaked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import psutil
import redis
from msgspec import Struct

from benchwarmers.tests.chaos.place import WEBS, Place
from benchwarmers.tests.chaos.recovery import rows

WATCHED: Final = (*WEBS, "worker", "beat")
SPARE: Final = {"descriptors": 40, "threads": 10, "database": 8, "store": 12}
"""By how much each may differ between two quiet moments of a healthy process: pools open what they need and keep it."""


class Holding(Struct, frozen=True):
    """Of one process. `database` and `store` are its connections to Postgres and Valkey, `others` those to anybody
    else; `descriptors` is all that is open."""

    descriptors: int
    threads: int
    database: int
    store: int
    others: int


def look(place: Place) -> dict[str, Holding]:
    """By process name; and under `stores` what the stores themselves count (Postgres: database, Valkey: store)."""
    found = {name: _of(psutil.Process(place.parts[name].pid), place) for name in WATCHED}
    backends = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    with redis.Redis(port=place.valkey_port) as store:
        clients = len(store.client_list()) - 1
    found["stores"] = Holding(0, 0, rows(place.dsn, backends)[0][0] - 1, clients, 0)
    return found


def _of(process: psutil.Process, place: Place) -> Holding:
    remote: Counter[int] = Counter(one.raddr.port for one in process.net_connections("tcp") if one.raddr)
    database, store = remote[place.postgres_port], remote[place.valkey_port]
    return Holding(process.num_fds(), process.num_threads(), database, store, remote.total() - database - store)


def leaks(before: Mapping[str, Holding], after: Mapping[str, Holding]) -> list[str]:
    """A sentence for whatever grew by more than its spare, and for any connection to upstreams and callers: they are
    gone by then. Pure."""
    told = []
    for name, held in after.items():
        if not held.descriptors and name != "stores":
            told.append(f"{name} is gone")
        for what, spare in SPARE.items():
            was, now = getattr(before[name], what), getattr(held, what)
            room = spare * (len(WATCHED) if name == "stores" else 1)
            if now > was + room:
                told.append(f"{name} holds {now} {what}, {was} before")
        if held.others:
            told.append(f"{name} still holds {held.others} connections to others, and there is nobody")
    return told
