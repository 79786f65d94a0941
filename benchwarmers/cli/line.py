"""One request to a server by the standard library, which a command line loads in a tenth of the time that a client
library takes. Knows nothing of what is asked or answered.

Proxies and certificates are those of the surroundings: `HTTPS_PROXY` and its like, `SSL_CERT_FILE`.
"""

from __future__ import annotations

import http.client
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, unquote, urlsplit

if TYPE_CHECKING:
    import ssl

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
MOST: Final = 65_536


class Unanswered(Exception):
    """Nobody answers at the address."""


class TooLate(Exception):
    """No byte came for as long as this waits."""


class BrokenOff(Exception):
    """The answer ended before its end, or was none of HTTP."""


class Answer:
    """An answer whose body is still to come. Names of headers are lower-case."""

    def __init__(self, coming: http.client.HTTPResponse) -> None:
        self._coming = coming
        self.status_code = coming.status
        self.headers = {name.lower(): value for name, value in coming.getheaders()}

    def read(self) -> bytes:
        """The rest of the body. Raises TooLate and BrokenOff."""
        with _told():
            return self._coming.read()

    def iter_lines(self) -> Iterator[str]:
        """The body line by line as it comes, without the ends of lines. Raises TooLate and BrokenOff."""
        rest = b""
        while piece := self._piece():
            *lines, rest = (rest + piece).split(b"\n")
            yield from (_text(line) for line in lines)
        if rest:
            yield _text(rest)

    def _piece(self) -> bytes:
        with _told():
            piece = self._coming.read1(MOST)
            if not piece and self._coming.length:
                raise http.client.IncompleteRead(b"", self._coming.length)
            return piece


@contextmanager
def asked(
    url: str, method: str, body: bytes | None, headers: Mapping[str, str], *, connect_s: float, read_s: float
) -> Iterator[Answer]:
    """The answer to a request. Raises Unanswered, TooLate and BrokenOff."""
    parts = urlsplit(url)
    proxy = _proxy_for(parts)
    with closing(_connection(parts, proxy, connect_s)) as line:
        try:
            line.connect()
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            raise Unanswered(str(error)) from error
        line.sock.settimeout(read_s)
        with_proxy = proxy is not None and parts.scheme == "http"
        target = url if with_proxy else url[url.index(parts.netloc) + len(parts.netloc) :] or "/"
        sent = {**headers, **(_credential_of(proxy) if with_proxy and proxy is not None else {})}
        with _told():
            line.request(method, target, body, sent)
            coming = line.getresponse()
        with closing(coming):
            yield Answer(coming)


@contextmanager
def _told() -> Iterator[None]:
    """What the standard library raises, by what it means."""
    try:
        yield
    except TimeoutError as error:
        raise TooLate(str(error)) from error
    except (http.client.HTTPException, OSError) as error:
        raise BrokenOff(str(error) or type(error).__name__) from error


def _connection(parts: SplitResult, proxy: SplitResult | None, connect_s: float) -> http.client.HTTPConnection:
    far = proxy or parts
    host, port = far.hostname or "", far.port or (80 if far.scheme == "http" else 443)
    if parts.scheme == "http":
        return http.client.HTTPConnection(host, port, timeout=connect_s)
    line = http.client.HTTPSConnection(host, port, timeout=connect_s, context=_trusted())
    if proxy is not None:
        line.set_tunnel(parts.hostname or "", parts.port or 443, _credential_of(proxy))
    return line


def _trusted() -> ssl.SSLContext:
    import ssl

    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context()
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


def _proxy_for(parts: SplitResult) -> SplitResult | None:
    """A proxy of the surroundings is not asked for what runs on this machine."""
    host = parts.hostname or ""
    if host in LOOPBACK or not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    said = proxies.get(parts.scheme) or proxies.get("all")
    if not said or proxy_bypass(parts.netloc):
        return None
    return urlsplit(said if "://" in said else f"http://{said}")


def _credential_of(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    said = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(said.encode()).decode()}"}


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "replace")
