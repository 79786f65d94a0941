"""Everything that can go wrong, as a tree whose leaves carry the decision.

    Fault
    ├── CallerFault                 the caller must change the request
    │   ├── BadRequest       400
    │   ├── Unauthenticated  401
    │   ├── Forbidden        403
    │   ├── NotFound         404
    │   ├── WrongMethod      405
    │   ├── TooLarge         413
    │   ├── WrongMedia       415
    │   └── RateLimited      429    a limit of this gateway; `wait` says how long
    ├── GatewayFault                the gateway cannot serve it
    │   ├── Unavailable      503
    │   └── Internal         500
    └── UpstreamFault               a provider, or the way to it, failed
        ├── NotSent                 nothing was sent: no key, bad address, refused by pacing
        ├── Unreachable             no connection, or it was reset before a reply
        ├── Rejected                an HTTP error; `upstream_status` says which
        ├── ErrorInReply            an error inside a 200, or a failed stream event
        ├── Broken                  the reply was cut, garbled, oversized or not of its protocol
        ├── Silent                  nothing within the deadline
        └── Notice                  a provider's own quota or credit notice in place of an answer

Statuses and waits are carried as numbers; nothing is ever parsed back out of the text, which is for people.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from msgspec import Raw

LONGEST = 4_000


class FailureClass(StrEnum):
    """What a failed call says about a model. Drives advice, cooling and retirement."""

    TIMEOUT = "timeout"
    SIGNIN = "signin"
    STRUCTURAL = "structural"
    PAYWALLED = "paywalled"
    ENTITLEMENT = "entitlement"
    CAPACITY = "capacity"
    EMPTY = "empty"
    OTHER = "other"


class Fault(Exception):
    """A failure with a status for the caller (`status`), a message for people and, where known, `wait` in seconds until
    a new try makes sense. `code` is a machine-readable word for the same thing, or empty; `details` an object, as raw
    JSON, that clients of the caller's API look for in this refusal. Messages may quote what was sent, so they are cut
    at LONGEST characters."""

    default_status: ClassVar[int] = 500

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        wait: float | None = None,
        code: str = "",
        details: Raw | None = None,
    ) -> None:
        message = message if len(message) <= LONGEST else f"{message[:LONGEST]}…"
        super().__init__(message)
        self.message = message
        self.status = status if status is not None else self.default_status
        self.wait = wait
        self.code = code
        self.details = details

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self.message, self.status))


class CallerFault(Fault):
    """The request must change."""

    default_status = 400


class BadRequest(CallerFault):
    """The body cannot be used as it is."""


class Unauthenticated(CallerFault):
    """No usable key came with the request."""

    default_status = 401


class Forbidden(CallerFault):
    """The key, the host or the origin may not do this."""

    default_status = 403


class NotFound(CallerFault):
    """No such thing, or none that this caller may see."""

    default_status = 404


class WrongMethod(CallerFault):
    """The path exists under another method."""

    default_status = 405


class TooLarge(CallerFault):
    """The body, or the prompt, is larger than what can take it."""

    default_status = 413


class WrongMedia(CallerFault):
    """The body is not declared as JSON."""

    default_status = 415


class RateLimited(CallerFault):
    """A limit set in this gateway is used up."""

    default_status = 429


class GatewayFault(Fault):
    """The gateway itself cannot serve the request."""


class Unavailable(GatewayFault):
    """Nobody can be seated, or a part of the gateway is down."""

    default_status = 503


class Internal(GatewayFault):
    """A defect. The log has the trace; the caller gets none of it."""


class UpstreamFault(Fault):
    """A provider's failure.

    `upstream_status` is the provider's HTTP status where there was one, `provider_code` its own error code, `body` the
    start of what it said (kept for the record). `retry` says whether the same call may be tried again, `failure` what
    it means for the model.
    """

    default_status = 502
    retry: ClassVar[bool] = False
    default_failure: ClassVar[FailureClass] = FailureClass.OTHER

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        wait: float | None = None,
        code: str = "",
        upstream_status: int | None = None,
        provider_code: str = "",
        body: str = "",
        failure: FailureClass | None = None,
    ) -> None:
        super().__init__(message, status=status, wait=wait, code=code)
        self.upstream_status = upstream_status
        self.provider_code = provider_code
        self.body = body
        self.failure = failure if failure is not None else self.default_failure

    @property
    def retryable(self) -> bool:
        """May the same call be sent again at once or after `wait`?"""
        return self.retry


class NotSent(UpstreamFault):
    """Nothing left this machine."""


class Unreachable(UpstreamFault):
    """The connection failed before a reply began."""

    retry = True


RETRIED_STATUSES = frozenset({408, 409, 429})
FINAL_CLASSES = frozenset({FailureClass.PAYWALLED, FailureClass.ENTITLEMENT})
NEVER_FITS = "never_fits"
"""The code of a refusal that no wait mends: one request asks for more than the whole limit."""


class Rejected(UpstreamFault):
    """The provider answered with an HTTP error."""

    @property
    def retryable(self) -> bool:
        if self.code == NEVER_FITS or self.failure in FINAL_CLASSES:
            return False
        upstream = self.upstream_status or 0
        return upstream in RETRIED_STATUSES or upstream >= 500


class ErrorInReply(UpstreamFault):
    """The provider said 200 and then told of an error."""


class Broken(UpstreamFault):
    """The reply was cut, garbled, oversized or not of its protocol."""


class Silent(UpstreamFault):
    """Nothing, or not all of it, within the deadline."""

    default_status = 504
    default_failure = FailureClass.TIMEOUT


class Notice(UpstreamFault):
    """A 200 whose text is a quota or credit notice, not an answer."""

    default_failure = FailureClass.ENTITLEMENT
