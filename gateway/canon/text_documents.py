"""Documents that are plain text: any model can read them, as a document where that is known and as words elsewhere."""

from __future__ import annotations

import base64
import binascii

from gateway.canon.ask import Media

_TEXT = "text/"


def text_of(media: Media) -> str | None:
    """The words of a document that came as data and is UTF-8 text by its type and in fact; None for all else."""
    if not _says_text(media):
        return None
    try:
        return base64.b64decode("".join(media.data.split()), validate=True).decode("utf-8-sig")
    except (binascii.Error, ValueError):
        return None


def text_length(media: Media) -> int:
    """About how many characters such a document has, without opening it; 0 for all else."""
    return len(media.data) * 3 // 4 if _says_text(media) else 0


def as_words(media: Media, text: str) -> str:
    """The document as words of a message: its name on a line of its own, then its text."""
    return f"{media.name}\n{text}" if media.name else text


def _says_text(media: Media) -> bool:
    return media.kind == "document" and bool(media.data) and media.mime.lower().startswith(_TEXT)
