"""Why an answer ended: the words of this API, by name or by number, and back."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.event import Closed, Event, Finish, Note
from gateway.canon.fault import ErrorInReply
from gateway.wire.gemini.shape import Candidate, Feedback

_MEANING = {
    "STOP": Finish.STOP,
    "MAX_TOKENS": Finish.LENGTH,
    "SAFETY": Finish.CONTENT_FILTER,
    "RECITATION": Finish.CONTENT_FILTER,
    "LANGUAGE": Finish.CONTENT_FILTER,
    "BLOCKLIST": Finish.CONTENT_FILTER,
    "PROHIBITED_CONTENT": Finish.CONTENT_FILTER,
    "SPII": Finish.CONTENT_FILTER,
    "MODEL_ARMOR": Finish.CONTENT_FILTER,
    "IMAGE_SAFETY": Finish.CONTENT_FILTER,
    "IMAGE_PROHIBITED_CONTENT": Finish.CONTENT_FILTER,
    "IMAGE_RECITATION": Finish.CONTENT_FILTER,
}
_FAILURES = frozenset(
    (
        *("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"),
        *("MALFORMED_RESPONSE",),
    )
)
_NUMBERED = (
    *("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER", "BLOCKLIST"),
    *("PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL", "MODEL_ARMOR"),
)
"""Reasons by their number, as the one server counts them that sends numbers."""

_BLOCKS = ("", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "MODEL_ARMOR")
_UNSAID = ("", "BLOCK_REASON_UNSPECIFIED")
_WORD = {
    Finish.STOP: "STOP",
    Finish.STOP_SEQUENCE: "STOP",
    Finish.LENGTH: "MAX_TOKENS",
    Finish.TOOL_USE: "STOP",
    Finish.CONTENT_FILTER: "SAFETY",
    Finish.REFUSAL: "SAFETY",
}


class Ending:
    """What a reader has learned of why its answer ends. The last word wins."""

    def __init__(self) -> None:
        self.native = ""
        self._message = ""

    @property
    def failure(self) -> ErrorInReply | None:
        """The failure that the reason stands for, where it does."""
        if self.native not in _FAILURES:
            return None
        told = self._message or "and said no more"
        return ErrorInReply(f"The model ended with {self.native}: {told}", provider_code=self.native)

    def take(self, candidate: Candidate) -> None:
        """A candidate that gives a reason."""
        self.native = _by_name(candidate.finish_reason, _NUMBERED)
        self._message = candidate.finish_message or ""

    def close(self, *, calls: int) -> Iterator[Event]:
        """The last events. This API has no reason of its own for calls."""
        finish = _MEANING.get(self.native.upper(), Finish.STOP)
        if calls and finish is Finish.STOP:
            finish = Finish.TOOL_USE
        elif self._message and finish is not Finish.STOP:
            yield Note("finish", self._message)
        yield Closed(finish, self.native)


def blocked(feedback: Feedback | None) -> ErrorInReply | None:
    """The failure of a prompt that was not let through to the model."""
    reason = _by_name(feedback.block_reason, _BLOCKS) if feedback is not None else ""
    if feedback is None or reason in _UNSAID:
        return None
    told = f": {feedback.block_reason_message}" if feedback.block_reason_message else ""
    return ErrorInReply(f"The prompt was blocked by Gemini's filters ({reason}){told}", provider_code=reason)


def finish_reason(closed: Closed) -> str:
    """The `finishReason` that callers know: the provider's own where it is one of this API's."""
    if _MEANING.get(closed.native) is closed.finish:
        return closed.native
    return _WORD[closed.finish]


def finish_message(closed: Closed) -> str:
    """What the reason leaves unsaid, for people; empty where it says all."""
    if closed.finish is Finish.REFUSAL:
        return "The model declined to answer."
    if closed.finish is Finish.STOP_SEQUENCE:
        return f"The model met the stop sequence {closed.sequence}".rstrip()
    return ""


def _by_name(reason: str | int | None, names: tuple[str, ...]) -> str:
    if isinstance(reason, int):
        return names[reason] if 0 <= reason < len(names) else str(reason)
    return reason or ""
