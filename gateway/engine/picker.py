"""Asks what kind of work a request is, so that fitting explorers are seated. It never holds a panel for longer than two
seconds, and never fails one: without an answer the work is general, and `shape_by` says why.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from gateway.canon.fault import UpstreamFault
from gateway.engine.call import run_call
from gateway.engine.order import Order
from gateway.engine.picker_call import DecisionOrder, decide
from gateway.engine.picker_plan import (
    QUESTION_ID,
    Picked,
    Picker,
    accept,
    chat_ask,
    failed,
    find_picker,
    question,
    read_chat,
    read_state,
)
from gateway.engine.snapshot import Caller, CollectionView, DecisionView, ModelView, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

PATIENCE_S: Final = 2.0
PURPOSE: Final = "picker"


async def pick_shape(
    bench: Bench, snapshot: Snapshot, caller: Caller, collection: CollectionView, system: str, prompt: str
) -> Picked:
    """The shape of a panel whose collection has none, and who says so. Raises nothing but a cancellation."""
    picker = find_picker(snapshot)
    if isinstance(picker, Picked):
        return picker
    if bench.recency.resting(snapshot.cooling).get(picker.alias, 0.0) > bench.clock().timestamp():
        return failed(picker.alias, "resting after a rate limit")
    state = read_state(system, prompt)
    known = bench.picks.recall(picker, state, _now())
    if known is not None:
        return known
    try:
        choice, confidence = await _ask(bench, picker, caller, collection.name, state)
    except UpstreamFault as fault:
        told = failed(picker.alias, fault.message)
        bench.picks.note_failure(picker, told, _now())
        return told
    picked = accept(picker.alias, choice, confidence)
    bench.picks.keep(picker, state, picked, _now())
    return picked


async def _ask(bench: Bench, picker: Picker, caller: Caller, collection: str, state: str) -> tuple[str, float]:
    """(choice, confidence). Raises UpstreamFault."""
    if isinstance(picker, DecisionView):
        return await _ask_decider(bench, picker, caller, collection, state)
    return await _ask_chat(bench, picker, caller, collection, state)


async def _ask_decider(
    bench: Bench, picker: DecisionView, caller: Caller, collection: str, state: str
) -> tuple[str, float]:
    order = DecisionOrder(picker, state, {QUESTION_ID: question()}, caller, collection, PURPOSE, PATIENCE_S)
    answer = (await decide(bench, order)).answers[QUESTION_ID]
    return answer.choice or "", answer.confidence or 0.0


async def _ask_chat(bench: Bench, picker: ModelView, caller: Caller, collection: str, state: str) -> tuple[str, float]:
    ask = chat_ask(picker, state)
    outcome = await run_call(bench, Order(picker, ask, caller, collection, "", PATIENCE_S, PURPOSE, retries=0))
    if outcome.fault is not None:
        raise outcome.fault
    return read_chat(outcome.reply.text)


def _now() -> float:
    return asyncio.get_running_loop().time()
