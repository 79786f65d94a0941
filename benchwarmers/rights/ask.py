"""The rows of the pages that ask."""

from __future__ import annotations

from typing import Final

from benchwarmers.rights.rule import SIGNED_IN, Row

MAY_ASK: Final = "gateway.ask"

ASKING: Final[dict[str, Row]] = {
    "ask:ask": Row(read=MAY_ASK, write=MAY_ASK),
    "ask:stream": Row(write=MAY_ASK),
    "ask:code": Row(write=MAY_ASK),
    "ask:recent": Row(read=MAY_ASK),
    "ask:route": Row(read=MAY_ASK, write=MAY_ASK),
    "ask:route-stream": Row(write=MAY_ASK),
    "ask:board": Row(read=SIGNED_IN),
    "ask:stop": Row(write=MAY_ASK),
    "ask:verdict": Row(write="gateway.judge"),
}
"""By route, as in the table. Whose panel it is, is asked by the views."""
