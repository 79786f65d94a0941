"""A panel as one file that opens anywhere, without a network and without scripts: a page to be read, and in it the same
as data, with digests by which either can be checked later. Pure, but for the template.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.template.loader import render_to_string

from benchwarmers.dashboard.cards import Board, Card
from collections_app.models import Verdict

FORMAT: Final = "benchwarmers-panel"
VERSION: Final = 1
STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}"
    "h1,h2,h3,h4{line-height:1.25}article,section{border-top:1px solid GrayText;padding:.5rem 0}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dd{margin:0;overflow-wrap:anywhere}"
    "pre,.asked{white-space:pre-wrap;overflow-wrap:anywhere}table{border-collapse:collapse}"
    "td,th{border:1px solid GrayText;padding:.2rem .5rem;text-align:left}code{font-family:ui-monospace,monospace}"
)
"""The file has no other sheet; its policy names this one by its digest."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of the file: the card, and the digest of its answer."""

    card: Card
    sha256: str


def write_file(board: Board, *, made: datetime) -> str:
    """The whole page, for a board that is not covered. `made` is when."""
    told = tell(board)
    digest = digest_of(told)
    data = {"format": FORMAT, "version": VERSION, "made_at": made.isoformat(), "sha256": digest, "panel": told}
    chairs = [Chair(card, sha256(card.seat.answer)) for card in board.cards]
    context = {
        "board": board,
        "panel": board.panel,
        "chairs": chairs,
        "data": data,
        "digest": digest,
        "prompt_digest": told["prompt_sha256"],
        "made": made,
        "style": STYLE,
        "style_digest": base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode(),
    }
    return render_to_string("panels/file.html", context)


def tell(board: Board) -> dict[str, Any]:
    """The panel as data: texts as they are, times in ISO 8601, seconds, digests of the texts in hex."""
    panel = board.panel
    return {
        "id": panel.pk,
        "collection": panel.collection_name,
        "asked_by": panel.owner.get_username() if panel.owner else panel.caller,
        "protocol": panel.protocol,
        "reply": panel.reply,
        "shape": panel.shape,
        "shape_by": panel.shape_by,
        "state": panel.state,
        "started_at": panel.started_at.isoformat(),
        "finished_at": panel.finished_at.isoformat() if panel.finished_at else None,
        "system": panel.system,
        "prompt": panel.prompt,
        "prompt_sha256": sha256(panel.prompt),
        "skipped": panel.skipped,
        "left_out": panel.left_out,
        "seats": [_seat(card) for card in board.cards],
    }


def digest_of(told: Mapping[str, Any]) -> str:
    """SHA-256 of the data as JSON with its keys sorted and nothing between its parts, in UTF-8."""
    return sha256(json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def sha256(text: str) -> str:
    """Of a text in UTF-8, in hex; what no UTF-8 can say is written as JSON would escape it."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _seat(card: Card) -> dict[str, Any]:
    seat = card.seat
    return {
        "call": seat.call,
        "place": seat.place,
        "label": seat.label,
        "model": seat.alias,
        "connection": seat.connection,
        "scripted": card.scripted,
        "why": seat.why,
        "status": seat.status,
        "seconds": seat.seconds,
        "first_token_s": seat.first_token_s,
        "tokens_in": seat.tokens_in,
        "tokens_out": seat.tokens_out,
        "finish": seat.finish,
        "error": seat.error,
        "notes": seat.notes,
        "reasoning": seat.reasoning,
        "answer": seat.answer,
        "answer_sha256": sha256(seat.answer),
        "verdicts": _verdicts(card.verdicts),
    }


def _verdicts(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    return [
        {
            "judge": one.judge_name,
            "useful": one.useful,
            "blind": one.blind,
            "note": one.note,
            "real": one.real,
            "false": one.false,
            "at": one.at.isoformat(),
        }
        for one in verdicts
    ]
