"""All that has come of a body, in one step.

`StreamReader.read` takes it chunk by chunk and, since aiohttp 3.14, has the parser run once more after each of them:
for a stream of small chunks that is half as much work as all that we do with them. Where its insides are not those that
are known here, it reads as it always does.
"""

from __future__ import annotations

from typing import Final

from aiohttp import StreamReader

_KEPT: Final = {
    "_buffer",
    "_buffer_offset",
    "_cursor",
    "_eof",
    "_exception",
    "_http_chunk_splits",
    "_protocol",
    "_size",
}
KNOWN: Final = set(getattr(StreamReader, "__slots__", ())) >= _KEPT and hasattr(StreamReader, "_wait")


async def next_piece(content: StreamReader, most: int) -> bytes:
    """What `content.read(most)` gives, or more where more has come; nothing at the end. Raises what it raises."""
    if KNOWN and not content._buffer and not content._eof and content._exception is None:
        await content._wait("read")
    return all_there(content) or await content.read(most)


def all_there(content: StreamReader) -> bytes:
    """What waits in several chunks, taken; nothing where `read` is the way: for one chunk, none, an error, or a
    connection that was paused and has to go on."""
    if not KNOWN:
        return b""
    buffer = content._buffer
    if len(buffer) < 2 or content._buffer_offset or content._exception is not None:
        return b""
    if content._protocol._reading_paused:
        return b""
    data = b"".join(buffer)
    buffer.clear()
    content._size -= len(data)
    content._cursor += len(data)
    if content._http_chunk_splits:
        content._http_chunk_splits.clear()
    return data
