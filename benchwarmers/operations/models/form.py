"""What an operator types about a model, read into what the actions take, with a sentence for each field that is wrong.
An empty field is not stated. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from collections_app.facts import CAPABILITIES, FIELDS, LIMIT_AXES, NUMBERS, PRICE_AXES, TEXTS
from collections_app.refusal import Problems

YES_NO: Final[Mapping[str, bool]] = {"yes": True, "no": False}
MAX_TOKENS: Final = "max_tokens"


def read_facts(typed: Mapping[str, str], problems: Problems) -> dict[str, Any]:
    """All that is stated, by the names of facts."""
    stated: dict[str, Any] = {}
    for field in NUMBERS:
        stated[field] = _whole(typed, field, problems)
    for field in CAPABILITIES:
        said = typed.get(field, "")
        problems.check(said in {"", *YES_NO}, field, _("%(field)s is yes, no, or not stated.") % {"field": field})
        stated[field] = YES_NO.get(said)
    for field in TEXTS:
        stated[field] = typed.get(field, "").strip()
    stated["limits"] = {axis: _whole(typed, f"limits.{axis}", problems) for axis in LIMIT_AXES}
    stated["prices"] = {axis: _amount(typed, f"prices.{axis}", problems) for axis in PRICE_AXES}
    for field in ("limits", "prices"):
        stated[field] = {axis: value for axis, value in stated[field].items() if value is not None}
    return {field: value for field, value in stated.items() if field in FIELDS and value not in (None, "", {})}


def read_use(typed: Mapping[str, str], options: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    """Role, ad hoc and options: those it has, with the most tokens as typed."""
    ad_hoc = typed.get("ad_hoc", "")
    problems.check(ad_hoc in {"", "on"}, "ad_hoc", _("Ad hoc is on or off."))
    most = _whole(typed, MAX_TOKENS, problems)
    return {
        "role": typed.get("role", ""),
        "ad_hoc": ad_hoc == "on",
        "options": {**options, MAX_TOKENS: most},
    }


def _whole(typed: Mapping[str, str], name: str, problems: Problems) -> int | None:
    text = typed.get(name, "").strip().replace(",", "").replace(" ", "")
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return int(text)
    problems.add(name, _("%(field)s is a whole number.") % {"field": name})
    return None


def _amount(typed: Mapping[str, str], name: str, problems: Problems) -> int | float | None:
    text = typed.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problems.add(name, _("%(field)s is a number of USD per million tokens.") % {"field": name})
        return None
    return int(value) if value.is_integer() else value
