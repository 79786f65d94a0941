"""Where the style sheets of the pages are."""

from __future__ import annotations

from django import template

from benchwarmers.sheets import sheets_address

register = template.Library()


@register.simple_tag
def style_sheets() -> str:
    """The address of the style sheets of all pages."""
    return sheets_address()
