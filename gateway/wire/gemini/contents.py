"""The contents of a generateContent request to turns of the canon.

Calls without an id get one, by number; results find the call they answer by id, by name, or by order. Results of tools
come first in their turn, whatever role they were sent under. What only this API knows of a part (`videoMetadata` and
the like) stays beside the turn as it was sent, in `extras`, and goes on to members of this protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from gateway.canon.ask import Media, Part, Role, Text, Thought, ToolCall, ToolResult, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.body import MISSING, given, read_body
from gateway.wire.gemini import seal
from gateway.wire.gemini.shape import (
    Blob,
    CallEntry,
    Content,
    Fields,
    FileData,
    ResultEntry,
    read_level,
    read_list,
    read_shape,
)
from gateway.wire.gemini.sources import read_blob, read_file
from gateway.wire.own_fields import own_fields, pack_calls

PARTS = "parts"
"""The name among a turn's extras of parts that canon cannot say in full."""

_ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "user"}
_RESULT_KIND = "functionResponse"
_Sent = list[tuple[Raw, Fields, str]]
"""Parts: (as sent, by fields, where)."""
_KINDS = ("text", "inlineData", "fileData", "functionCall", "functionResponse")
_KNOWN = frozenset((*_KINDS, "thought", "thoughtSignature"))
_MARKS = frozenset(("videoMetadata", "mediaResolution", "partMetadata"))
_CALL = frozenset(field.encode_name for field in msgspec.structs.fields(CallEntry))
_RESULT = frozenset(field.encode_name for field in msgspec.structs.fields(ResultEntry))
_PLAIN_WORDS = ("output", "error")


def read_system(raw: Raw | None) -> tuple[Turn, ...]:
    """`systemInstruction` as one turn, where there is any: text, or an object with parts."""
    if raw is None:
        return ()
    if bytes(raw).startswith(b'"'):
        text = read_body(raw, str, "systemInstruction")
        return (Turn("system", (Text(text),)),) if text else ()
    fields = read_level(raw, "systemInstruction")
    parts = read_list(fields["parts"], "systemInstruction.parts") if "parts" in fields else [raw]
    texts: list[Part] = []
    for at, part in enumerate(parts):
        place = f"systemInstruction.parts[{at}]"
        inner = read_level(part, place)
        if set(inner) - {"text", "role"} or "text" not in inner:
            raise BadRequest(f'`{place}` must be {{"text": ...}}: instructions are text only.')
        if text := read_body(inner["text"], str, f"{place}.text"):
            texts.append(Text(text))
    return (Turn("system", tuple(texts)),) if texts else ()


