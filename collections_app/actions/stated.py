"""The facts an operator states of a model. They win over every other source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from collections_app.facts import CAPABILITIES, FIELDS, LIMIT_AXES, NUMBERS, PRICE_AXES, TEXTS, is_price
from collections_app.journal import Journal, journal, require
from collections_app.models import Fact, LanguageModel
from collections_app.refusal import Problems

TOPIC = "models"
OPERATOR = "operator"
LARGEST = 1_000_000_000
_PRICES = f"prices holds USD per million tokens, from 0 on and with at most six decimals, for {', '.join(PRICE_AXES)}."


def do_state_facts(*, actor: User | None, model: LanguageModel, stated: Mapping[str, Any]) -> None:
    """Make the operator's facts of the model be exactly these; a null or missing value is no longer stated.

    :raises Refused: with every value that cannot be.
    """
    require(actor, "collections_app.change_languagemodel", "state facts")
    problems = Problems()
    facts = check_facts(stated, problems)
    problems.refuse()
    with journal(actor, TOPIC) as log:
        write_facts(log, model, facts or {})


def check_facts(stated: Mapping[str, Any] | None, problems: Problems) -> dict[str, Any] | None:
    """The facts that say something, each checked. None stays None."""
    if stated is None:
        return None
    facts = {field: value for field, value in stated.items() if value is not None and value != "" and value != {}}
    for field, value in facts.items():
        problems.add(field, _problem(field, value))
    return {field: " ".join(value.split()) if field in TEXTS else value for field, value in facts.items()}


def write_facts(log: Journal, model: LanguageModel, facts: Mapping[str, Any]) -> None:
    """Replace the operator's facts of this model by these, which were checked."""
    present = {fact.field: fact for fact in model.facts.filter(source=OPERATOR)}
    for field in FIELDS:
        before = present[field].value if field in present else None
        after = facts.get(field)
        if before == after and type(before) is type(after):
            continue
        log.note("model", model.alias, field, old=before, new=after)
        if after is None:
            present[field].delete()
        else:
            Fact.objects.update_or_create(language_model=model, field=field, source=OPERATOR, defaults={"value": after})


def _problem(field: str, value: Any) -> str:
    if field in NUMBERS:
        return "" if _positive(value) else f"{field} is a whole number above 0."
    if field in CAPABILITIES:
        return "" if isinstance(value, bool) else f"{field} is true or false."
    if field in TEXTS:
        fits = isinstance(value, str) and len(" ".join(value.split())) <= TEXTS[field]
        return "" if fits else f"{field} is text of at most {TEXTS[field]} characters."
    if field == "limits":
        fits = isinstance(value, dict) and all(axis in LIMIT_AXES and _positive(most) for axis, most in value.items())
        return "" if fits else f"limits holds whole numbers above 0 for {', '.join(LIMIT_AXES)}."
    if field == "prices":
        fits = isinstance(value, dict) and all(axis in PRICE_AXES and is_price(price) for axis, price in value.items())
        return "" if fits else _PRICES
    return f"{field} is no fact of a model; known are {', '.join(FIELDS)}."


def _positive(value: Any) -> bool:
    return type(value) is int and 0 < value <= LARGEST
