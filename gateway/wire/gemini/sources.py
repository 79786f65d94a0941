"""Images, sounds, videos and documents of generateContent: `inlineData` with base64, `fileData` with an address."""

from __future__ import annotations

from typing import Literal

from gateway.canon.ask import Media
from gateway.canon.fault import BadRequest
from gateway.canon.redact import url_placeholder
from gateway.wire.gemini.seal import to_standard
from gateway.wire.gemini.shape import Blob, FileData
from gateway.wire.media import is_web_address, sniff

_STORED = "generativelanguage.googleapis.com"
_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "bmp": "image/bmp",
    "heic": "image/heic",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
}
_DEFAULT_TYPE = {"image": "image/jpeg", "audio": "audio/mpeg", "document": "application/pdf"}


def read_blob(blob: Blob, place: str) -> Media:
    """`inlineData`."""
    if not blob.data:
        raise BadRequest(f'`{place}` has no `data`. Send {{"mimeType": "image/png", "data": <base64>}}.')
    data = to_standard(blob.data) if "-" in blob.data or "_" in blob.data else blob.data
    mime = blob.mime_type or sniff(data)
    if not mime:
        raise BadRequest(f"`{place}` has no `mimeType`. Say what the data is, such as image/png.")
    return Media(_kind(mime), data=data, mime=mime, name=blob.display_name or "")


def read_file(file: FileData, place: str) -> Media:
    """`fileData`; refused for files that are stored at Google."""
    address = file.file_uri or ""
    if address.startswith("gs:") or _STORED in address or address.startswith("files/"):
        raise BadRequest(
            f"`{place}` is a file stored at Google, which the other models cannot open. "
            'Send it as {"inlineData": {"mimeType": ..., "data": <base64>}}.'
        )
    if not is_web_address(address):
        raise BadRequest(f"`{place}` has the address {url_placeholder(address)}. Send an http or https address.")
    mime = file.mime_type or _guess(address)
    return Media(_kind(mime), url=address, mime=mime, name=file.display_name or "")


def write_media(media: Media) -> dict[str, object] | None:
    """The part; None for a file stored at another provider."""
    name = {"displayName": media.name} if media.name else {}
    if media.data:
        mime = media.mime or sniff(media.data) or _DEFAULT_TYPE[media.kind]
        return {"inlineData": {"mimeType": mime, "data": media.data, **name}}
    if media.url:
        mime = media.mime or _guess(media.url) or _DEFAULT_TYPE[media.kind]
        return {"fileData": {"mimeType": mime, "fileUri": media.url, **name}}
    return None


def _kind(mime: str) -> Literal["image", "audio", "document"]:
    kind = mime.partition("/")[0].lower()
    return "image" if kind == "image" else "audio" if kind == "audio" else "document"


def _guess(address: str) -> str:
    path = address.partition("?")[0].partition("#")[0]
    return _TYPES.get(path.rpartition(".")[2].lower(), "")
