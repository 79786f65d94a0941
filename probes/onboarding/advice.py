"""What to do about a model that did not answer, by the failure class. Pure."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass


class Advice(Struct, frozen=True):
    """A short label, and what to do next."""

    label: str
    next: str


ADVICE: Final[dict[str, Advice]] = {
    FailureClass.SIGNIN: Advice(
        "The key is refused",
        "Give the endpoint a key that works, or sign in again on its page; then try again.",
    ),
    FailureClass.STRUCTURAL: Advice(
        "The provider knows no such model",
        "It is listed and not served. Retire it, or try again when the provider has it.",
    ),
    FailureClass.PAYWALLED: Advice(
        "No longer free",
        "The free form is gone. Retire it, and take the paid one on if it is worth its price.",
    ),
    FailureClass.ENTITLEMENT: Advice(
        "The account may not call it",
        "See what the provider asks for (a plan, credit, terms to accept); then try again.",
    ),
    FailureClass.CAPACITY: Advice(
        "Busy, or out of quota",
        "Nothing is wrong with the model. The daily probe goes on asking; try again later.",
    ),
    FailureClass.TIMEOUT: Advice(
        "No answer in time",
        "It may be loading or far too busy. The daily probe goes on asking; try again later.",
    ),
    FailureClass.EMPTY: Advice(
        "Empty replies",
        "It may spend its whole budget on thinking: set max_tokens in the model's options, and try again.",
    ),
    FailureClass.OTHER: Advice(
        "It failed in a way of its own",
        "Read the provider's words below; nothing was concluded from them.",
    ),
}


def advice_for(failure: str) -> Advice:
    """What to do about this failure class; one that is none is read by a person."""
    return ADVICE.get(failure, ADVICE[FailureClass.OTHER])
