"""Whether a request may be put to a collection at all: scope and reply mode. Pure."""

from __future__ import annotations

from typing import Final

from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest, Forbidden
from gateway.canon.names import read_collection
from gateway.engine.snapshot import Caller, CollectionView

SERVED_MODES: Final = ("all", "merged", "route", "choices")
"""The reply modes this server answers in."""
SIDE_BY_SIDE: Final = frozenset({"openai_chat"})
"""The formats that have a place for several answers to one request."""


def refuse_out_of_scope(caller: Caller, collection: CollectionView) -> None:
    """Raises Forbidden when the caller's key does not open this collection."""
    if caller.may_call(collection.name):
        return
    mine = ", ".join(f"bench/{name}" for name in sorted(caller.scope or ())) or "nothing"
    raise Forbidden(
        f"Key {caller.name} may not call {collection.full_name}. It may call {mine}.",
        code="out_of_scope",
    )


def reply_mode(ask: Ask, named: str, collection: CollectionView) -> str:
    """How the request is answered: its own `bench.reply`, else the suffix of the full name `named`, else the
    collection's setting."""
    _, suffix = read_collection(named)
    return (ask.bench.reply or None) or suffix or collection.reply or "all"


def refuse_other_modes(ask: Ask, collection: CollectionView, mode: str) -> None:
    """Raises BadRequest when this server does not answer in this mode, the caller's format has no place for it, or a
    panel cannot take such a request."""
    if mode not in SERVED_MODES:
        served = ", ".join(f"{collection.full_name}:{name}" for name in SERVED_MODES)
        raise BadRequest(f"This server does not answer in mode {mode!r}. Ask {served}.", code="reply_mode")
    if mode == "choices" and ask.protocol not in SIDE_BY_SIDE:
        raise BadRequest(
            "This format has room for one answer, and mode 'choices' gives one a seat. "
            f"Ask {collection.full_name}:all or {collection.full_name}:merged.",
            code="reply_mode",
        )
    if ask.agentic and mode != "route":
        raise BadRequest(
            "This request carries tools or tool results, which the seats of a panel cannot use. "
            f"Send it without them, or in route mode, as {collection.full_name}:route.",
            code="tools_in_panel",
        )
