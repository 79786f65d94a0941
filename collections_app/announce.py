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
    """After the commit: move the stamp once, and send each topic to the pages that listen."""
    if topics:
        transaction.on_commit(partial(_tell, tuple(dict.fromkeys(topics))))


def _tell(topics: tuple[str, ...]) -> None:
    if not bump_stamp():
        return  # the layer lives in the same Redis; waiting for it a second time helps nobody
    layer = get_channel_layer()
    if layer is None:
        return
    for topic in topics:
        try:
            async_to_sync(layer.group_send)(GROUP, {"type": "changed", "topic": topic})
        except (redis.RedisError, OSError, ChannelFull) as error:
            logger.warning("Open pages were not told that %s changed (%s).", topic, type(error).__name__)
            return
