"""Conversations with their turns, and the shadows of some."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from benchwarmers.tests.performance.big.house import House
from benchwarmers.tests.performance.big.pour import pour
from benchwarmers.tests.performance.big.words import answers, sentence
from benchwarmers.tests.performance.big.work import Asked, Piece
from gateway.models import Conversation, Shadow, Turn

TOOLS = ("Read", "Edit", "Bash", "Grep", "Glob")
SHADOWED = 0.08
LONG = 1_500
"""Turns of one conversation that went on for days."""


def pour_talks(house: House) -> tuple[list[Asked], list[Piece]]:
    """Conversations whose lengths differ much; one turn of twenty fails over to another member."""
    rng, amounts = house.rng, house.amounts
    lengths = [
        max(1, int(rng.expovariate(amounts.conversations / amounts.turns))) for _ in range(amounts.conversations)
    ]
    lengths[-1] = min(LONG, amounts.turns // 4)
    calls: list[Asked] = []
    pieces: list[Piece] = []
    talks: list[tuple[Any, ...]] = []
    turns: list[tuple[Any, ...]] = []
    shadows: list[tuple[Any, ...]] = []
    places = rng.choices(range(len(house.keys)), house.weights(), k=amounts.conversations)
    starts = sorted(house.back() - timedelta(hours=13) for _ in lengths)
    for number, (began, length, place) in enumerate(zip(starts, lengths, places, strict=True)):
        key, where = house.keys[place], house.scope[place]
        name, task = f"r{began:%Y%m%d-%H%M%S}-{number:05x}", sentence(rng, 11)[:120]
        members = house.members[where.pk][:2]
        ended = began + timedelta(seconds=30 * length)
        talks.append((name, key.owner_id, key.pk, key.name, where.pk, where.name, "anthropic", task, began, ended))
        for chair, model in enumerate(members[: min(length, 2)], 1):
            pieces.append(Piece(model.pk, where.pk, where.name, "route", "", f"{name}.{chair}", "ok", began))
        for step in range(1, length + 1):
            at, over = began + timedelta(seconds=30 * step), step > 1 and rng.random() < 0.05
            chair = 2 if over else 1
            model, call = members[chair - 1], f"{name}.{chair}"
            turns.append((name, step, call, model, at, rng.uniform(1, 20), members[0].alias if over else "", rng))
            calls.append(Asked(at, model, place, where.name, "route", call, "ok", True))
            if rng.random() < SHADOWED:
                other = rng.choice(house.models)
                shadows.append((f"{name}.shadow{step}", name, step, other, at, model.alias))
                calls.append(Asked(at, other, place, where.name, "shadow", f"{name}.shadow{step}", "ok", False))
                pieces.append(Piece(other.pk, where.pk, where.name, "shadow", "", f"{name}.shadow{step}", "ok", at))
    columns = (
        *("id", "owner", "key", "caller", "collection", "collection_name", "protocol", "task"),
        *("started_at", "last_at"),
    )
    pour(Conversation, columns, talks)
    _pour_turns(turns)
    _pour_shadows(house, shadows)
    return calls, pieces


def _pour_turns(turns: list[tuple[Any, ...]]) -> None:
    columns = (
        *("conversation", "number", "call", "alias", "language_model", "at", "status", "seconds", "first_token_s"),
        *("tool_calls", "finish", "tokens_in", "tokens_out", "tried"),
    )

    def rows() -> Iterator[tuple[Any, ...]]:
        for name, step, call, model, at, seconds, failed, rng in sorted(turns, key=lambda turn: turn[4]):
            tools = [rng.choice(TOOLS) for _ in range(rng.randint(0, 3))]
            tried = [{"alias": failed, "error": "429 from harbour: rate limit reached"}] if failed else []
            first = seconds / 6
            told = (tools, "tool_use" if tools else "stop", 2_400 + 80 * step, 220, tried)
            yield name, step, call, model.alias, model.pk, at, "ok", seconds, first, *told

    pour(Turn, columns, rows())


def _pour_shadows(house: House, shadows: list[tuple[Any, ...]]) -> None:
    said = answers(house.rng, 60)
    columns = (
        *("call", "conversation", "number", "alias", "language_model", "why", "at", "status", "seconds", "proposal"),
        *("member", "beside"),
    )

    def rows() -> Iterator[tuple[Any, ...]]:
        for call, name, step, model, at, member in shadows:
            one, other = ({"text": house.rng.choice(said), "reasoning": "", "calls": []} for _ in range(2))
            yield call, name, step, model.alias, model.pk, "its work is oldest", at, "ok", 8.2, one, member, other

    pour(Shadow, columns, rows())
