"""Opens the sockets that the web process serves, or says in a sentence why it cannot.

Standard library only. Waits a moment for a predecessor that is just ending; otherwise decides nothing.
"""

from __future__ import annotations

import errno
import socket
import time

from benchwarmers.env import Environment
from benchwarmers.env_values import BadSetting

PREDECESSOR_S = 2.0


def listen(bench: Environment) -> list[socket.socket]:
    """One bound socket for each served port, the dashboard's first.

    :raises BadSetting: a port is taken, or the address is not this machine's.
    """
    opened: list[socket.socket] = []
    for variable, port in zip(("BENCH_PORT", "BENCH_GATEWAY_PORT"), bench.ports, strict=False):
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


def _bind(address: str, port: int) -> socket.socket:
    until = time.monotonic() + PREDECESSOR_S
    while True:
        opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((address, port))
            opened.listen(2048)
        except OSError as error:
            opened.close()
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return opened
