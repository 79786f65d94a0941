"""What one model answered, and what the person says of it."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.judged import Judgeable, find_judgeable
from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.dashboard.verdicts import Draft, record_draft
from collections_app.refusal import Problems, Refused

RUNS: Final = "This seat has not finished; judge it when it has."
BOTH: Final = "Say whether it was useful, or withdraw: not both."


class Said(Struct):
    """A verdict as the form of the page has it: what is left out is empty. `withdraw` takes the person's own back.
    With `blind` who answered is hidden from the person until all of the panel is judged."""

    call: str
    useful: bool | None = None
    note: str = ""
    real: list[str] | str = ""
    false: list[str] | str = ""
    withdraw: bool = False
    blind: bool = False


class SeatView(ApiView):
    """GET /api/gateway-seat."""

    @asks("call", "blind")
    def get(self, asked: Asked) -> Response:
        """One answer with the person's verdict; with `blind=1` covered, as for whoever judges blind."""
        problems = Problems()
        problems.check(bool(asked.get("call")), "call", "Name the call, as the bench object of a reply has it.")
        problems.check(asked.get("blind", "") in ("", "0", "1"), "blind", "It is 1, or left out.")
        problems.refuse()
        found = find_judgeable(self.person, asked["call"], blind=asked.get("blind") == "1")
        return self.done(**_told(found))


class VerdictView(ApiView):
    """POST /api/verdict."""

    @takes(Said)
    def post(self, said: Said) -> Response:
        """Record it in place of an earlier one of this person."""
        found = find_judgeable(self.person, said.call, blind=said.blind)
        problems = Problems()
        problems.check(found.finished, "call", RUNS)
        problems.check(not (said.withdraw and said.useful is not None), "withdraw", BOTH)
        problems.refuse()
        draft = Draft(said.useful, said.note, _lines(said.real), _lines(said.false), withdraw=said.withdraw)
        if why := record_draft(self.person, found.real, draft, blind=found.hidden):
            raise Refused([("useful" if said.useful is None else "", sentence) for sentence in why])
        after = find_judgeable(self.person, found.real, blind=said.blind)
        return self.done(call=after.call, recorded=_verdict(after))


def _told(found: Judgeable) -> dict[str, Any]:
    return {
        **{"call": found.call, "model": found.model, "at": found.at, "prompt": found.prompt, "seat": found.seat},
        **{"alias": found.alias, "status": found.status, "seconds": found.seconds, "answer": found.answer},
        **{
            "error": found.error,
            "calls": list(found.calls),
            **_verdict(found),
            "finished": found.finished,
            "hidden": found.hidden,
        },
    }


def _verdict(found: Judgeable) -> dict[str, Any]:
    """The person's own; `useful` is None where they said nothing."""
    mine = found.mine
    if mine is None:
        return {"useful": None, "note": "", "real": [], "false": []}
    return {"useful": mine.useful, "note": mine.note, "real": mine.real, "false": mine.false}


def _lines(said: list[str] | str) -> str:
    """One claim a line, as the form has them."""
    return said if isinstance(said, str) else "\n".join(" ".join(claim.split()) for claim in said)
