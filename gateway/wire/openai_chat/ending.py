"""Why an answer ended: providers' many words for it, and the words callers know."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.event import Closed, Event, Finish, Note
from gateway.wire.openai_chat.shape import Choice

ERROR_MESSAGE = "The provider ended the answer with an error and said no more."

_MEANING = {
    "stop": Finish.STOP,
    "end_turn": Finish.STOP,
    "eos": Finish.STOP,
    "eos_token": Finish.STOP,
    "complete": Finish.STOP,
    "completed": Finish.STOP,
    "stop_sequence": Finish.STOP_SEQUENCE,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "max_output_tokens": Finish.LENGTH,
    "max_length": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "tool_calls": Finish.TOOL_USE,
    "tool_use": Finish.TOOL_USE,
    "function_call": Finish.TOOL_USE,
    "content_filter": Finish.CONTENT_FILTER,
    "content_filtered": Finish.CONTENT_FILTER,
    "safety": Finish.CONTENT_FILTER,
    "sensitive": Finish.CONTENT_FILTER,
    "recitation": Finish.CONTENT_FILTER,
    "blocklist": Finish.CONTENT_FILTER,
    "prohibited_content": Finish.CONTENT_FILTER,
    "guardrail_intervened": Finish.CONTENT_FILTER,
    "refusal": Finish.REFUSAL,
}
_FAILURES = frozenset({"error", "network_error", "abort", "insufficient_system_resource"})
_FINER = frozenset({Finish.STOP_SEQUENCE, Finish.REFUSAL})
_WORD = {
    Finish.STOP: "stop",
    Finish.STOP_SEQUENCE: "stop",
    Finish.LENGTH: "length",
    Finish.TOOL_USE: "tool_calls",
    Finish.CONTENT_FILTER: "content_filter",
    Finish.REFUSAL: "content_filter",
}


class Ending:
    """What a reader has learned of why its answer ends. The last word wins."""

    __slots__ = ("_finish", "_sequence", "native")

    def __init__(self) -> None:
        self.native = ""
        self._finish = Finish.STOP
        self._sequence = ""

    @property
    def failed(self) -> bool:
        """Did the provider end with a word for failure?"""
        return bool(self.native) and self.native.lower() in _FAILURES

    def take(self, choice: Choice) -> None:
        """A choice that gives a reason."""
        word, finer = choice.finish_reason or "", choice.native_finish_reason or ""
        self.native = finer if finer and word.lower() not in _FAILURES else word
        self._finish = _MEANING.get(word.lower(), Finish.STOP)
        meant = _MEANING.get(finer.lower())
        if meant in _FINER and _WORD[meant] == _WORD[self._finish]:
            self._finish = meant
        if isinstance(choice.stop_reason, str) and self._finish in (Finish.STOP, Finish.STOP_SEQUENCE):
            self._finish, self._sequence = Finish.STOP_SEQUENCE, choice.stop_reason

    def close(self, *, calls: int) -> Iterator[Event]:
        """The last events. A finish that calls for tools needs a call, and a call needs such a finish."""
        finish = self._finish
        if finish is Finish.TOOL_USE and not calls:
            yield Note("anomaly", "The provider ended for a tool call and made none; read as a plain stop.")
            finish = Finish.STOP
        elif calls and finish in (Finish.STOP, Finish.STOP_SEQUENCE):
            finish = Finish.TOOL_USE
        yield Closed(finish, self.native, self._sequence)


def finish_word(finish: Finish) -> str:
    """The `finish_reason` that callers know."""
    return _WORD[finish]


def finer_word(closed: Closed) -> str:
    """What the finish word leaves unsaid: the provider's own word, or the canon's where the API has none; empty
    otherwise."""
    if closed.finish in _FINER:
        return str(closed.finish)
    return "" if closed.native == _WORD[closed.finish] else closed.native
