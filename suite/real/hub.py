"""Pages of the data set from the hub's viewer, the newest fixes first. Its index is loaded when somebody asks, and
until then it answers 500 for minutes; a page is kept for a day, so that a second run asks nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from gateway.canon.fault import Broken
from gateway.engine.fetch import Fetched
from suite.real.rows import BadRows, Row, read_rows

VIEWER: Final = "https://datasets-server.huggingface.co/filter"
DATA_SET: Final = "nebius/SWE-rebench-V2"
PAGE: Final = 50
TRIES: Final = 16
PAUSE_S: Final = 20.0
KEPT_S: Final = 86_400.0
Fetch = Callable[[str], Fetched]
"""The reply from an address. Raises UpstreamFault when none came."""


class Kept(msgspec.Struct):
    """A page as it is kept: when it came, in seconds, and its rows."""

    at: float
    rows: list[Any]


class Hub:
    """Asks through `fetch`, waits through `sleep`, and keeps pages below `folder`."""

    def __init__(
        self,
        fetch: Fetch,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
        folder: Path,
        say: Callable[[str], None],
    ) -> None:
        self._fetch, self._sleep, self._clock, self._folder, self._say = fetch, sleep, clock, folder, say

    def rows(self, since: date, offset: int) -> Iterator[Row]:
        """The Python rows from `since` on, after the first `offset`. A page is asked for when it is needed.

        :raises BadRows: the hub does not answer, or not with rows.
        """
        while True:
            page = self._page(since, offset)
            yield from read_rows(page, f"{VIEWER} from {offset}")
            if len(page) < PAGE:
                return
            offset += len(page)

    def _page(self, since: date, offset: int) -> list[Any]:
        asked = {
            "dataset": DATA_SET,
            "config": "default",
            "split": "train",
            "where": f"\"language\"='python' AND \"created_at\">='{since.isoformat()}'",
            "orderby": '"created_at" DESC',
            "offset": offset,
            "length": PAGE,
        }
        address = f"{VIEWER}?{urlencode(asked)}"
        file = self._folder / f"rebench-{hashlib.sha256(address.encode()).hexdigest()[:20]}.json"
        if (kept := self._kept(file)) is not None:
            return kept
        rows = self._asked(address)
        self._folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(Kept(self._clock(), rows)))
        return rows

    def _kept(self, file: Path) -> list[Any] | None:
        try:
            kept = msgspec.json.decode(file.read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError):  # a page that was kept by halves is asked for again
            return None
        return kept.rows if 0 <= self._clock() - kept.at < KEPT_S else None

    def _asked(self, address: str) -> list[Any]:
        for number in range(1, TRIES + 1):
            reply = self._fetch(address)
            if reply.status != 500 or number == TRIES:
                break
            if number == 1:
                self._say("The hub is still loading its index; asking again for up to five minutes.")
            self._sleep(PAUSE_S)
        if not reply.ok:
            raise BadRows(f"The hub answered {reply.status} after {number} {'try' if number == 1 else 'tries'}.")
        try:
            rows = reply.json().get("rows")
        except (Broken, AttributeError):
            rows = None
        if not isinstance(rows, list) or not all(isinstance(one, dict) and "row" in one for one in rows):
            raise BadRows("The hub's reply has no rows.")
        return [one["row"] for one in rows]
