"""Images, sounds and documents as the formats of the OpenAI family write them: an address or a data URL.

Decides which addresses are images. Never fetches one, never opens a file, and keeps base64 exactly as it was sent. A
refusal shows a placeholder in place of the data.
"""

from __future__ import annotations

import base64
import re
from typing import Literal
from urllib.parse import urlsplit

from gateway.canon.ask import Media
from gateway.canon.fault import BadRequest
from gateway.canon.redact import url_placeholder

_DATA_URL = re.compile(r"data:(?P<mime>[\w.+-]+/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*);base64,(?P<data>.+)", re.I | re.S)
_STARTS = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"BM": "image/bmp",
    b"%PDF": "application/pdf",
}
_HEAD = 16
_TO_STANDARD = str.maketrans("-_", "+/")


def read_image(url: str, detail: str = "") -> Media:
    """An image by its address or data URL; refused when it is neither."""
    found = _DATA_URL.fullmatch(url)
    if found and found["mime"].lower().startswith("image/"):
        return Media("image", data=found["data"], mime=found["mime"], detail=detail)
    if is_web_address(url):
        return Media("image", url=url, detail=detail)
    raise BadRequest(
        f"{url_placeholder(url)} cannot be used as an image. Send an http or https address with a host, "
        "or data:image/<type>;base64,<data>."
    )


def read_data_url(kind: Literal["image", "audio", "document"], url: str, name: str = "") -> Media:
    """A file by data URL, by address, or as bare base64 of an unstated type."""
    if found := _DATA_URL.fullmatch(url):
        return Media(kind, data=found["data"], mime=found["mime"], name=name)
    if is_web_address(url):
        return Media(kind, url=url, name=name)
    return Media(kind, data=url, name=name)


def write_url(media: Media) -> str:
    """The address or data URL of what `read_image` and `read_data_url` have read."""
    if not media.data:
        return media.url
    return f"data:{media.mime};base64,{media.data}" if media.mime else media.data


def is_web_address(url: str) -> bool:
    """Is this http or https, with a host?"""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def sniff(data: str) -> str:
    """The type that base64, of either alphabet, begins like; empty when it is none that is known."""
    start = data[:_HEAD].translate(_TO_STANDARD)
    try:
        head = base64.b64decode(start + "=" * (-len(start) % 4))
    except ValueError:
        return ""
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in _STARTS.items() if head.startswith(magic)), "")
