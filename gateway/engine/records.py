"""What is written down: plain values on their way to the database. engine/batch.py writes them, engine/recorder.py
brings them there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct, field

from gateway.canon.event import Usage
from gateway.engine.told import Told


class PanelOpened(Struct, frozen=True):
    """A panel was seated: its row and those of its seats, all asked."""

    id: str
    owner_id: int | None
    key_id: int | None
    caller: str
    collection_id: int
    collection_name: str
    protocol: str
    reply: str
    shape: str
    shape_by: str
    system: str
    prompt: str
    skipped: list[dict[str, str]]
    stamp: str
    process: str
    at: datetime
    seats: tuple[SeatRow, ...] = ()
    left_out: tuple[str, ...] = ()


class SeatRow(Struct, frozen=True):
    """A seat as it stands. Written when the panel is seated and again when the seat is done."""

    call: str
    panel_id: str
    place: int
    label: str
    alias: str
    language_model_id: int
    connection: str
    why: str
    status: str
    until: str = ""
    answer: str = ""
    reasoning: str = ""
    error: str = ""
    failure: str = ""
    upstream_status: int | None = None
    finish: str = ""
    usage: Usage | None = None
    seconds: float = 0.0
    first_token_s: float | None = None
    finished_at: datetime | None = None
    notes: tuple[str, ...] = ()


class Work(Struct, frozen=True):
    """A piece of work for the evidence: unjudged, and enough to judge it by later. With `again` it may be there
    already."""

    call: str
    language_model_id: int
    collection_id: int | None
    collection_name: str
    kind: str
    shape: str
    task: str
    status: str
    at: datetime
    again: bool = False


class PanelClosed(Struct, frozen=True):
    """Every seat of a panel is done."""

    id: str
    at: datetime


class TurnMade(Struct, frozen=True):
    """A turn in route mode is over: a row of its own, and of its conversation when there is none yet. `call`, `alias`
    and the model are empty when nobody answered."""

    conversation_id: str
    call: str
    at: datetime
    done_at: datetime
    turn: int
    alias: str
    language_model_id: int | None
    owner_id: int | None
    key_id: int | None
    caller: str
    collection_id: int | None
    collection_name: str
    protocol: str
    task: str
    status: str
    seconds: float
    first_token_s: float | None
    tool_calls: tuple[str, ...]
    finish: str
    usage: Usage | None
    tried: list[dict[str, str]]
    error: str


class Proposed(Struct, frozen=True):
    """A tool call as a model wrote it."""

    name: str
    arguments: str


class Proposal(Struct, frozen=True):
    """What an answer says and would do."""

    text: str
    reasoning: str
    calls: list[Proposed]


class ShadowMade(Struct, frozen=True):
    """Another model has answered a turn in the shadow of `member`."""

    call: str
    conversation_id: str
    number: int
    alias: str
    language_model_id: int | None
    why: str
    at: datetime
    status: str
    seconds: float
    first_token_s: float | None
    finish: str
    usage: Usage | None
    error: str
    proposal: Proposal
    member: str
    beside: Proposal


class CallKnown(Struct, frozen=True):
    """What is known of a call before it is over."""

    at: datetime
    seat: str
    language_model_id: int | None
    alias: str
    endpoint_name: str
    connection: str
    served: str
    owner_id: int | None
    key_id: int | None
    caller: str
    collection_name: str
    purpose: str


class CallMade(CallKnown, frozen=True):
    """A ledger row. No model that can sit stands behind the call of a decision model. `request`, `requests` and `cost`
    as in gateway.models.Call; `grant` names the reservation that it draws on."""

    status: str
    upstream_status: int | None
    failure: str
    attempts: int
    usage: Usage | None
    seconds: float
    first_token_s: float | None
    swapped: bool = False
    notes: tuple[str, ...] = ()
    team_id: int | None = None
    request: str = ""
    requests: int = 0
    cost: int | None = None
    grant: str = ""


class CallBegun(CallKnown, frozen=True):
    """A call that is on its way to a provider, as the ledger will name it. It is no row, and only ever read again where
    its process is gone."""

    team_id: int | None
    request: str
    attempts: int


class Rest(Struct, frozen=True):
    """A model must rest until a time; `stated` when the provider said so."""

    language_model_id: int
    at: datetime
    until: datetime
    stated: bool
    why: str


class QuirkLearned(Struct, frozen=True):
    """A model answered once it was spoken to in its own dialect."""

    language_model_id: int
    quirks: tuple[str, ...]
    at: datetime


class Learned(Struct, frozen=True):
    """A refusal or an answer has taught something of a model, in the words of engine/lessons.py; `evidence` is fit to
    be kept."""

    language_model_id: int
    field: str
    value: Any
    evidence: str
    at: datetime


class QuotaTold(Struct, frozen=True):
    """What a provider has said of a limit."""

    told: Told
    at: datetime


class KeyUsed(Struct, frozen=True):
    """A gateway key was used."""

    key_id: int
    at: datetime


class GrantOver(Struct, frozen=True):
    """A request has made its last call: once all that came before this is written, nothing is held for it any more.
    It is no row."""

    key_id: int
    name: str


Record = (
    PanelOpened
    | SeatRow
    | Work
    | PanelClosed
    | TurnMade
    | ShadowMade
    | CallMade
    | Rest
    | QuirkLearned
    | Learned
    | QuotaTold
    | KeyUsed
    | GrantOver
)


class Batch(Struct):
    """Records sorted by kind, in the order they came."""

    opened: list[PanelOpened] = field(default_factory=list)
    seats: list[SeatRow] = field(default_factory=list)
    work: list[Work] = field(default_factory=list)
    closed: list[PanelClosed] = field(default_factory=list)
    turns: list[TurnMade] = field(default_factory=list)
    shadows: list[ShadowMade] = field(default_factory=list)
    calls: list[CallMade] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    quirks: list[QuirkLearned] = field(default_factory=list)
    learned: list[Learned] = field(default_factory=list)
    quotas: list[QuotaTold] = field(default_factory=list)
    keys: list[KeyUsed] = field(default_factory=list)
    over: list[GrantOver] = field(default_factory=list)


_PLACE: Final[Mapping[type[Record], str]] = {
    PanelOpened: "opened",
    SeatRow: "seats",
    Work: "work",
    PanelClosed: "closed",
    TurnMade: "turns",
    ShadowMade: "shadows",
    CallMade: "calls",
    Rest: "rests",
    QuirkLearned: "quirks",
    Learned: "learned",
    QuotaTold: "quotas",
    KeyUsed: "keys",
    GrantOver: "over",
}


def sort_records(records: list[Record]) -> Batch:
    """A Batch of these records."""
    batch = Batch()
    for record in records:
        getattr(batch, _PLACE[type(record)]).append(record)
    return batch
