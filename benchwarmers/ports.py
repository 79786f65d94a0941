"""Opens the sockets that the web processes serve, or says in a sentence why it cannot.

Standard library only. Waits a moment for a predecessor that is just ending; otherwise decides nothing.
"""

from __future__ import annotations

import errno
import socket
import time

from benchwarmers.env import Environment
from benchwarmers.env_values import BadSetting

PREDECESSOR_S = 2.0


QUEUE = 2048
"""Connections that may wait to be taken."""


def bind(bench: Environment, *, gateway_alone: bool = False) -> list[socket.socket]:
    """A bound socket for each served port, the dashboard's first, or the gateway's own port alone. Nobody can connect
    before it listens.

    :raises BadSetting: a port is taken, or the address is not this machine's.
    """
    opened: list[socket.socket] = []
    served = list(zip(("BENCH_PORT", "BENCH_GATEWAY_PORT"), bench.ports, strict=False))
    for variable, port in served[1:] if gateway_alone else served:
        try:
            opened.append(_bind(bench.bind, port))
        except OSError as error:
            for other in opened:
                other.close()
            if error.errno == errno.EADDRINUSE:
                raise BadSetting(
                    f"Port {port} on {bench.bind} is taken by another program; stop it or set {variable}."
                ) from None
            raise BadSetting(
                f"Cannot listen on {bench.bind} port {port} ({error.strerror}); check BENCH_BIND and {variable}."
            ) from None
    return opened


def listen(sockets: list[socket.socket]) -> list[socket.socket]:
    """Let callers connect; they wait until somebody takes them.

    :raises BadSetting: another program has come to listen there meanwhile.
    """
    for opened in sockets:
        try:
            opened.listen(QUEUE)
        except OSError as error:
            raise BadSetting(f"Cannot listen on port {opened.getsockname()[1]} ({error.strerror}).") from None
    return sockets


def _bind(address: str, port: int) -> socket.socket:
    until = time.monotonic() + PREDECESSOR_S
    while True:
        opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((address, port))
        except OSError as error:
            opened.close()
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return opened
