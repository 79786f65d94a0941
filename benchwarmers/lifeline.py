"""Ends this process soon after the supervisor that started it is gone, on every system.

On Linux the kernel has already sent SIGTERM; this is the bound on how long a polite end may take, and on other systems
the only notice. Does nothing in a process that no supervisor started.
"""

from __future__ import annotations

import os
import signal
import threading
import time

GRACE_S = 5.0
LIFELINE = "BENCHWARMERS_LIFELINE"


def hold() -> None:
    """Watch the supervisor's pipe from a thread of its own."""
    descriptor = os.environ.pop(LIFELINE, "")
    if descriptor.isdigit():
        threading.Thread(target=_watch, args=(int(descriptor),), name="lifeline", daemon=True).start()


def _watch(descriptor: int) -> None:
    while os.read(descriptor, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(1)
