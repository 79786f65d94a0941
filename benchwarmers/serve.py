"""The web process: binds the served ports and runs one uvicorn server over all of them.

Decides limits and timeouts of the HTTP server. What is served is `asgi`'s business.
"""

from __future__ import annotations

import gc
import logging
import sys

import uvicorn

from benchwarmers.env import read_environment
from benchwarmers.env_values import BadSetting
from benchwarmers.ports import listen

GC_THRESHOLD = 20_000
"""New objects between two collections. A turn makes some thousands, and nearly all go by themselves."""


def main() -> int:
    """Serve until a signal; 1 with a sentence when a port cannot be had."""
    try:
        sockets = listen(read_environment())
    except BadSetting as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 1
    _quicken()
    config = uvicorn.Config(
        "benchwarmers.asgi:application",
        loop="auto",  # uvloop where it exists
        http="httptools",
        ws="websockets-sansio",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=10,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
    )
    server = uvicorn.Server(config)
    server.run(sockets=sockets)
    return 0 if server.started else 1


def _quicken() -> None:
    """Leaves out of every log record what no line shows, and of every collection what lives as long as the process."""
    logging._srcfile = None  # the documented way not to walk the stack
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    gc.set_threshold(GC_THRESHOLD)


if __name__ == "__main__":
    sys.exit(main())
