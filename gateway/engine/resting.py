"""Who must rest after a refusal, and how long: the model that was refused, or every model that is paid from the same
purse."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gateway.canon.blanks import blank_evidence
from gateway.canon.fault import NotSent, UpstreamFault
from gateway.engine.classify import account_wide, rate_limited
from gateway.engine.records import Rest
from gateway.engine.retry import LONGEST_WAIT_S
from gateway.engine.snapshot import ModelView

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

DEFAULT_REST_S: Final = 1_800.0
UNKNOWN_CONNECTION: Final = "?"
FREE_MARK: Final = ":free"
"""How relays end the names of models that cost nothing."""


def note_rest(bench: Bench, model: ModelView, fault: UpstreamFault | None) -> None:
    """A rate limit makes the model rest: as long as the provider said, else half an hour. Where an account is used up,
    every paid model of its connection rests."""
    if fault is None or isinstance(fault, NotSent):
        return
    wide = account_wide(fault)
    if not wide and not rate_limited(fault):
        return
    now = bench.clock()
    stated = fault.wait is not None
    seconds = DEFAULT_REST_S if fault.wait is None else fault.wait
    until = now + timedelta(seconds=seconds)
    models = same_purse(model, bench.catalogue.latest.models.values()) if wide else [model]
    resting = bench.recency.resting(bench.catalogue.latest.cooling)
    for one in models:
        if one is not model and resting.get(one.alias, 0.0) >= until.timestamp():
            continue
        bench.recency.note_rest(one.alias, until.timestamp(), barred=stated and seconds > LONGEST_WAIT_S)
        bench.recorder.put(Rest(one.id, now, until, stated, blank_evidence(fault.message)))


def same_purse(model: ModelView, models: Iterable[ModelView]) -> list[ModelView]:
    """The models that are paid from the same account as this one, itself in front: those of its endpoint and connection
    that are not free. Behind a hub that does not say what stands behind it, nobody else."""
    if model.connection == UNKNOWN_CONNECTION:
        return [model]
    others = [
        other
        for other in models
        if other.alias != model.alias
        and (other.endpoint.id, other.connection) == (model.endpoint.id, model.connection)
        and not other.retired
        and not _free(other)
    ]
    return [model, *others]


def _free(model: ModelView) -> bool:
    priced = [model.prices.get("input"), model.prices.get("output")]
    return model.served.endswith(FREE_MARK) or priced == [0, 0]
