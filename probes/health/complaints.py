"""What the daily check has to say about models that stay: the alerts of the check itself, and those about retirements
that are coming or held. Pure. A model that is in one of the second has none of the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from collections_app.actions.alert import Raised
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import AlertKind
from probes.health.renamed import OPENWEBUI
from probes.health.retire import Decision, Fate

CHECKER: Final = "served-check"
RETIRER: Final = "auto-retire"
OFF: Final = "it would be retired if that were done automatically"

SAID: Final[Mapping[str, tuple[AlertKind, str]]] = {
    FailureClass.STRUCTURAL: (AlertKind.RETIRED, "its provider knows no model of that name"),
    FailureClass.PAYWALLED: (AlertKind.RETIRED, "its provider serves it for money only"),
    FailureClass.ENTITLEMENT: (AlertKind.PLAN, "the account may not call it"),
    FailureClass.OTHER: (AlertKind.REGISTRATION, "it fails in a way nobody knows"),
}
"""The failures that need somebody's action. All others pass by themselves, or are those of a key."""


class Standing(Struct, frozen=True):
    """How a model stands after the check. `key` names it among alerts; `missing_on` is the day since when it is not
    listed, `answers` that it has answered since, `never_listed` that it never was; `failure` and `detail` are those of
    the last question, if it was not answered and says something of the model."""

    key: str
    alias: str
    served: str
    endpoint: str
    hub: str
    connection: str
    decision: Decision
    missing_on: str = ""
    answers: bool = False
    never_listed: bool = False
    failure: str = ""
    detail: str = ""


def complaints_of(standings: Iterable[Standing], *, auto: bool) -> tuple[list[Raised], list[Raised]]:
    """(alerts of the check, alerts about retirements). `auto` is whether models are retired automatically."""
    checked: list[Raised] = []
    retiring: list[Raised] = []
    held: dict[str, list[Standing]] = defaultdict(list)
    for one in standings:
        if one.decision.fate is Fate.HELD:
            held[one.connection].append(one)
        elif (coming := _coming(one, auto=auto)) is not None:
            retiring.append(coming)
        elif (wrong := _wrong(one)) is not None:
            checked.append(wrong)
    retiring += [_connection_down(name, models) for name, models in sorted(held.items())]
    return checked, retiring


def _coming(one: Standing, *, auto: bool) -> Raised | None:
    fate, why, days = one.decision.fate, one.decision.why, one.decision.days
    if fate is Fate.RENAMED:
        return _about(one, AlertKind.REGISTRATION, why)
    if fate is Fate.COUNTING and auto:
        left = "tomorrow" if days == 1 else f"in {days} days"
        return _about(one, AlertKind.RETIRING, f"will be retired {left} unless it answers: {why}")
    if fate in (Fate.RETIRE, Fate.CONFIRM) and not auto:
        return _about(one, AlertKind.RETIRED, f"{why}; {OFF}")
    return None


def _wrong(one: Standing) -> Raised | None:
    if one.never_listed:
        return _about(
            one, AlertKind.REGISTRATION, f"was never listed by {one.endpoint} as {one.served}: check the name"
        )
    if one.missing_on and one.answers:
        words = f"is not listed by {one.endpoint} since {one.missing_on}, but answers all the same"
        return _about(one, AlertKind.REGISTRATION, words)
    if one.missing_on:
        hub = ", or its connection there was changed" if one.hub == OPENWEBUI else ""
        return _about(
            one, AlertKind.RETIRED, f"is not listed by {one.endpoint} since {one.missing_on}: it is gone{hub}"
        )
    kind, words = SAID.get(one.failure, (None, ""))
    if kind is None:
        return None
    return _about(one, kind, f"fails: {words}" + (f" ({one.detail})" if one.detail else ""))


def _connection_down(connection: str, models: list[Standing]) -> Raised:
    aliases = tuple(sorted(one.alias for one in models))
    return Raised(
        f"connection:{connection}",
        AlertKind.CONNECTION,
        f"All models of {connection} are down, so none of these was retired: {', '.join(aliases)}.",
        connection=connection,
        aliases=aliases,
    )


def _about(one: Standing, kind: AlertKind, words: str) -> Raised:
    return Raised(
        one.key, kind, f"{one.alias} {words}.", alias=one.alias, endpoint=one.endpoint, connection=one.connection
    )
