"""What a model costs, in words and as one of three kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from collections_app.facts import merge
from collections_app.models import Fact, LanguageModel
from gateway.canon.kinds import EndpointKind
from probes.catalog.names import FREE, FREELLMAPI
from probes.models import ConnectionFact

FREE_OF_CHARGE, PAID, UNKNOWN = "free", "paid", "unknown"
_TOLD: Final = ("input", "output")


class Said(NamedTuple):
    """What one source says of a field, as `merge` takes it."""

    field: str
    value: Any
    source: str
    evidence: str = ""


class Priced(NamedTuple):
    """`words` are empty where nobody knows; `million` is USD for a million tokens in and a million out, None without a
    price."""

    kind: str
    words: str
    million: float | None


def load_priced(models: Iterable[LanguageModel]) -> dict[int, Priced]:
    """What each model costs, by its id. Two queries."""
    rows = list(models)
    said: dict[int, list[Said]] = {row.pk: [] for row in rows}
    facts = Fact.objects.filter(field__in=("prices", "limits"), language_model__in=said).order_by()
    for model, *told in facts.values_list("language_model_id", "field", "value", "source", "evidence"):
        said[model].append(Said(*told))
    paid = load_paid()
    return {row.pk: priced(row, said[row.pk], row.connection in paid) for row in rows}


def load_paid() -> frozenset[str]:
    """The connections of which this installation says that they cost money."""
    return frozenset(ConnectionFact.objects.filter(paid=True).values_list("connection", flat=True))


def priced(model: LanguageModel, facts: Iterable[Any], paid: bool) -> Priced:
    """By its facts: those of prices and limits with their evidence. `paid` is whether its connection costs money."""
    rows = list(facts)
    values, _ = merge(rows)
    prices: dict[str, float] = values.get("prices") or {}
    words = price_of(model, values)
    million = sum(prices.get(axis, 0.0) for axis in _TOLD) if prices else 0.0 if words == FREE_OF_CHARGE else None
    if paid:
        return Priced(PAID, words, million)
    if _for_nothing(model) or words == FREE_OF_CHARGE or any(_given(row) for row in rows):
        return Priced(FREE_OF_CHARGE, words or FREE_OF_CHARGE, million or 0.0)
    return Priced(PAID if prices else UNKNOWN, words, million)


def price_of(model: LanguageModel, facts: Mapping[str, Any]) -> str:
    """What a million tokens cost, in and out; `free`, or empty where nobody knows."""
    prices: dict[str, float] = facts.get("prices") or {}
    told = {axis: prices[axis] for axis in _TOLD if axis in prices}
    if told and not any(told.values()):
        return FREE_OF_CHARGE
    if told:
        return " / ".join(f"${told[axis]:,.6g}" if axis in told else "?" for axis in _TOLD)
    return FREE_OF_CHARGE if _for_nothing(model) else ""


def _for_nothing(model: LanguageModel) -> bool:
    return model.endpoint.kind == EndpointKind.LOCAL or model.served.endswith(FREE)


def _given(fact: Any) -> bool:
    """Whether it is a limit under which the model is given away."""
    return bool(fact.field == "limits" and fact.evidence.startswith(FREELLMAPI))
