"""Money as the pages of usage and quotas write it."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Final

from django import template

from collections_app.budgets import NANO

register = template.Library()

_FINE: Final = Context(prec=2)
_CENT: Final = NANO // 100


@register.filter
def dollars(nano: int | None) -> str:
    """$1 234.56, below a cent its first two digits, as $0.00035; a dash when unknown."""
    if nano is None:
        return "–"
    whole = Decimal(nano) / NANO
    if nano == 0 or abs(nano) >= _CENT:
        return f"${whole:,.2f}".replace(",", "\u202f")
    return f"${_FINE.plus(whole).normalize():f}"
