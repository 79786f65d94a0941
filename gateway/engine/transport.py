"""The one way out: a POST to a provider and its reply as chunks. The only module that knows the HTTP client.

Redirects are never followed, so a key cannot leak to another host. Cookies are not kept and the environment's proxies
not used. Every failure leaves here as an UpstreamFault; deadlines are the caller's business (`asyncio.timeout`).

httpx carries the request over its aiohttp transport: httpx's own pool slows down with every open connection.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Final

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from gateway.canon.fault import Broken, NotSent, Unreachable

REPLY_CAP: Final = 32_000_000
ERROR_CAP: Final = 256_000
CONNECT_S: Final = 15.0
KEEPALIVE_S: Final = 30.0
_BEFORE_REPLY = (httpx.TransportError, aiohttp.ClientError, OSError)


class Answer:
    """A reply whose head has come. `status`, lower-case `headers`, and the body by `chunks()` or `text_of_error()`."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    @property
    def content_type(self) -> str:
        return str(self.headers.get("content-type", ""))

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises Broken when it is cut, cannot be decoded, or is over the cap."""
        size = 0
        try:
            async for chunk in self._pieces():
                size += len(chunk)
                if size > REPLY_CAP:
                    raise Broken(f"the reply is larger than {REPLY_CAP:,} bytes", code="oversized")
                yield chunk
        except (httpx.HTTPError, httpx.StreamError, aiohttp.ClientError, OSError) as error:
            raise Broken(f"the reply broke off: {_words(error)}", code="broke_off") from error

    def _pieces(self) -> AsyncIterator[bytes]:
        """The body as it is told; what is not packed is taken without the layers that would unpack it."""
        if "content-encoding" in self.headers or not isinstance(self._response.stream, httpx.AsyncByteStream):
            return self._response.aiter_bytes()
        return self._response.stream.__aiter__()

    async def body_of_error(self) -> bytes:
        """The start of an error's body; whatever came when it breaks off, for the status already tells what
        happened."""
        kept = bytearray()
        try:
            async for chunk in self._response.aiter_bytes():
                kept += chunk
                if len(kept) >= ERROR_CAP:
                    break
        except (httpx.HTTPError, httpx.StreamError, aiohttp.ClientError, OSError):
            return bytes(kept)
        return bytes(kept[:ERROR_CAP])


class Transport:
    """One per process: connections are kept and shared. Open it inside the running event loop."""

    def __init__(self) -> None:
        self._tls = httpx.create_ssl_context(trust_env=False)
        self._inner = AiohttpTransport(verify=self._tls, trust_env=False, client=self._session)

    def _session(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=0, limit_per_host=0, keepalive_timeout=KEEPALIVE_S, ttl_dns_cache=60, ssl=self._tls
        )
        return aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False, read_bufsize=2**18
        )

    @asynccontextmanager
    async def post(self, url: str, headers: dict[str, str], body: bytes) -> AsyncIterator[Answer]:
        """Sends `body` and yields the Answer. Leaving the block closes the connection unless the reply was read to its
        end.

        Raises NotSent for an address that cannot be used and Unreachable when no reply began.
        """
        try:
            request = httpx.Request(
                "POST",
                read_url(url),
                headers=list(headers.items()),
                content=body,
                extensions={"timeout": {"connect": CONNECT_S}},
            )
        except (httpx.InvalidURL, UnicodeError, ValueError, TypeError) as error:
            raise NotSent(f"the endpoint's address or headers cannot be used: {_words(error)}") from error
        try:
            response = await self._inner.handle_async_request(request)
        except httpx.UnsupportedProtocol as error:
            raise NotSent(f"the endpoint's address cannot be used: {_words(error)}") from error
        except ValueError as error:
            raise NotSent(f"the endpoint's headers or key cannot be sent: {_words(error)}") from error
        except _BEFORE_REPLY as error:
            raise Unreachable(f"no connection to {request.url.host}: {_words(error)}") from error
        response.request = request
        try:
            yield Answer(response)
        finally:
            await response.aclose()

    async def close(self) -> None:
        await self._inner.aclose()


@lru_cache(maxsize=2_048)
def read_url(url: str) -> httpx.URL:
    """Parsing an address costs as much as encoding a short request; there are few addresses."""
    return httpx.URL(url)


def _words(error: BaseException) -> str:
    return str(error)[:300] or type(error).__name__
