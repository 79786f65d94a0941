"""Which rows a record points to that are no longer there. Sync; runs in the recorder's thread."""

from __future__ import annotations

import msgspec
from django.contrib.auth import get_user_model
from django.db.models import Model

from collections_app.models import Collection, GatewayKey, LanguageModel
from gateway.engine.records import PanelOpened, Record, SeatRow


def _targets() -> dict[str, type[Model]]:
    return {
        "owner_id": get_user_model(),
        "key_id": GatewayKey,
        "collection_id": Collection,
        "language_model_id": LanguageModel,
    }


def without_missing(record: Record) -> Record:
    """The record without the references that would be refused; those that hold stay, a panel keeps its owner."""
    missing: dict[str, object] = {
        name: None
        for name, model in _targets().items()
        if name in record.__struct_fields__ and _is_gone(model, getattr(record, name))
    }
    if isinstance(record, PanelOpened):
        missing["seats"] = tuple(_seat(seat) for seat in record.seats)
    return msgspec.structs.replace(record, **missing)


def _seat(seat: SeatRow) -> SeatRow:
    gone = _is_gone(LanguageModel, seat.language_model_id)
    return msgspec.structs.replace(seat, language_model_id=None) if gone else seat


def _is_gone(model: type[Model], pk: int | None) -> bool:
    return pk is not None and not model._default_manager.filter(pk=pk).exists()
