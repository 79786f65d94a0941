"""Whether a model can take a request at all: pure. What it carries beside text, and who takes that."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.kinds import ModelRole
from gateway.canon.text_documents import text_of
from gateway.engine.snapshot import ModelView, Snapshot

MEDIA_FACTS: Final = {
    "image": ("vision", "images"),
    "document": ("documents", "documents"),
    "audio": ("audio", "audio"),
}
"""By kind of media: the fact that says who takes it, and what people call it."""


class Load(Struct, frozen=True):
    """What a request carries beside text: the number of images, and the kinds of media in it."""

    images: int
    kinds: tuple[str, ...]


NOTHING: Final = Load(0, ())


def read_load(ask: Ask) -> Load:
    """What the request asks of eyes and ears. A document that is text asks nothing: it can be sent as words."""
    media = ask.media
    if not media:
        return NOTHING
    kinds = [one.kind for one in media if text_of(one) is None]
    return Load(kinds.count("image"), tuple(kind for kind in MEDIA_FACTS if kind in kinds))


def unfit_for_panel(alias: str, snapshot: Snapshot, load: Load) -> str:
    """Why this model cannot take this request, or nothing."""
    model = snapshot.models.get(alias)
    if model is None:
        return "no model has this alias"
    if model.retired:
        why = f": {model.retired_why}" if model.retired_why else ""
        return f"retired on {model.retired_on}{why}; restore it to seat it again"
    if model.guarded:
        return model.guarded_why
    if model.role == ModelRole.DECISION:
        return "a decision model gives typed answers and never sits"
    if load.kinds:
        return cannot_take(model, load)
    if model.role == ModelRole.VISION:
        return "a vision specialist sits only when the request carries images"
    return ""


def cannot_take(model: ModelView, load: Load) -> str:
    """Why this model does not take what the request carries beside text, or nothing."""
    for kind in load.kinds:
        fact, words = MEDIA_FACTS[kind]
        known: bool | None = getattr(model, fact)
        if known is None:
            return f"it is not known whether this model takes {words}; set its {fact} fact if it does"
        if not known:
            return f"does not take {words} ({model.sources.get(fact, 'catalogue')})"
    return ""
