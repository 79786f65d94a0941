"""What is written down in place of images, and what is cut out of texts that may hold them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from gateway.canon.ask import Media

_DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=_-]*", re.I)
_HTTP_URL = re.compile(r"https?://[^\s\"'<>)\]}]+", re.I)
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{100,}={0,2}")
_PATH_CAP = 200


def placeholder(media: Media) -> str:
    """The words that stand for an image, a sound or a document in every record: `[image: data URL, 12 KB]`."""
    if media.data:
        return f"[{media.kind}: data URL, {_kilobytes(len(media.data)):,} KB]"
    if media.url:
        return url_placeholder(media.url, media.kind)
    return f"[{media.kind}: {media.file_id or 'nothing'}]"


def url_placeholder(url: str, kind: str = "image") -> str:
    """The same for an address as it was sent."""
    if url[:5].lower() == "data:":
        return f"[{kind}: data URL, {_kilobytes(len(url)):,} KB]"
    return f"[{kind}: {_plain_url(url)}]"


def redact_text(text: str) -> str:
    """`text` without base64 data, without credentials or queries in addresses. Short runs stay as they are."""
    text = _DATA_URL.sub(lambda found: f"[image: data URL, {_kilobytes(len(found[0])):,} KB]", text)
    text = _HTTP_URL.sub(lambda found: _plain_url(found[0]), text)
    return _BASE64_RUN.sub(lambda found: f"[base64, {_kilobytes(len(found[0])):,} KB]", text)


def _kilobytes(characters: int) -> int:
    return -(-characters * 3 // 4_000)


def _plain_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "[url]"
    if not host:
        return "[url]"
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{port}{parts.path[:_PATH_CAP]}{'?...' if parts.query else ''}"
