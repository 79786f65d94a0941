"""What a provider's refusal means: pure decisions from status, code, headers and body to a Fault with its failure class
and wait.

Structure first: the provider's own words for it (codes, types, reasons), then the status. Texts are read only in bodies
that came as errors, and only where no such word decides; and in one kind of answer, the notice in place of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from gateway.canon.fault import NEVER_FITS, ErrorInReply, FailureClass, Notice, Rejected, UpstreamFault
from gateway.engine.error_words import error_of, plain, words_of
from gateway.engine.failure_words import ACCOUNT_WIDE, DECISIVE, GENERAL, NOTICES, RATE_LIMITS, STATUSES, TEXTS
from gateway.engine.limit_bodies import never_fits, text_of, told_in_body, wait_in
from gateway.engine.limit_headers import LONGEST_WAIT_S, TOO_MANY, told_in_headers, waits_in

_REDIRECTS: Final = range(300, 400)
_READ: Final = 400
_NOTICE_CAP: Final = 400
_TOO_LARGE: Final = 413
_UNPAID: Final = 402
_PARTLY: Final = re.compile(r"can only afford|fewer max_tokens", re.I)
_NO_QUOTA: Final = re.compile(r'"quotaValue"\s*:\s*"?0"?\s*[,}]|\blimit: 0\b')


def classify(status: int, code: str, message: str, words: Iterable[str] = ()) -> FailureClass:
    """The failure class of an error: `words` are those of its body, the most specific first, as `words_of` has them.
    A status of 0 stands for none."""
    said = [*words, plain(code)]
    for word in said:
        if word in DECISIVE:
            return DECISIVE[word]
    if status == 401:
        return FailureClass.SIGNIN
    if status < 500:
        start = message[:_READ].lower()
        for failure, pattern in TEXTS:
            if pattern.search(start):
                return failure
    if status in STATUSES:
        return STATUSES[status]
    general = next((GENERAL[word] for word in said if word in GENERAL), None)
    if general is not None:
        return general
    return FailureClass.CAPACITY if status >= 500 else FailureClass.OTHER


def rejected(status: int, headers: Mapping[str, str], message: str, code: str, body: bytes, now: datetime) -> Rejected:
    """The fault for an HTTP error from an upstream. A redirect counts as one: it is named, never followed."""
    if status in _REDIRECTS:
        target = headers.get("location", "nowhere")
        message = (
            f"the endpoint redirects to {target[:200]}; redirects are not followed, so set that address on the endpoint"
        )
    text = text_of(message, body)
    failure = classify(status, code, message, words_of(error_of(body)))
    if status == TOO_MANY and failure is FailureClass.CAPACITY and _NO_QUOTA.search(text):
        failure = FailureClass.ENTITLEMENT  # a limit of nothing is no limit that passes
    hopeless = never_fits(text)
    return Rejected(
        f"{status}: {message}",
        upstream_status=status,
        provider_code=code,
        code=NEVER_FITS if hopeless else "",
        wait=None if hopeless else _wait(status, headers, message, body, text, now),
        body=body[:4_000].decode("utf-8", "replace"),
        failure=failure,
    )


def understand(fault: UpstreamFault) -> None:
    """Reads the class and the wait of an error that came inside a reply: whoever read the reply knows its format, not
    what its words mean."""
    if not isinstance(fault, ErrorInReply):
        return
    if fault.failure is FailureClass.OTHER:
        fault.failure = classify(fault.upstream_status or 0, fault.provider_code, fault.message)
    if fault.wait is None and fault.failure is FailureClass.CAPACITY:
        fault.wait = wait_in(fault.message)


def rate_limited(fault: UpstreamFault) -> bool:
    """True for a limit that passes: asking again later makes sense, and asking at once does not."""
    if fault.code == NEVER_FITS or fault.upstream_status == _TOO_LARGE:
        return False
    return fault.upstream_status == TOO_MANY or plain(fault.provider_code) in RATE_LIMITS


def account_wide(fault: UpstreamFault) -> bool:
    """True when it is the account that has nothing left, so that every paid model of the connection is refused alike. A
    request that only costs more than what is left is that request's matter."""
    named = plain(fault.provider_code) in ACCOUNT_WIDE
    return (named or fault.upstream_status == _UNPAID) and not _PARTLY.search(fault.message)


def stated_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the provider asked to wait, by `retry-after-ms` or `retry-after` (seconds, a duration or a date), at most
    a day."""
    wait = waits_in(headers, now.timestamp())
    return None if wait is None else min(wait, LONGEST_WAIT_S)


def notice_in(text: str) -> Notice | None:
    """The fault for an answer that is really a provider's credit or quota notice."""
    if len(text.strip()) > _NOTICE_CAP:
        return None
    lowered = text.lower()
    for phrase in NOTICES:
        if phrase in lowered:
            return Notice(f"the provider sent a notice ({phrase!r}) in place of an answer: {text.strip()[:200]}")
    return None


def _wait(status: int, headers: Mapping[str, str], message: str, body: bytes, text: str, now: datetime) -> float | None:
    """A header's word, else the body's, else the time at which the last of the used-up limits is whole again."""
    wait = stated_wait(headers, now)
    if wait is None:
        wait = wait_in(text)
    if wait is not None or status != TOO_MANY:
        return wait
    at = now.timestamp()
    told = [*told_in_headers(headers.items(), status, "", at), *told_in_body(status, body, message, at)]
    resets = [round(one.reset_at - at, 3) for one in told if one.remaining == 0 and one.reset_at is not None]
    wait = max((left for left in resets if left > 0), default=None)
    return None if wait is None else min(wait, LONGEST_WAIT_S)
