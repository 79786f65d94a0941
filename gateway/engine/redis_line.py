"""One connection to Redis that carries the commands of many requests: all that have gathered go out in one write, and
their answers come back in the same order. A client that takes a connection for each call costs three times as much.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha1
from typing import Any, Final

from hiredis import pack_command
from msgspec import Struct
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import NoScriptError, RedisError, ResponseError

from collections_app.redis_client import open_redis_async

TIMEOUT_S: Final = 0.5


class Script(Struct, frozen=True):
    """A Lua script, named by its digest once Redis knows it."""

    text: str
    digest: str


def script_of(text: str) -> Script:
    return Script(text, sha1(text.encode()).hexdigest())  # noqa: S324 the digest that Redis itself uses


class RedisLine:
    """Opened by its first call, and again after a failure."""

    def __init__(self, url: str) -> None:
        # The time limit is this line's own: the client's makes a task of every read and write.
        self._redis = open_redis_async(
            url, decode_responses=True, socket_timeout=None, socket_connect_timeout=TIMEOUT_S, protocol=2
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: AbstractConnection | None = None
        self._waiting: list[tuple[bytes, asyncio.Future[Any]]] = []
        self._carrying: asyncio.Task[None] | None = None
        self._known: set[str] = set()
        """Digests of the scripts that have been sent over this connection."""

    async def evaluate(self, script: Script, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """What the script answers. Raises RedisError, OSError or TimeoutError."""
        try:
            return await self.run(script, keys, arguments)
        except NoScriptError:  # a Redis that was started anew
            return await self.run(script, keys, arguments, anew=True)

    def run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Any], *, anew: bool = False
    ) -> asyncio.Future[Any]:
        """The same without waiting. What is asked later is answered later: the first time on a connection, or `anew`,
        the whole script goes along. Its answer may be NoScriptError."""
        if script.digest in self._known and not anew:
            return self.post("EVALSHA", script.digest, len(keys), *keys, *arguments)
        self._known.add(script.digest)
        return self.post("EVAL", script.text, len(keys), *keys, *arguments)

    async def close(self) -> None:
        if self._carrying is not None:
            self._carrying.cancel()
            await asyncio.gather(self._carrying, return_exceptions=True)
        await self._redis.aclose()

    async def send(self, *command: Any) -> Any:
        """What one command answers. Raises the same."""
        return await self.post(*command)

    def post(self, *command: Any) -> asyncio.Future[Any]:
        """Sends a command at once; its answer comes in the future, and its failure."""
        loop = self._loop = self._loop or asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((pack_command(command), answer))
        if self._carrying is None or self._carrying.done():
            self._carrying = loop.create_task(self._carry(), name="redis-line")
        return answer

    async def _carry(self) -> None:
        """Carries until nothing waits. A failure is told to everybody who waits."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            failure: Exception = ConnectionError("the line to Redis was closed")
            whole = False
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    await self._exchange(batch)
                whole = True
            except (RedisError, OSError, TimeoutError) as error:
                failure = error
            finally:
                if not whole:  # an answer that nobody read would go to the next who asks
                    await self._hang_up()
                _fail(batch, failure)

    async def _exchange(self, batch: list[tuple[bytes, asyncio.Future[Any]]]) -> None:
        if self._connection is None:
            pool: Any = self._redis.connection_pool  # its own types leave this call open
            self._connection = await pool.get_connection()
        await self._connection.send_packed_command(b"".join(packed for packed, _ in batch), check_health=False)
        for _, answer in batch:
            try:
                reply = await self._connection.read_response()
            except ResponseError as error:
                reply = error
            if not answer.done():  # whoever asked may have left
                answer.set_exception(reply) if isinstance(reply, Exception) else answer.set_result(reply)

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        self._known.clear()
        if connection is not None:
            await connection.disconnect(nowait=True)
            await self._redis.connection_pool.release(connection)


def _fail(batch: list[tuple[bytes, asyncio.Future[Any]]], error: Exception) -> None:
    """Whoever has no answer yet gets the failure."""
    for _, answer in batch:
        if not answer.done():
            answer.set_exception(error)
