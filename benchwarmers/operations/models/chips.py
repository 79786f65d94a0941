"""The status of a model as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from collections_app.models import LanguageModel
from gateway.canon.kinds import ModelStatus
from probes.health.status import PLAIN, TONES, label_of, shown_status

TONED: Final = {"ok": "ok", "warn": "warn", "error": "err", "neutral": ""}
"""The class of a chip by the tone of a status."""
ORDER: Final = {status: place for place, status in enumerate(ModelStatus)}
NEW: Final = timedelta(days=7)
"""So long after it was taken on a model is new."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A status as pages show it: its words, the class of the chip, and why."""

    label: str
    tone: str
    why: str


def status_of(model: LanguageModel) -> ModelStatus:
    """How it is, its retirement before what was seen of it."""
    return shown_status(model.status, retired=model.retired, retire_in=model.retire_in)


def chip_of(model: LanguageModel) -> Chip:
    """How the model is."""
    status = status_of(model)
    why = model.retired_why if model.retired else model.status_why
    return Chip(label_of(status, model.retire_in), TONED[TONES[status]], why or PLAIN[status])


def is_new(model: LanguageModel, now: datetime) -> bool:
    """Whether it was taken on a short while ago."""
    return not model.retired and model.created_at > now - NEW
