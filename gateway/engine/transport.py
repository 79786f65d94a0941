"""The one way out: a request to a provider and its reply as chunks. The only module that knows the HTTP client.

Redirects are never followed, so a key cannot leak to another host. Every new connection is checked for where it leads
(`resolver`). Cookies are not kept and the environment's proxies not used. Every failure leaves here as an
UpstreamFault; deadlines are the caller's business (`asyncio.timeout`).
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from functools import lru_cache
from types import TracebackType
from typing import Final

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.payload import BytesPayload
from yarl import URL

from gateway.canon.fault import Broken, NotSent, Unreachable
from gateway.engine.hiding import Hiding
from gateway.engine.read_ahead import next_piece
from gateway.engine.resolver import AddressRefused, CheckedResolver, literal_problem

REPLY_CAP: Final = 32_000_000
ERROR_CAP: Final = 256_000
CONNECT_S: Final = 15.0
KEEPALIVE_S: Final = 30.0
READ_AHEAD: Final = 2**15
"""Bytes of a reply that may wait to be read; twice as many, and the provider is let wait."""
_TIMEOUT: Final = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S)
_CUT: Final = (aiohttp.ClientError, OSError)


class Answer:
    """A reply whose head has come. `status`, lower-case `headers`, and the body by `chunks()` or `body_of_error()`."""

    __slots__ = ("_response", "_secrets", "headers", "status")

    def __init__(self, response: aiohttp.ClientResponse, secrets: tuple[bytes, ...] = ()) -> None:
        self._response = response
        self._secrets = secrets
        self.status = response.status
        self.headers = response.headers

    @property
    def content_type(self) -> str:
        return str(self.headers.get("content-type", ""))

    @property
    def ended(self) -> bool:
        """True when all of the body has been read."""
        return self._response.content.at_eof()

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives, without our own secrets. Raises Broken when it is cut, cannot be decoded, or is over
        the cap."""
        return _Chunks(self._response.content, Hiding(self._secrets) if self._secrets else None)

    async def body_of_error(self) -> bytes:
        """The start of an error's body; whatever came when it breaks off, for the status already tells what
        happened."""
        kept = bytearray()
        try:
            async for chunk in self._response.content.iter_any():
                kept += chunk
                if len(kept) >= ERROR_CAP:
                    break
        except _CUT:
            return bytes(kept)
        return bytes(kept[:ERROR_CAP])


class _Chunks:
    """A body, piece by piece. No generator: the loop keeps a book of those."""

    __slots__ = ("_content", "_hiding", "_size")

    def __init__(self, content: aiohttp.StreamReader, hiding: Hiding | None) -> None:
        self._content = content
        self._hiding = hiding
        self._size = 0

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> bytes:
        while True:
            try:
                chunk = await next_piece(self._content, READ_AHEAD)
            except _CUT as error:
                raise Broken(f"the reply broke off: {_words(error)}", code="broke_off") from error
            if not chunk:
                break
            self._size += len(chunk)
            if self._size > REPLY_CAP:
                raise Broken(f"the reply is larger than {REPLY_CAP:,} bytes", code="oversized")
            if self._hiding is None:
                return chunk
            if known := self._hiding.feed(chunk):
                return known
        if self._hiding is not None and (rest := self._hiding.end()):
            return rest
        raise StopAsyncIteration


class Transport:
    """One per process: connections are kept and shared. Open it inside the running event loop.

    Endpoints that may stand at private addresses (`private`) share no connection with the others. With `allow_private`
    all of them may. `resolver` is for tests.
    """

    def __init__(self, *, allow_private: bool = False, resolver: AbstractResolver | None = None) -> None:
        secure = ssl.create_default_context()
        self._private = _session(secure, CheckedResolver(private=True, inner=resolver))
        self._public = self._private
        if not allow_private:
            self._public = _session(secure, CheckedResolver(private=False, inner=resolver))

    def post(
        self,
        url: str,
        headers: dict[str, str],
        body: bytes,
        *,
        private: bool = False,
        secrets: tuple[bytes, ...] = (),
    ) -> _Sending:
        """Sends `body` and yields the Answer, in whose body `secrets` do not appear. Leaving the block closes the
        connection unless the reply was read to its end.

        Raises NotSent for an address that cannot or must not be used and Unreachable when no reply began.
        """
        return self.send("POST", url, headers, body, private=private, secrets=secrets)

    def send(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        body: bytes | None = None,
        *,
        private: bool = False,
        secrets: tuple[bytes, ...] = (),
    ) -> _Sending:
        """The same by any method."""
        session = self._private if private else self._public
        return _Sending(session, method, url, headers, body, session is self._private, secrets)

    async def close(self) -> None:
        await self._private.close()
        await self._public.close()


def _session(secure: ssl.SSLContext, resolver: AbstractResolver) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(
        limit=0, limit_per_host=0, keepalive_timeout=KEEPALIVE_S, ttl_dns_cache=60, ssl=secure, resolver=resolver
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        read_bufsize=READ_AHEAD,
        timeout=_TIMEOUT,
        requote_redirect_url=False,
    )


class _Sending:
    """One request as a block."""

    __slots__ = ("_body", "_headers", "_may_be_private", "_method", "_response", "_secrets", "_session", "_url")

    def __init__(
        self,
        session: aiohttp.ClientSession,
        method: str,
        url: str,
        headers: dict[str, str],
        body: bytes | None,
        private: bool,
        secrets: tuple[bytes, ...],
    ) -> None:
        self._session = session
        self._method = method
        self._url = url
        self._headers = headers
        self._body = body
        self._may_be_private = private
        self._secrets = secrets
        self._response: aiohttp.ClientResponse | None = None

    async def __aenter__(self) -> Answer:
        address = _address(self._url)
        if problem := literal_problem(address.host or "", self._may_be_private):
            raise _refused(problem)
        # The client would send such a header in an encoding that nobody reads.
        if not all(map(str.isascii, self._headers.values())):
            raise NotSent("the endpoint's headers or key hold letters that no header may hold")
        try:
            self._response = await self._session.request(
                self._method, address, headers=self._headers, data=_payload(self._body), allow_redirects=False
            )
        except AddressRefused as refusal:
            raise _refused(str(refusal)) from None
        except (aiohttp.InvalidURL, ValueError, TypeError) as error:
            raise NotSent(f"the endpoint's address, headers or key cannot be sent: {_words(error)}") from error
        except _CUT as error:
            raise Unreachable(f"no connection to {address.host}: {_words(error)}") from error
        return Answer(self._response, self._secrets)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._response is not None:
            self._response.close()


def _payload(body: bytes | None) -> BytesPayload | None:
    """The body as the client would make it of the bytes, did it look for what can."""
    return BytesPayload(body) if body is not None else None


def _refused(problem: str) -> NotSent:
    return NotSent(f"the endpoint's address must not be used: {problem}")


def _address(url: str) -> URL:
    """Raises NotSent when it is none that can be called."""
    try:
        address = read_url(url)
        address.port  # noqa: B018 it is read, and may be out of range, only when asked for
    except (ValueError, TypeError, UnicodeError) as error:
        raise NotSent(f"the endpoint's address cannot be used: {_words(error)}") from error
    if address.scheme not in ("http", "https") or not address.host:
        raise NotSent(f"the endpoint's address cannot be used: {url[:200]!r} is no http or https address")
    return address


@lru_cache(maxsize=2_048)
def read_url(url: str) -> URL:
    """Parsing an address costs as much as encoding a short request; there are few addresses."""
    return URL(url, encoded=True)


def _words(error: BaseException) -> str:
    return str(error)[:300] or type(error).__name__
