"""The rows of the operations' pages: what curators run, and what everybody of the team may see of it."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import Row

OPERATIONS: Final[dict[str, Row]] = {}
"""By route, as in the table."""
