"""Why an answer ended: the status of a response and the reason it is incomplete, both ways.

A cut answer has the status `incomplete`, with the reason, in the event `response.completed`: agents of this API wait
for that event and take any other end, `response.incomplete` among them, for a broken connection.
"""

from __future__ import annotations

from collections.abc import Iterator

from gateway.canon.event import Closed, Event, Finish
from gateway.canon.fault import ErrorInReply
from gateway.wire.errors import error_in_reply
from gateway.wire.openai_responses.shape import Response

COMPLETED, INCOMPLETE = "completed", "incomplete"

_REASONS = {Finish.LENGTH: "max_output_tokens", Finish.CONTENT_FILTER: "content_filter"}
_FINER = frozenset({Finish.STOP_SEQUENCE, Finish.REFUSAL})
_BACKGROUND = frozenset({"queued", "in_progress"})


def read_failure(response: Response) -> ErrorInReply | None:
    """What a response that did not come to an end says; None for one that did."""
    status = response.status or COMPLETED
    if response.error:
        return error_in_reply(response.error)
    if status in _BACKGROUND:
        return ErrorInReply(
            "The provider put the request into its background queue and gave no answer. "
            "Take `background` out of the model's options.",
            provider_code=status,
        )
    if status not in (COMPLETED, INCOMPLETE):
        return ErrorInReply(f"The provider ended the response as {status} and said no more.", provider_code=status)
    return None


def read_ending(response: Response, *, calls: int) -> Iterator[Event]:
    """The last event of a response that came to an end. A call needs a finish that asks for its result."""
    reason = response.incomplete_details.reason if response.incomplete_details is not None else None
    if response.status == INCOMPLETE:
        filtered = reason == _REASONS[Finish.CONTENT_FILTER]
        finish = Finish.CONTENT_FILTER if filtered else Finish.LENGTH
        yield Closed(finish, response.native_finish_reason or reason or INCOMPLETE)
        return
    native = response.native_finish_reason or COMPLETED
    finish = next((finer for finer in _FINER if finer == native), Finish.STOP)
    if calls and finish is not Finish.REFUSAL:
        finish = Finish.TOOL_USE
    yield Closed(finish, native, response.stop_reason or "")


def status_of(finish: Finish) -> str:
    """The status a caller is told."""
    return INCOMPLETE if finish in _REASONS else COMPLETED


def reason_of(finish: Finish) -> str | None:
    """Why the answer is incomplete; None where it is not."""
    return _REASONS.get(finish)


def finer_word(closed: Closed) -> str:
    """What the status leaves unsaid: the provider's own word, or the canon's where the API has none; empty
    otherwise."""
    if closed.finish in _FINER:
        return str(closed.finish)
    return "" if closed.native == (reason_of(closed.finish) or COMPLETED) else closed.native
