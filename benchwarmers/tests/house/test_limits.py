"""The table of limits in docs/security.md has the numbers of the code."""

from __future__ import annotations

import re

from benchwarmers import connections, env_limits, live, open_files, sockets
from benchwarmers.tests.house.tree import ROOT
from gateway.api import zones
from gateway.canon import fault
from gateway.engine import transport

ROW = re.compile(r"^\| (?P<limit>[^|]+?) \| (?P<value>[\d,]+) \|", re.MULTILINE)
LIMITS = {
    "headers of a request": connections.HEADERS,
    "bytes of its line and headers": connections.HEAD_BYTES,
    "seconds until its headers are there": env_limits.HEAD_S,
    "seconds until its body is there": env_limits.BODY_S,
    "further bytes that earn a body a second more": connections.SLOWEST,
    "bytes of a body on the gateway's routes": zones.GATEWAY_CAP,
    "bytes of a body on pages and `/api`": zones.PAGE_CAP,
    "compressed bodies of JSON": 0,
    "requests that wait on a connection for the one before": connections.PIPELINED,
    "seconds that a body goes on after its answer": connections.LINGER_S,
    "seconds between two requests on a connection": env_limits.IDLE_S,
    "connections of a web process": env_limits.CONNECTIONS,
    "seconds in which somebody takes nothing of an answer": connections.UNREAD_S,
    "bytes of a message to a WebSocket": sockets.LARGEST,
    "WebSockets of one person in a web process": live.MOST_SOCKETS,
    "bytes of a provider's reply, unpacked": transport.REPLY_CAP,
    "bytes of a provider's error that are read": transport.ERROR_CAP,
    "characters of a message in a refusal": fault.LONGEST,
}


def test_every_limit_is_told_as_it_is() -> None:
    page = (ROOT / "docs/security.md").read_text()
    told = {row["limit"]: int(row["value"].replace(",", "")) for row in ROW.finditer(page)}
    assert told == LIMITS
    assert f"at most {open_files.ENOUGH:,}" in page