class Reading:
    """Reads the contents of one request. Calls are numbered through all of it."""

    def __init__(self) -> None:
        self._open: list[ToolCall] = []
        self._made_up: set[str] = set()
        self._own: dict[str, Fields] = {}

    def read(self, contents: Raw) -> Iterator[Turn]:
        """The turns. Google's own library keeps each chunk of a stream as a content: one after another they are one
        turn of the model."""
        waiting: _Sent = []
        for at, raw in enumerate(read_list(contents, "contents")):
            role, sent = self._content(raw, f"contents[{at}]")
            if role == "assistant" and not any(_RESULT_KIND in fields for _, fields, _ in sent):
                _add_chunk(waiting, sent)
                continue
            yield from self._group(waiting, "assistant")
            waiting = []
            yield from self._turns(role, sent)
        yield from self._group(waiting, "assistant")

    @staticmethod
    def _content(raw: Raw, place: str) -> tuple[Role, _Sent]:
        fields = read_level(raw, place)
        content = read_shape(fields, Content, place)
        role = _ROLES.get((content.role or "user").lower())
        if role is None:
            raise BadRequest(
                f"`{place}.role` is {content.role!r}. Send user or model; instructions go into `systemInstruction`."
            )
        if "parts" not in fields:
            raise BadRequest(f'`{place}` has no `parts`. Send {{"role": "user", "parts": [{{"text": ...}}]}}.')
        sent = [
            (raw_part, read_level(raw_part, f"{place}.parts[{at}]"), f"{place}.parts[{at}]")
            for at, raw_part in enumerate(read_list(content.parts, f"{place}.parts"))
        ]
        return role, sent

    def _turns(self, role: Role, sent: _Sent) -> Iterator[Turn]:
        results = [entry for entry in sent if _RESULT_KIND in entry[1]]
        others = [entry for entry in sent if _RESULT_KIND not in entry[1]]
        if role == "user":
            yield from self._group(results, "tool")
            yield from self._group(others, role)
        else:
            # Some clients put the result into the model's own turn, behind its call.
            start = sent.index(results[0]) if results else len(sent)
            yield from self._group(sent[:start], role)
            yield from self._group(results, "tool")
            yield from self._group([entry for entry in sent[start:] if entry not in results], role)

    def _group(self, sent: _Sent, role: Role) -> Iterator[Turn]:
        if not sent:
            return
        parts = [part for raw, fields, place in sent for part in self._parts(raw, fields, role, place)]
        lossy = role != "assistant" and any(_MARKS & set(fields) for _, fields, _ in sent)
        extras = {PARTS: Raw(msgspec.json.encode([raw for raw, _, _ in sent]))} if lossy else pack_calls(self._own)
        self._own = {}
        yield Turn(role, tuple(_join_thoughts(parts)), extras=extras)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _parts(self, raw: Raw, fields: Fields, role: Role, place: str) -> Iterable[Part]:
        kinds = [name for name in _KINDS if name in fields]
        if len(kinds) > 1:
            raise BadRequest(f"`{place}` holds {' and '.join(kinds)}. Send each as a part of its own.")
        if role != "assistant" and (unknown := sorted(set(fields) - _KNOWN - _MARKS)):
            raise BadRequest(
                f"`{place}` holds {', '.join(unknown)}, which cannot be passed on. "
                "Parts are text, inlineData, fileData, functionCall or functionResponse."
            )
        match kinds:
            case ["text"]:
                return _words(fields, place)
            case ["inlineData"] | ["fileData"]:
                return (_media(fields, place),)
            case ["functionCall"]:
                return (self._call(fields, role, place),)
            case ["functionResponse"]:
                return (self._result(fields["functionResponse"], f"{place}.functionResponse"),)
            case _ if role == "assistant" and fields:
                # Doings of the provider's own tools, and a signature with nothing else.
                return _opaque(raw, fields, place)
        raise BadRequest(f'`{place}` is empty. Send {{"text": ...}}, or leave it out.')

    def _call(self, fields: Fields, role: Role, place: str) -> ToolCall:
        place = f"{place}.functionCall"
        if role != "assistant":
            raise BadRequest(f"`{place}` is in a turn of the user; only a turn of the model can hold calls.")
        inner = read_level(fields["functionCall"], place)
        entry = read_shape(inner, CallEntry, place)
        if not entry.name:
            raise BadRequest(f'`{place}` names no function. Send {{"name": ..., "args": {{...}}}}.')
        arguments = bytes(entry.args).decode()
        if arguments and not arguments.startswith("{"):
            raise BadRequest(f"`{place}.args` must be an object.")
        id = entry.id or f"call_{len(self._made_up)}"
        if not entry.id:
            self._made_up.add(id)
        call = ToolCall(id, entry.name, arguments or "{}", seal=seal.take_call_seal(_signature(fields, place)))
        self._open.append(call)
        self._keep(id, inner, _CALL)
        return call

    def _result(self, raw: Raw, place: str) -> ToolResult:
        inner = read_level(raw, place)
        entry = read_shape(inner, ResultEntry, place)
        texts, error = _read_response(entry.response, f"{place}.response")
        sent = given(entry.parts)
        media = [
            _media(read_level(part, f"{place}.parts[{at}]"), f"{place}.parts[{at}]")
            for at, part in enumerate(read_list(sent, f"{place}.parts") if sent is not None else ())
        ]
        call_id = self._answered(entry, place)
        self._keep(call_id, inner, _RESULT)
        return ToolResult(call_id, (*texts, *media), error=error, name=entry.name or "")

    def _keep(self, call_id: str, sent: Fields, known: frozenset[str]) -> None:
        if own := own_fields(sent, known):
            self._own[call_id] = own

    def _answered(self, entry: ResultEntry, place: str) -> str:
        """The id of the call that a result answers: the one it names, else the oldest of its name, else the oldest."""
        named = [call for call in self._open if call.id == entry.id]
        others = [call for call in self._open if not entry.id or call.id in self._made_up]
        found = next(iter(named or [call for call in others if call.name == entry.name] or others), None)
        if found is not None:
            self._open.remove(found)
            return found.id
        if not entry.id:
            raise BadRequest(f"`{place}` answers no call: no `functionCall` before it is without a result.")
        return entry.id


