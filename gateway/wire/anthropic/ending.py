"""Why an answer ended: the words of this API, the few that others bring into it, and back."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.event import Closed, Event, Finish, Note

_MEANING = {
    "end_turn": Finish.STOP,
    "pause_turn": Finish.STOP,
    "compaction": Finish.STOP,
    "stop": Finish.STOP,
    "stop_sequence": Finish.STOP_SEQUENCE,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "length": Finish.LENGTH,
    "tool_use": Finish.TOOL_USE,
    "tool_calls": Finish.TOOL_USE,
    "refusal": Finish.REFUSAL,
    "content_filter": Finish.CONTENT_FILTER,
    "content_filtered": Finish.CONTENT_FILTER,
    "guardrail_intervened": Finish.CONTENT_FILTER,
    "sensitive": Finish.CONTENT_FILTER,
}
_OWN = ("end_turn", "pause_turn", "compaction", "stop_sequence", "max_tokens", "model_context_window_exceeded")
_WORD = {
    Finish.STOP: "end_turn",
    Finish.STOP_SEQUENCE: "stop_sequence",
    Finish.LENGTH: "max_tokens",
    Finish.TOOL_USE: "tool_use",
    Finish.CONTENT_FILTER: "refusal",
    Finish.REFUSAL: "refusal",
}


class Ending:
    """What a reader has learned of why its answer ends. The last word wins."""

    def __init__(self) -> None:
        self.native = ""
        self._sequence = ""

    def take(self, reason: str | None, sequence: str | None) -> None:
        """A reason and the stop sequence that was met, where they are given."""
        self.native = reason or self.native
        self._sequence = sequence or self._sequence

    def close(self, *, calls: int) -> Iterator[Event]:
        """The last events. A finish that calls for tools needs a call, and a call needs such a finish."""
        finish = _MEANING.get(self.native.lower(), Finish.STOP)
        if finish is Finish.TOOL_USE and not calls:
            yield Note("anomaly", "The provider ended for a tool call and made none; read as a plain stop.")
            finish = Finish.STOP
        elif calls and finish in (Finish.STOP, Finish.STOP_SEQUENCE):
            finish = Finish.TOOL_USE
        yield Closed(finish, self.native, self._sequence)


def stop_reason(closed: Closed) -> str:
    """The `stop_reason` that callers know: the provider's own where it is one of this API's and says no less."""
    if closed.native in _OWN and _MEANING[closed.native] is closed.finish:
        return closed.native
    return _WORD[closed.finish]
