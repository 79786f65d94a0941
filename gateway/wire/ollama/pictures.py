"""Images of Ollama's API, both ways: bare base64 without a type.

The type is found by how the data begins. Never opens an image and keeps base64 exactly as it was sent. A refusal never
shows the data.
"""

from __future__ import annotations

import re

from gateway.canon.ask import Media
from gateway.canon.fault import BadRequest
from gateway.wire.media import is_web_address, read_image, sniff

_BASE64 = re.compile(r"[A-Za-z0-9+/_\s-]+={0,2}\s*", re.A)
_UNKNOWN = "image/png"
"""The type of data that begins like none that is known."""


def read_pictures(images: list[str] | None, place: str) -> list[Media]:
    """The entries of an `images` list; `place` is the list's path in the body."""
    return [_read(image, f"{place}[{at}]") for at, image in enumerate(images or ())]


def write_picture(media: Media) -> str | None:
    """An entry of an `images` list; None for what this API does not take."""
    return media.data or None if media.kind == "image" else None


def _read(image: str, place: str) -> Media:
    if image[:5].lower() == "data:":
        return read_image(image)
    if _BASE64.fullmatch(image):
        return Media("image", data=image, mime=sniff(image) or _UNKNOWN)
    what = "an address" if is_web_address(image) else "not base64"
    raise BadRequest(f"`{place}` is {what}. Send each image as its bytes in base64.")