def _add_chunk(said: _Sent, sent: _Sent) -> None:
    """Adds a chunk to those before it. Words go on where the last ones ended."""
    if said and sent and said[-1][1].keys() == sent[0][1].keys() == {"text"}:
        _, last, place = said[-1]
        text = read_body(last["text"], str, f"{place}.text") + read_body(sent[0][1]["text"], str, f"{sent[0][2]}.text")
        fields = {"text": Raw(msgspec.json.encode(text))}
        said[-1] = (Raw(msgspec.json.encode(fields)), fields, place)
        sent = sent[1:]
    said += sent


def _words(fields: Fields, place: str) -> Iterator[Part]:
    text = read_body(fields["text"], str, f"{place}.text")
    signature = _signature(fields, place)
    wrapped = seal.unpack(signature)
    if bytes(fields.get("thought", MISSING)) == b"true":
        if wrapped is not None:
            yield Thought(wrapped.text or text, wrapped.bench_seal)
        elif text or signature:
            yield Thought(text, seal.seal_signature(signature))
        return
    if text:
        yield Text(text)
    if wrapped is not None:
        yield Thought(wrapped.text, wrapped.bench_seal)
    elif signature and text:
        yield Thought("", seal.seal_signature(signature, on_text=True))
    elif signature:
        yield Thought("", seal.seal_part(Raw(msgspec.json.encode({"text": "", "thoughtSignature": signature}))))


def _media(fields: Fields, place: str) -> Media:
    for name in ("inlineData", "fileData"):
        if name in fields:
            inner = f"{place}.{name}"
            level = read_level(fields[name], inner)
            if name == "fileData":
                return read_file(read_shape(level, FileData, inner), inner)
            return read_blob(read_shape(level, Blob, inner), inner)
    raise BadRequest(f"`{place}` must hold `inlineData` or `fileData`.")


def _opaque(raw: Raw, fields: Fields, place: str) -> Iterator[Part]:
    wrapped = seal.unpack(_signature(fields, place))
    yield Thought(wrapped.text, wrapped.bench_seal) if wrapped is not None else Thought("", seal.seal_part(raw))


def _join_thoughts(parts: list[Part]) -> Iterator[Part]:
    """Streamed reasoning comes back as many parts, the last one with a seal and maybe no words: they are one
    thought."""
    waiting: list[str] = []
    for part in parts:
        if isinstance(part, Thought) and part.seal is None:
            waiting.append(part.text)
            continue
        words, waiting = "".join(waiting), []
        own = seal.open_seal(part.seal) if isinstance(part, Thought) else None
        if isinstance(part, Thought) and not part.text and own is not None and not own.on_text and own.signature:
            part = Thought(words, part.seal)
        elif words and not (isinstance(part, Thought) and part.text == words):
            yield Thought(words)
        yield part
    if waiting:
        yield Thought("".join(waiting))


def _signature(fields: Fields, place: str) -> str:
    raw = fields.get("thoughtSignature")
    return read_body(raw, str, f"{place}.thoughtSignature") if raw is not None else ""


def _read_response(raw: Raw, place: str) -> tuple[tuple[Text, ...], bool]:
    """(words, whether they tell of a failure) of a result: its plain text where it has just that, else its JSON."""
    sent = bytes(raw)
    if not sent:
        return (), False
    if sent.startswith(b'"'):
        text = read_body(raw, str, place)
        return ((Text(text),) if text else ()), False
    try:
        fields = msgspec.json.decode(sent, type=dict[str, Raw])
    except msgspec.DecodeError:
        return (Text(sent.decode()),), False
    word = next(iter(fields), "")
    if len(fields) == 1 and word in _PLAIN_WORDS and bytes(fields[word]).startswith(b'"'):
        text = read_body(fields[word], str, f"{place}.{word}")
        return ((Text(text),) if text else ()), word == "error"
    return (Text(sent.decode()),), word == "error" and len(fields) == 1
