"""The parts of messages and of tools' outputs in Responses, both ways.

Refuses, with a sentence that names the part and says what is right, whatever would be lost: part types of other APIs,
pictures that are neither an address nor base64.
"""

from __future__ import annotations

from msgspec import Raw

from gateway.canon.ask import Media, Refusal, Text
from gateway.canon.fault import BadRequest
from gateway.wire.body import given
from gateway.wire.media import read_data_url, read_image, write_url
from gateway.wire.openai_responses.shape import ContentPart, ImageUrl

Content = Text | Media | Refusal
_IMAGE = 'an image is {"type": "input_image", "image_url": ...}'
_ELSEWHERE = {
    "image": _IMAGE,
    "image_url": _IMAGE,
    "file": 'a file is {"type": "input_file", "file_data": ..., "filename": ...}',
    "document": 'a file is {"type": "input_file", "file_data": ..., "filename": ...}',
    "tool_use": "a tool call is an item of `input` of the type function_call",
    "tool_result": "a tool's result is an item of `input` of the type function_call_output",
}
_KNOWN = "input_text, output_text, input_image, input_file, input_audio or refusal"
_SOUND_TYPES = {"mp3": "audio/mpeg", "wav": "audio/wav"}
_FORMATS = {mime: name for name, mime in _SOUND_TYPES.items()}


def read_part(part: ContentPart, place: str) -> Content:
    """One part; `place` is its path in the body, such as `input[3].content[0]`."""
    cache = given(part.prompt_cache_breakpoint)
    match part.type:
        case "input_text" | "output_text" | "text" | "summary_text":
            return Text(_needed(part.text, place, "text"), cache)
        case "refusal":
            return Refusal(_needed(part.refusal, place, "refusal"))
        case "input_image":
            return _with_cache(_read_image(part, place), cache)
        case "input_file":
            return _with_cache(_read_file(part, place), cache)
        case "input_audio":
            return _with_cache(_read_sound(part, place), cache)
        case None:
            raise BadRequest(f"`{place}` has no `type`. Send one of {_KNOWN}.")
        case other:
            right = _ELSEWHERE.get(other, f"parts are of type {_KNOWN}")
            raise BadRequest(f"`{place}` is of type {other}, which cannot be used here: {right}.")


def _read_image(part: ContentPart, place: str) -> Media:
    url = part.image_url.url if isinstance(part.image_url, ImageUrl) else part.image_url
    if not url and part.file_id:
        raise BadRequest(
            f"`{place}` is an image stored at a provider, which the other models cannot open. Send its address or its "
            "data as `image_url`."
        )
    return read_image(_needed(url, place, "image_url"), part.detail or "")


def _read_file(part: ContentPart, place: str) -> Media:
    name = part.filename or ""
    if part.file_data:
        return read_data_url("document", part.file_data, name)
    if part.file_url:
        return read_data_url("document", part.file_url, name)
    return Media("document", file_id=_needed(part.file_id, place, "file_data`, `file_url` or `file_id"), name=name)


def _read_sound(part: ContentPart, place: str) -> Media:
    sound = part.input_audio
    data = _needed(sound.data if sound is not None else None, place, "input_audio.data")
    kind = (sound.format if sound is not None else None) or ""
    return Media("audio", data=data, mime=_SOUND_TYPES.get(kind, f"audio/{kind}" if kind else ""))


def write_part(part: Content, *, assistant: bool = False, cache: bool = True) -> dict[str, object]:
    """One part for a member; an assistant's words are output. `cache` says whether cache marks go along."""
    written: dict[str, object]
    match part:
        case Text(text=text):
            written = {"type": "output_text" if assistant else "input_text", "text": text}
        case Refusal(text=text):
            return {"type": "refusal", "refusal": text}
        case Media(kind="image"):
            written = {"type": "input_image", "image_url": write_url(part)}
            if part.detail:
                written["detail"] = part.detail
        case Media(kind="audio", data=str(data)) if data:
            sound = {"data": data, "format": _FORMATS.get(part.mime, part.mime.removeprefix("audio/"))}
            written = {"type": "input_audio", "input_audio": sound}
        case Media():
            written = {"type": "input_file", **_file(part)}
    if cache and part.cache is not None:
        written["prompt_cache_breakpoint"] = part.cache
    return written


def _file(part: Media) -> dict[str, object]:
    file: dict[str, object] = {"file_id": part.file_id}
    if not part.file_id:
        file = {"file_url": part.url} if part.url else {"file_data": write_url(part)}
    return {**file, "filename": part.name} if part.name else file


def _with_cache(media: Media, cache: Raw | None) -> Media:
    if cache is None:
        return media
    return Media(media.kind, media.url, media.data, media.file_id, media.mime, media.name, media.detail, cache)


def _needed(value: str | None, place: str, field: str) -> str:
    if value is None:
        raise BadRequest(f"`{place}` has no `{field}`.")
    return value
