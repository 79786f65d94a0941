"""Ends what runs in whichever process it runs: a panel that a page stops, a request of the context protocol that its
client cancels. Every web process listens to one group of the channel layer. While Redis is away, only the process that
was asked can end what is its own."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import redis
from channels.layers import get_channel_layer
from msgspec.structs import asdict

from gateway.api.mcp import Mcp
from gateway.api.mcp_open import Mark
from gateway.canon.fault import Unavailable
from gateway.engine.bench import Bench

GROUP: Final = "stops"
PAUSE_S: Final = 1.0
log = logging.getLogger(__name__)


class Stops:
    """Made inside the running event loop; stops what `bench` runs, and what `mcp` has under way."""

    def __init__(self, bench: Bench, mcp: Mcp) -> None:
        self._bench = bench
        self._mcp = mcp
        self._hearing = asyncio.create_task(self._hear_on(), name="stops")

    async def close(self) -> None:
        """Hears no more."""
        self._hearing.cancel()
        await asyncio.gather(self._hearing, return_exceptions=True)

    async def _hear_on(self) -> None:
        complained = False
        while True:
            try:
                await self._hear()
            except (redis.RedisError, OSError) as error:
                if not complained:
                    log.warning("other processes cannot stop panels here for now (%s)", type(error).__name__)
                complained = True
            await asyncio.sleep(PAUSE_S)

    async def _hear(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            return
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        while True:
            told = await layer.receive(channel)
            if told["type"] == "stop":
                self._bench.stop(told["panel"])
            else:
                self._mcp.cancel(Mark(**told["mark"]))


async def stop_panel(bench: Bench, panel: str) -> None:
    """Stop it here, or tell the others to. Raises Unavailable when nobody can be told."""
    layer = get_channel_layer()
    if bench.stop(panel) or layer is None:
        return
    try:
        await layer.group_send(GROUP, {"type": "stop", "panel": panel})
    except (redis.RedisError, OSError) as error:
        raise Unavailable("The panel could not be stopped; it ends by itself.", code="not_stopped") from error


async def cancel_elsewhere(mark: Mark) -> None:
    """Have the other processes end a request. While they cannot be told, it runs to its end."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        await layer.group_send(GROUP, {"type": "cancel", "mark": asdict(mark)})
    except (redis.RedisError, OSError) as error:
        log.warning("a cancelled request may run on in another process (%s)", type(error).__name__)
