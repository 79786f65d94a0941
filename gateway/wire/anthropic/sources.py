"""Images and documents of Messages, both ways.

An image is an address or base64 of a type that may be left out; a document also plain text. Refuses what canon cannot
hold. Never fetches anything and keeps base64 exactly as it was sent.
"""

from __future__ import annotations

import base64
from typing import Literal

from msgspec import Raw

from gateway.canon.ask import Media
from gateway.canon.fault import BadRequest
from gateway.canon.redact import url_placeholder
from gateway.canon.text_documents import text_of
from gateway.wire.anthropic.shape import Source
from gateway.wire.media import is_web_address, sniff

_PDF = "application/pdf"
_PLAIN = "text/plain"
_IMAGE_FORMS = '{"type": "base64", "media_type": "image/...", "data": ...} or {"type": "url", "url": ...}'
_DOCUMENT_FORMS = "a source of type base64, url, text or file"


def read_image(source: str | Source | None, place: str, cache: Raw | None) -> Media:
    """An image block's source."""
    match source:
        case Source(type="base64", data=str(data)) if data:
            mime = source.media_type or sniff(data)
            if not mime.lower().startswith("image/"):
                raise BadRequest(f"`{place}.source` is of type {mime or 'unknown'}, not an image. Send {_IMAGE_FORMS}.")
            return Media("image", data=data, mime=mime, cache=cache)
        case Source(type="url", url=str(url)):
            return Media("image", url=_web_address(url, place), cache=cache)
        case Source(type="file"):
            raise BadRequest(
                f"`{place}.source` is a file stored at a provider, which the other models cannot open. "
                f"Send {_IMAGE_FORMS}."
            )
        case _:
            raise BadRequest(f"`{place}` is an image without a usable source. Send {_IMAGE_FORMS}.")


def read_document(source: str | Source | None, title: str, place: str, cache: Raw | None) -> Media:
    """A document block's source."""
    match source:
        case Source(type="base64", data=str(data)) if data:
            return Media("document", data=data, mime=source.media_type or sniff(data), name=title, cache=cache)
        case Source(type="text", data=str(data)):
            packed = base64.b64encode(data.encode()).decode()
            return Media("document", data=packed, mime=_PLAIN, name=title, cache=cache)
        case Source(type="url", url=str(url)):
            return Media("document", url=_web_address(url, place), name=title, cache=cache)
        case Source(type="file", file_id=str(file_id)) if file_id:
            return Media("document", file_id=file_id, name=title, cache=cache)
        case Source(type="content"):
            raise BadRequest(f"`{place}.source` is made of blocks. Send them as text and image blocks of the message.")
        case _:
            raise BadRequest(f"`{place}` is a document without a usable source. Send {_DOCUMENT_FORMS}.")


def write_media(media: Media, cache: Raw | None) -> dict[str, object] | None:
    """An image or document block, with its cache mark; None for what this API does not take."""
    source = _source(media)
    if source is None:
        return None
    block: dict[str, object] = {"type": media.kind, "source": source}
    if media.name and media.kind == "document":
        block["title"] = media.name
    if cache is not None:
        block["cache_control"] = cache
    return block


def _source(media: Media) -> dict[str, object] | None:
    if media.kind == "audio":
        return None
    if media.file_id:
        return {"type": "file", "file_id": media.file_id}
    if media.url:
        return {"type": "url", "url": media.url}
    mime = media.mime or sniff(media.data)
    kind: Literal["image", "document"] = media.kind
    if (kind == "image" and mime.startswith("image/")) or (kind == "document" and mime == _PDF):
        return {"type": "base64", "media_type": mime, "data": media.data}
    if (text := text_of(media)) is not None:
        return {"type": "text", "media_type": _PLAIN, "data": text}
    return None


def _web_address(url: str, place: str) -> str:
    if is_web_address(url):
        return url
    raise BadRequest(
        f"`{place}.source` has the address {url_placeholder(url)}. Send an http or https address with a host."
    )
