"""A whole answer: the fold of its events, and the events again from a whole answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Raw, Struct

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Finish,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.fault import Fault

ReplyPart = Text | Thought | Refusal | ToolCall


class Reply(Struct, frozen=True):
    """An answer in whole. `usage` is None when the provider did not say; `finish` is None when the answer did not end;
    `fault` is set when it failed, and the parts are then what had come before. `choices` are the texts of further
    answers beside the first, where a format shows several, and `finishes` why each of them ended; empty for all
    others."""

    parts: tuple[ReplyPart, ...] = ()
    model: str = ""
    id: str = ""
    usage: Usage | None = None
    finish: Finish | None = None
    native: str = ""
    sequence: str = ""
    fault: Fault | None = None
    notes: tuple[Note, ...] = ()
    bench: Raw | None = None
    choices: tuple[str, ...] = ()
    finishes: tuple[Finish, ...] = ()

    @property
    def text(self) -> str:
        """The answer a person reads, a declared refusal included."""
        parts = self.parts
        if len(parts) == 1 and type(parts[0]) is Text:  # as nearly every answer, and asked for many times
            return parts[0].text
        return "".join([part.text for part in parts if isinstance(part, Text | Refusal)])

    @property
    def refusal(self) -> str:
        return "".join([part.text for part in self.parts if type(part) is Refusal])

    @property
    def reasoning(self) -> str:
        return "".join([part.text for part in self.parts if type(part) is Thought])

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if type(part) is ToolCall])


class Fold:
    """Takes events one by one; `reply()` is what they amount to so far. Parts keep the order in which they first
    appeared."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, int], list[str]] = {}
        self._seals: dict[tuple[str, int], Raw | None] = {}
        self._tools: dict[int, ToolOpened] = {}
        self._opened = Opened()
        self._usage: Usage | None = None
        self._closed: Closed | None = None
        self._fault: Fault | None = None
        self._notes: list[Note] = []
        self._choices: dict[int, list[str]] = {}
        self._finishes: dict[int, Finish] = {}

    @property
    def usage(self) -> Usage | None:
        """The tokens told so far, without a look at the words."""
        return self._usage

    def feed_all(self, events: Iterable[Event]) -> None:
        """The same for several."""
        texts, feed = self._texts, self.feed
        for event in events:
            if type(event) is TextDelta and not (event.choice or event.refusal or event.finish):  # as nearly all are
                texts.setdefault(("text", event.part), []).append(event.text)
            else:
                feed(event)

    def feed(self, event: Event) -> None:
        match event:
            case TextDelta():
                self._feed_words(event)
            case ThoughtDelta(text=text, part=part, seal=seal):
                self._texts.setdefault(("thought", part), []).append(text)
                if seal is not None:
                    self._seals["thought", part] = seal
            case ToolOpened(part=part):
                self._texts.setdefault(("tool", part), [])
                self._tools[part] = event
            case ArgsDelta(part=part, text=text):
                self._texts.setdefault(("tool", part), []).append(text)
            case Opened():
                self._opened = event
            case Usage():
                self._usage = event.bounded()
            case Note():
                self._notes.append(event)
            case Closed():
                self._closed = event
            case Failed(fault=fault):  # pragma: no branch
                self._fault = fault

    def _feed_words(self, event: TextDelta) -> None:
        if event.finish is not None:
            self._finishes[event.choice] = event.finish
        if event.choice:
            self._choices.setdefault(event.choice, []).append(event.text)
            return
        self._texts.setdefault(("refusal" if event.refusal else "text", event.part), []).append(event.text)

    def reply(self) -> Reply:
        closed = self._closed
        finish = closed.finish if closed else None
        further = range(1, max(self._choices) + 1) if self._choices else ()
        return Reply(
            parts=tuple([part for key, pieces in self._texts.items() if (part := self._part(key, "".join(pieces)))]),
            model=self._opened.model,
            id=self._opened.id,
            usage=self._usage,
            finish=self._finishes.get(0, finish) if closed else None,
            native=closed.native if closed else "",
            sequence=closed.sequence if closed else "",
            fault=self._fault,
            notes=tuple(self._notes),
            bench=closed.bench if closed else None,
            choices=tuple(["".join(self._choices.get(at, ())) for at in further]),
            finishes=tuple([self._finishes.get(at, finish or Finish.STOP) for at in further if self._finishes]),
        )

    def _part(self, key: tuple[str, int], text: str) -> ReplyPart | None:
        kind, index = key
        if kind == "text":
            return Text(text) if text else None
        if kind == "tool":
            opened = self._tools.get(index)
            if opened is None:
                return None
            return ToolCall(opened.call_id, opened.name, text, opened.custom, opened.seal)
        if kind == "thought":
            seal = self._seals.get(key)
            return Thought(text, seal) if text or seal is not None else None
        return Refusal(text) if text else None


def fold(events: Iterable[Event]) -> Reply:
    """The whole answer that these events make."""
    folding = Fold()
    folding.feed_all(events)
    return folding.reply()


def unfold(reply: Reply) -> Iterator[Event]:
    """Events that fold back into `reply`."""
    if reply.model or reply.id:
        yield Opened(reply.model, reply.id)
    yield from reply.notes
    for index, part in enumerate(reply.parts):
        yield from _unfold_part(part, index)
    for choice, text in enumerate(reply.choices, start=1):
        yield TextDelta(text, choice=choice, finish=reply.finishes[choice - 1] if reply.finishes else None)
    if reply.usage is not None:
        yield reply.usage
    if reply.fault is not None:
        yield Failed(reply.fault)
    elif reply.finish is not None:
        yield Closed(reply.finish, reply.native, reply.sequence, reply.bench)


def _unfold_part(part: ReplyPart, index: int) -> Iterator[Event]:
    match part:
        case Text(text=text):
            yield TextDelta(text, index)
        case Refusal(text=text):
            yield TextDelta(text, index, refusal=True)
        case Thought(text=text, seal=seal):
            yield ThoughtDelta(text, index, seal)
        case ToolCall():  # pragma: no branch
            yield ToolOpened(index, part.id, part.name, part.custom, part.seal)
            if part.arguments:
                yield ArgsDelta(index, part.arguments)
