"""WebSockets that are not read: uvicorn's protocol, which hears nothing more from whoever takes nothing.

Every ping is answered by a pong. Whoever sends pings and reads no pongs would fill our memory with them.
"""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LARGEST = 64 * 1024
"""Bytes of a message. Pages have nothing to say."""


class BoundedSocket(WebSocketsSansIOProtocol):
    """Reads on when what was answered is on its way."""

    def pause_writing(self) -> None:
        """The transport holds as much as it should."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Some of it is gone."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()
