"""Says what changed, once the change is committed: to the other processes by the stamp, to open pages by the channel
layer.

A message carries only the topic; whoever hears it reads anew. Nothing here ever fails the write it follows.
"""

from __future__ import annotations

import logging
from functools import partial

import redis
from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from django.db import transaction

from collections_app.stamp import bump_stamp

GROUP = "changed"

logger = logging.getLogger(__name__)


def announce(*topics: str) -> None:
    """After the commit: move the stamp once, and send the topics to the pages that listen."""
    if topics:
        transaction.on_commit(partial(_tell, tuple(dict.fromkeys(topics))))


def tell_pages(*topics: str) -> None:
    """After the commit: send the topics to the pages that listen. The catalogue stays as it is."""
    if topics:
        transaction.on_commit(partial(_send, tuple(dict.fromkeys(topics))))


async def announce_now(topics: list[str]) -> None:
    """Tell every open page of every process, from within an event loop. A page that misses it shows the news at its
    next load."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        await layer.group_send(GROUP, {"type": "changed", "topics": topics})
    except (redis.RedisError, OSError) as error:
        logger.warning("open pages could not be told of changes (%s)", error)


def _tell(topics: tuple[str, ...]) -> None:
    if bump_stamp():  # otherwise Redis is away; the layer lives there too, and waiting a second time helps nobody
        _send(topics)


def _send(topics: tuple[str, ...]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(GROUP, {"type": "changed", "topics": list(topics)})
    except (redis.RedisError, OSError, ChannelFull) as error:
        logger.warning("Open pages were not told that %s changed (%s).", ", ".join(topics), type(error).__name__)
