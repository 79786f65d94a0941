"""`bench mcp`: the context protocol over a pipe, for agents that start their servers themselves."""

from __future__ import annotations

import logging
import sys
from typing import Final

import click

from benchwarmers.cli.base import Command
from benchwarmers.cli.server import Server, read_seconds


@click.command("mcp", cls=Command, examples=("bench mcp", "claude mcp add benchwarmers -- bench mcp"))
def mcp() -> None:
    """Serve agents on this machine over stdin and stdout, by asking a running server.

    Tools: list_collections, ask, verdict, pending_verdicts. BENCHWARMERS_URL, BENCHWARMERS_KEY and
    BENCHWARMERS_TIMEOUT say which server, as whom, and how long an answer may take.
    """
    import asyncio

    from benchwarmers.cli.mcp_session import NEWS_S, serve, write_line

    server = Server()
    news_s = read_seconds("BENCH_KEEPALIVE_S", NEWS_S)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    # A reader of its own, never closed: a thread may sit in it at the end, and closing would wait for the thread.
    lines = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    asyncio.run(serve(server.url, server.timeout_s, lines, write_line, news_s))


COMMANDS: Final = {"mcp": mcp}
