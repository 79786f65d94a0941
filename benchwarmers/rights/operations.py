"""The rows of the operations' pages: what curators run, and what everybody of the team may see of it."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import ANYONE, Row

SIGN_IN: Final = "collections_app.add_endpoint"

OPERATIONS: Final[dict[str, Row]] = {
    "operations:sign-ins": Row(read=SIGN_IN),
    "operations:sign-in-begin": Row(write=SIGN_IN),
    "operations:sign-in-app": Row(write=SIGN_IN),
    "operations:sign-in-session": Row(read=SIGN_IN),
    "operations:sign-in-look": Row(write=SIGN_IN),
    "operations:sign-in-end": Row(write="collections_app.change_endpoint"),
    "operations:connect": Row(read=ANYONE),  # the session's id is the credential, and works once
    "operations:connect-by-path": Row(read=ANYONE),
}
"""By route, as in the table."""
