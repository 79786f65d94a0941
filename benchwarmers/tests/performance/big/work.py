"""Panels with their seats, evidence, verdicts and settled claims."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any, NamedTuple

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import answers, prompts, sentence
from collections_app.models import ClaimGroup, ClaimSeat, Evidence, LanguageModel, Verdict
from gateway.canon.kinds import Shape
from gateway.models import Panel, Seat

JUDGED = 0.3
SHAPES = tuple(Shape)[:7]


class Asked(NamedTuple):
    """A call that the ledger will have: when, of which model, by which key (its place), for which collection."""

    at: datetime
    model: LanguageModel
    key: int
    collection: str
    purpose: str
    seat: str
    status: str
    first: bool


class Piece(NamedTuple):
    """A piece of work: what evidence says of it."""

    model_id: int
    collection_id: int
    collection: str
    kind: str
    shape: str
    call: str
    status: str
    at: datetime


def pour_panels(house: House) -> tuple[list[Asked], list[Piece]]:
    """Panels of three to five seats, one of a hundred interrupted, the newest two running."""
    rng = house.rng
    asked, said = prompts(rng, 200), answers(rng, 400)
    times = sorted(house.back() for _ in range(house.amounts.panels))
    keys = rng.choices(range(len(house.keys)), house.weights(), k=len(times))
    calls: list[Asked] = []
    pieces: list[Piece] = []
    panels: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    for number, (at, place) in enumerate(zip(times, keys, strict=True)):
        key, where = house.keys[place], house.scope[place]
        running = number >= len(times) - 2
        name, shape = f"p{at:%Y%m%d-%H%M%S}-{number:05x}", rng.choice(SHAPES).value
        state = "running" if running else "interrupted" if number % 100 == 50 else "done"
        ended = None if running else at + timedelta(seconds=rng.uniform(2, 40))
        prompt = rng.choice(asked)
        panels.append((name, key.owner_id, key.pk, key.name, where.pk, where.name, prompt, shape, state, at, ended))
        sitting = _sit(house, where.pk)
        for chair, (label, model) in enumerate(sitting, 1):
            call = f"{name}.{label.replace(' ', '')}{chair}"
            status = "asked" if running else rng.choices(("ok", "error", "empty"), (90, 7, 3))[0]
            seconds = round(rng.uniform(0.8, 34), 2)
            answer = rng.choice(said) if status == "ok" else ""
            seats.append((call, name, chair, label, model, status, answer, seconds, at))
            if running:
                continue
            calls.append(Asked(at, model, place, where.name, "", call, status, chair == 1))
            pieces.append(Piece(model.pk, where.pk, where.name, "seat", shape, call, status, at))
    _pour_panels(panels)
    _pour_seats(seats)
    return calls, pieces


def _sit(house: House, collection: int) -> list[tuple[str, LanguageModel]]:
    rng = house.rng
    sitting = [("member", model) for model in house.members[collection][: rng.choice((2, 3, 3, 4))]]
    if rng.random() < 0.5:
        sitting.append(("explorer", rng.choice(house.models)))
    return sitting


def _pour_panels(panels: list[tuple[Any, ...]]) -> None:
    columns = (
        *("id", "owner", "key", "caller", "collection", "collection_name", "prompt", "shape", "state"),
        *("started_at", "finished_at", "protocol", "shape_by"),
    )
    pour(Panel, columns, ((*row, "chat completions", "set on the collection") for row in panels))


def _pour_seats(seats: list[tuple[Any, ...]]) -> None:
    columns = (
        *("call", "panel", "place", "label", "alias", "language_model", "connection", "why", "status", "answer"),
        *("seconds", "first_token_s", "tokens_in", "tokens_out", "finished_at"),
    )

    def rows() -> Iterator[tuple[Any, ...]]:
        for call, panel, place, label, model, status, answer, seconds, at in seats:
            ended = None if status == "asked" else at + timedelta(seconds=seconds)
            why = "first in the collection" if label == "member" else "not asked for 12 days, longest of those that fit"
            told = (status, answer, seconds, seconds / 6 if answer else None, 900, len(answer) // 4, ended)
            yield call, panel, place, label, model.alias, model.pk, model.connection, why, *told

    pour(Seat, columns, rows())


def pour_evidence(house: House, pieces: list[Piece]) -> None:
    """The pieces in the order of their time; of a share of them a second row that carries the verdicts, and those."""
    rng, ids = house.rng, count(1)
    verdicts: list[tuple[Any, ...]] = []
    rows: list[tuple[Any, ...]] = []
    for number, piece in enumerate(sorted(pieces, key=lambda one: one.at)):
        judged = rng.random() < JUDGED
        work = (*piece[:6], f"Task {number % 900} of many", piece.status)
        rows.append((next(ids), *work, None, 0, 0, 0, not judged, piece.at))
        if not judged:
            continue
        judges = rng.sample(house.people, 2 if rng.random() < 0.2 else 1)
        said = [rng.random() < 0.4 + (piece.model_id % 50) / 100 for _ in judges]
        at = piece.at + timedelta(hours=rng.uniform(0.1, 30))
        real, false = rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 0, 1))
        rows.append((next(ids), *work, sum(said) / len(said), len(judges), real, false, True, min(at, house.now)))
        for judge, useful in zip(judges, said, strict=True):
            holds, fails = ([sentence(rng, 9) for _ in range(many)] for many in (real, false))
            note = sentence(rng, 7) if number % 4 == 0 else ""
            verdicts.append((piece.call, judge.pk, judge.username, useful, note, holds, fails, min(at, house.now)))
    columns = (
        *("id", "language_model", "collection", "collection_name", "kind", "shape", "call", "task", "status"),
        *("useful", "judges", "real_claims", "false_claims", "current", "at"),
    )
    pour(Evidence, columns, rows)
    pour(Verdict, ("call", "judge", "judge_name", "useful", "note", "real", "false", "at"), verdicts)


def pour_claims(house: House, calls: list[Asked]) -> None:
    """One settled claim on a panel of eight, of two of its seats."""
    rng, ids = house.rng, count(1)
    groups: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    firsts = [place for place, call in enumerate(calls) if call.first and not call.purpose]
    for place in firsts[::8]:
        one, other = calls[place], calls[place + 1]
        text, number = sentence(rng, 9), next(ids)
        groups.append((number, one.seat.rpartition(".")[0], text, "maya", one.at))
        seats += [(number, one.seat, text), (number, other.seat, f"{text} indeed")]
    pour(ClaimGroup, ("id", "panel", "text", "by", "at"), groups)
    pour(ClaimSeat, ("group", "call", "text"), seats)
