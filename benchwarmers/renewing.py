"""Renews sign-ins to providers in a web process, so that calls go on while the worker or its schedule stands still.

Looks every few seconds, off the path of requests. Whoever looks first renews; the others find nothing due.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from django.db import DatabaseError, connection

from collections_app.vault import VaultLocked
from probes.sign_ins.desk import desk
from probes.sign_ins.renew import renew_due

LOOK_S: Final = 10.0
log = logging.getLogger(__name__)


class Renewing:
    """Made inside the running event loop."""

    def __init__(self) -> None:
        self._looking = asyncio.create_task(self._look_on(), name="sign-ins")

    async def close(self) -> None:
        """Stops. A renewal that is on its way is written down by its thread."""
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)

    async def _look_on(self) -> None:
        while True:
            await asyncio.to_thread(_look)
            await asyncio.sleep(LOOK_S)


def _look() -> None:
    try:
        renew_due(desk())
    except (DatabaseError, VaultLocked) as error:
        log.warning("sign-ins cannot be renewed now (%s)", type(error).__name__)
    finally:
        connection.close()
