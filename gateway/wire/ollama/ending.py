"""Why an answer ended, in Ollama's few words for it. What they leave unsaid stands beside them, in the fields that
chat completions use for the same."""

from __future__ import annotations

from gateway.canon.event import Closed, Finish
from gateway.wire.ollama.shape import Line

_MEANING = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.CONTENT_FILTER,
    "refusal": Finish.REFUSAL,
}
_WORD = {
    Finish.STOP: "stop",
    Finish.STOP_SEQUENCE: "stop",
    Finish.LENGTH: "length",
    Finish.TOOL_USE: "stop",
    Finish.CONTENT_FILTER: "content_filter",
    Finish.REFUSAL: "refusal",
}


def read_ending(line: Line, *, calls: int) -> Closed:
    """What the last line says. A call makes a plain stop one for tools."""
    word = line.done_reason or ""
    native, sequence = line.native_finish_reason or word, line.stop_reason or ""
    finish = _MEANING.get(word.lower(), Finish.STOP)
    if finish is Finish.STOP and (sequence or native == Finish.STOP_SEQUENCE):
        finish = Finish.STOP_SEQUENCE
    if calls and finish in (Finish.STOP, Finish.STOP_SEQUENCE):
        finish = Finish.TOOL_USE
    return Closed(finish, native, sequence)


def done_reason(finish: Finish) -> str:
    """The word that callers know."""
    return _WORD[finish]


def finer_word(closed: Closed) -> str:
    """What that word leaves unsaid: the provider's own, or the canon's for a stop sequence; empty otherwise."""
    if closed.finish is Finish.STOP_SEQUENCE and not closed.sequence:
        return str(closed.finish)
    return "" if closed.native == _WORD[closed.finish] else closed.native
