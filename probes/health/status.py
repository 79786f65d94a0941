"""How a model is, in one vocabulary for every page, list and file. Pure: what was seen goes in, a status comes out.

The first that holds is shown: retired, retiring, not served, never asked, and then what the last tiny question came to.
A tiny question alone decides: a model that is too busy for a large prompt still answers short ones. Real work that was
answered after a failed question says more than the question, so the model counts as healthy again.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass
from gateway.canon.kinds import ModelStatus

TINY: Final = "tiny"
"""The name of the question that decides."""
LONGEST: Final = 300
OK, WARN, ERROR, NEUTRAL = "ok", "warn", "error", "neutral"

BY_FAILURE: Final[dict[str, ModelStatus]] = {
    FailureClass.CAPACITY: ModelStatus.THROTTLED,
    FailureClass.TIMEOUT: ModelStatus.SLOW,
    FailureClass.EMPTY: ModelStatus.EMPTY,
    FailureClass.STRUCTURAL: ModelStatus.NOT_FOUND,
    FailureClass.PAYWALLED: ModelStatus.NO_LONGER_FREE,
    FailureClass.ENTITLEMENT: ModelStatus.NO_ACCESS,
    FailureClass.SIGNIN: ModelStatus.SIGN_IN_AGAIN,
}
"""Every other failure is `failing`."""

TONES: Final[dict[ModelStatus, str]] = {
    ModelStatus.RETIRED: NEUTRAL,
    ModelStatus.RETIRING: ERROR,
    ModelStatus.NOT_SERVED: ERROR,
    ModelStatus.UNTESTED: NEUTRAL,
    ModelStatus.HEALTHY: OK,
    ModelStatus.THROTTLED: WARN,
    ModelStatus.SLOW: WARN,
    ModelStatus.EMPTY: WARN,
    ModelStatus.NOT_FOUND: ERROR,
    ModelStatus.NO_LONGER_FREE: ERROR,
    ModelStatus.NO_ACCESS: ERROR,
    ModelStatus.SIGN_IN_AGAIN: WARN,
    ModelStatus.FAILING: ERROR,
}

PLAIN: Final[dict[ModelStatus, str]] = {
    ModelStatus.RETIRED: "It is off the bench; its record stays.",
    ModelStatus.RETIRING: "It will be retired unless it answers.",
    ModelStatus.NOT_SERVED: "Its endpoint no longer lists it.",
    ModelStatus.UNTESTED: "Nobody has asked it yet.",
    ModelStatus.HEALTHY: "It answered the last time it was asked.",
    ModelStatus.THROTTLED: "It is busy, or a rate limit is used up. This passes.",
    ModelStatus.SLOW: "It did not answer in time.",
    ModelStatus.EMPTY: "It replied without a word: thinking may have used up its budget.",
    ModelStatus.NOT_FOUND: "Its provider knows no model of that name.",
    ModelStatus.NO_LONGER_FREE: "Its provider serves it for money only.",
    ModelStatus.NO_ACCESS: "The account may not call it.",
    ModelStatus.SIGN_IN_AGAIN: "The endpoint's key is refused: enter it anew, or sign in again, on the Endpoints page.",
    ModelStatus.FAILING: "It fails in a way nobody knows; read the provider's words.",
}
"""What each means, where the provider said nothing itself."""

DECLINED: Final = "It answers, but would not answer the probing question."
ACCOUNT_WIDE: Final = "What is used up is the account's, not the model's."


class LastAsked(Struct, frozen=True):
    """What the last tiny question came to. `failure` is a failure class, `detail` the provider's own words; `refusal`
    and `account_wide` are those of a ProbeSample."""

    at: datetime
    answered: bool
    failure: str = ""
    detail: str = ""
    refusal: bool = False
    account_wide: bool = False


class Shown(Struct, frozen=True):
    """A status, why in plain words or the provider's (at most 300 characters), and when that was seen."""

    status: ModelStatus
    why: str
    at: datetime | None = None


def seen_status(
    last: LastAsked | None,
    missing_since: datetime | None = None,
    worked_at: datetime | None = None,
    paid_since: datetime | None = None,
) -> Shown:
    """How the model is, retirement apart. `worked_at` is when real work of it was answered last; `paid_since` when it
    went paid, of one that must not cost money and so is not asked."""
    if missing_since is not None:
        return Shown(ModelStatus.NOT_SERVED, f"Not listed since {missing_since:%Y-%m-%d}.", missing_since)
    if paid_since is not None:
        return Shown(ModelStatus.NO_LONGER_FREE, f"It costs money since {paid_since:%Y-%m-%d}.", paid_since)
    if worked_at is not None and (last is None or worked_at > last.at):
        return Shown(ModelStatus.HEALTHY, PLAIN[ModelStatus.HEALTHY], worked_at)
    if last is None:
        return Shown(ModelStatus.UNTESTED, PLAIN[ModelStatus.UNTESTED])
    if last.answered:
        return Shown(ModelStatus.HEALTHY, PLAIN[ModelStatus.HEALTHY], last.at)
    if last.refusal:
        return Shown(ModelStatus.HEALTHY, DECLINED, last.at)
    status = BY_FAILURE.get(last.failure, ModelStatus.FAILING)
    plain = ACCOUNT_WIDE if last.account_wide else PLAIN[status]
    return Shown(status, (" ".join(last.detail.split()) or plain)[:LONGEST], last.at)


def shown_status(status: str, *, retired: bool, retire_in: int | None) -> ModelStatus:
    """What pages show of a model: its retirement, done or coming, before what was seen of it."""
    if retired:
        return ModelStatus.RETIRED
    return ModelStatus.RETIRING if retire_in is not None else ModelStatus(status)


def label_of(status: ModelStatus, retire_in: int | None = None) -> str:
    """The words on a chip, such as `retiring in 3d`."""
    return f"retiring in {retire_in}d" if status is ModelStatus.RETIRING and retire_in is not None else str(status)
