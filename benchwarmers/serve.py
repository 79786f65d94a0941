"""The web process: binds the served ports, or takes what its supervisor hands it, and runs one uvicorn server over all.

Decides limits and timeouts of the HTTP server. What is served is `asgi`'s business.
"""

from __future__ import annotations

import gc
import logging
import sys
from math import ceil

import uvicorn

from benchwarmers.connections import bounded_by
from benchwarmers.drain import DRAIN
from benchwarmers.env import read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.handed import take_handed
from benchwarmers.open_files import raise_limit
from benchwarmers.ports import bind, listen
from benchwarmers.sockets import LARGEST, BoundedSocket
from benchwarmers.web_server import WebServer

GC_THRESHOLD = 20_000
"""New objects between two collections. A turn makes some thousands, and nearly all go by themselves."""


def main() -> int:
    """Serve until a signal; 1 with a sentence when a port cannot be had. `gateway` is for its own port alone."""
    try:
        bench = read_environment()
        handed = take_handed()
        if handed is None:
            sockets = listen(bind(bench, gateway_alone=sys.argv[1:] == ["gateway"]))
        else:
            sockets = handed.open_sockets()
    except BadSetting as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 1
    _quicken()
    config = uvicorn.Config(
        "benchwarmers.asgi:application",
        interface="asgi3",  # its callables return their coroutines, which uvicorn cannot guess
        loop="auto",  # uvloop where it exists
        http=bounded_by(bench.limits, raise_limit()),
        ws=BoundedSocket,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=ceil(bench.limits.idle_s),
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
    )
    server = WebServer(config, sockets, DRAIN, bench.drain_s, handed)
    server.run()
    return 0 if server.started else 1


def _quicken() -> None:
    """Leaves out of every log record what no line shows, and of every collection what lives as long as the process."""
    logging._srcfile = None  # the documented way not to walk the stack
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    gc.set_threshold(GC_THRESHOLD)


if __name__ == "__main__":
    sys.exit(main())
