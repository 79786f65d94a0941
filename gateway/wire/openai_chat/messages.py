"""The messages of a chat completion request to turns of the canon.

Refuses, with a sentence that names the message and says what is right, whatever would be lost: roles and part types of
other APIs, pictures that are neither an address nor base64, calls without an id or a name.
"""

from __future__ import annotations

from typing import get_args

from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Media, Part, Refusal, Role, Text, Thought, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import given
from gateway.wire.media import read_data_url, read_image
from gateway.wire.openai_chat import seal, unread
from gateway.wire.openai_chat.reader import write_arguments
from gateway.wire.openai_chat.shape import CallEntry, ContentPart, ImageUrl, Message

_ROLES: tuple[Role, ...] = get_args(Role)
_ELSEWHERE = {
    "image": 'an image is {"type": "image_url", "image_url": {"url": ...}}',
    "input_image": 'an image is {"type": "image_url", "image_url": {"url": ...}}',
    "input_text": 'text is {"type": "text", "text": ...}',
    "output_text": 'text is {"type": "text", "text": ...}',
    "input_file": 'a file is {"type": "file", "file": {"file_data": ..., "filename": ...}}',
    "document": 'a file is {"type": "file", "file": {"file_data": ..., "filename": ...}}',
    "tool_use": "a tool call goes into the message's `tool_calls`",
    "tool_result": "a tool's result is a message of its own with the role tool",
}
_KNOWN = "text, image_url, input_audio, file, refusal or thinking"
_SOUND_TYPES = {"mp3": "audio/mpeg", "wav": "audio/wav"}


def read_turn(message: Message, place: str, sent: dict[str, Raw]) -> Turn:
    """One message; `place` is its path in the body, such as `messages[3]`, and `sent` all of its fields."""
    role = _read_role(message, place)
    parts = _read_content(message, place)
    if role == "tool":
        return Turn(role, (_read_result(message, parts, place),), extras=unread.of_message(message, sent))
    if role == "assistant":
        thoughts = seal.take_thoughts(
            message.reasoning_content or message.reasoning or "", message.reasoning_details, message.extra_content
        )
        refusal = [Refusal(message.refusal)] if message.refusal else []
        calls = [read_call(call, f"{place}.tool_calls[{at}]") for at, call in enumerate(message.tool_calls or ())]
        parts = [*thoughts, *parts, *refusal, *calls]
    elif message.tool_calls:
        raise BadRequest(f"`{place}` has `tool_calls`, which only an assistant's message can have.")
    return Turn(role, tuple(parts), message.name or "", unread.of_message(message, sent))


def read_call(call: CallEntry, place: str) -> ToolCall:
    """One entry of an assistant's `tool_calls`. Empty arguments mean none: `{}`."""
    sealed = seal.take_call_seal(call.extra_content)
    if call.custom is not None and (call.type == "custom" or call.function is None):
        name, arguments, custom = call.custom.name, call.custom.input or "", True
    else:
        function = call.function
        name = function.name if function is not None else None
        arguments = write_arguments(function.arguments) if function is not None else ""
        arguments, custom = arguments if arguments.strip() else "{}", False
    if not name:
        raise BadRequest(f'`{place}` names no function. Send {{"id": ..., "type": "function", "function": {{...}}}}.')
    if not call.id:
        raise BadRequest(f"`{place}` has no `id`. Give each call the id that its result refers to.")
    return ToolCall(call.id, name, arguments, custom, sealed)


def _read_role(message: Message, place: str) -> Role:
    if seal.present(message.function_call) or message.role == "function":
        raise BadRequest(f"`{place}` uses the old function calling. Send `tool_calls` and messages with the role tool.")
    for role in _ROLES:
        if role == (message.role or "user"):
            return role
    raise BadRequest(f"`{place}.role` is {message.role!r}. Send one of {', '.join(_ROLES)}.")


def _read_content(message: Message, place: str) -> list[Part]:
    content = message.content
    if isinstance(content, str):
        return [Text(content)] if content else []
    return [_read_part(part, f"{place}.content[{at}]") for at, part in enumerate(content or ())]


def _read_result(message: Message, parts: list[Part], place: str) -> ToolResult:
    if not message.tool_call_id:
        raise BadRequest(f"`{place}` is a tool's result without `tool_call_id`. Send the id of the call it answers.")
    kept = tuple(part for part in parts if isinstance(part, Text | Media))
    if len(kept) != len(parts):
        raise BadRequest(f"`{place}.content` of a tool's result can hold text and media only.")
    return ToolResult(message.tool_call_id, kept, name=message.name or "")


def _read_part(part: ContentPart, place: str) -> Part:
    cache = given(part.cache_control)
    match part.type:
        case "text":
            return Text(_needed(part.text, place, "text"), cache)
        case "image_url":
            return _with_cache(_read_image(part.image_url, place), cache)
        case "input_audio":
            return _read_sound(part, place, cache)
        case "file":
            return _read_file(part, place, cache)
        case "refusal":
            return Refusal(_needed(part.refusal, place, "refusal"))
        case "thinking":
            thinking = part.thinking or ""
            return Thought(thinking if isinstance(thinking, str) else "".join(inner.text or "" for inner in thinking))
        case None:
            raise BadRequest(f"`{place}` has no `type`. Send one of {_KNOWN}.")
        case other:
            right = _ELSEWHERE.get(other, f"parts are of type {_KNOWN}")
            raise BadRequest(f"`{place}` is of type {other}, which chat completions does not have: {right}.")


def _read_image(sent: str | ImageUrl | None, place: str) -> Media:
    url, detail = (sent.url, sent.detail) if isinstance(sent, ImageUrl) else (sent, None)
    return read_image(_needed(url, place, "image_url.url"), detail or "")


def _read_sound(part: ContentPart, place: str, cache: Raw | None) -> Media:
    sound = part.input_audio
    data = _needed(sound.data if sound is not None else None, place, "input_audio.data")
    kind = (sound.format if sound is not None else None) or ""
    mime = _SOUND_TYPES.get(kind, f"audio/{kind}" if kind else "")
    return Media("audio", data=data, mime=mime, cache=cache)


def _read_file(part: ContentPart, place: str, cache: Raw | None) -> Media:
    file = part.file
    name = (file.filename if file is not None else None) or ""
    if file is not None and file.file_data:
        return _with_cache(read_data_url("document", file.file_data, name), cache)
    file_id = _needed(file.file_id if file is not None else None, place, "file.file_data` or `file.file_id")
    return Media("document", file_id=file_id, name=name, cache=cache)


def _with_cache(media: Media, cache: Raw | None) -> Media:
    return media if cache is None else replace(media, cache=cache)


def _needed(value: str | None, place: str, field: str) -> str:
    if value is None:
        raise BadRequest(f"`{place}` has no `{field}`.")
    return value
