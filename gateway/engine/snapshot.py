"""What the gateway knows at one moment, frozen, so that a decision can be made, stored and made again.

A Snapshot is a value without secrets. engine/loading.py reads it from the database; engine/catalogue.py keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw, Struct, field, structs

from gateway.canon.kinds import EndpointKind
from gateway.canon.names import family_of
from gateway.engine.grant import Grant
from gateway.engine.pace_rules import Limits


class EndpointView(Struct, frozen=True):
    """Where a model is reached. `key_name` and `key_env` name the secret; the secret itself is not here."""

    id: int
    name: str
    base: str
    kind: str
    api: str
    default: bool = False
    hub: str = ""
    key_name: str = ""
    key_env: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    quirks: dict[str, bool] = field(default_factory=dict)
    decisions_url: str = ""


class DecisionView(Struct, frozen=True):
    """A decision model: `path` stands for `{path}` in its endpoint's `decisions_url`; `question_types` are those that
    it accepts."""

    id: int
    alias: str
    served: str
    endpoint: EndpointView
    path: str = "decisions"
    question_types: tuple[str, ...] = ("choice",)
    ad_hoc: bool = False


class ModelView(Struct, frozen=True):
    """One model with the best known facts. None means unknown. `limits` has rpm, rpd, tpm, tpd where known,
    `kept_limits` those of them that calls are held to; `prices` USD per million tokens
    (collections_app.facts.PRICE_AXES); `sources` names where each fact came from. One that is `retiring` is chosen by
    nobody and comes last where it is a member; one that costs money since `paid_since` (a date, empty where it may) is
    not called at all. One that is `unheard` never answered a probe, or is listed no longer: it explores nowhere; one
    that `fails_large` questions explores not where much is asked."""

    id: int
    alias: str
    served: str
    endpoint: EndpointView
    role: str = "general"
    ad_hoc: bool = False
    tag: str = ""
    options: dict[str, Raw] = field(default_factory=dict)
    retired_on: str = ""
    retired_why: str = ""
    context_window: int | None = None
    max_output: int | None = None
    tools: bool | None = None
    vision: bool | None = None
    structured_output: bool | None = None
    reasoning: bool | None = None
    limits: dict[str, int] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    documents: bool | None = None
    audio: bool | None = None
    quirks: dict[str, bool] = field(default_factory=dict)
    prices: dict[str, float] = field(default_factory=dict)
    kept_limits: dict[str, int] = field(default_factory=dict)
    retiring: bool = False
    unheard: bool = False
    fails_large: bool = False
    paid_since: str = ""

    @property
    def guarded(self) -> bool:
        """True for one that went paid and must not be called until somebody allows it."""
        return bool(self.paid_since)

    @property
    def guarded_why(self) -> str:
        """Why it is not called, as a half sentence after its alias; empty when it is."""
        return f"costs money since {self.paid_since}; allow it on its page to call it" if self.paid_since else ""

    @property
    def retired(self) -> bool:
        return bool(self.retired_on)

    @property
    def scripted(self) -> bool:
        """True for the practice squad."""
        return self.endpoint.kind == EndpointKind.PRACTICE

    @property
    def connection(self) -> str:
        """What shares a rate limit with this model: the upstream behind a hub, else the endpoint."""
        if self.tag:
            return self.tag.split("/", 1)[0]
        return "?" if self.endpoint.kind == "hub" else self.endpoint.name

    @property
    def family(self) -> str:
        return family_of(self.served)


def kept_limits(limits: Mapping[str, int], sources: Mapping[str, str]) -> dict[str, int]:
    """The limits that calls are held to: what a feed lists is shown and no more."""
    return {axis: limit for axis, limit in limits.items() if sources.get(f"limits.{axis}") != "feed"}


class CollectionView(Struct, frozen=True):
    """A collection by its bare name. `members` are aliases in order; `merger` is an alias or empty; `created` epoch
    seconds. `shadow_share` of the route turns, from 0 to 1, are also answered by one of `shadow_who` (members or
    explorers), at most `shadow_daily` times a day."""

    id: int
    name: str
    members: tuple[str, ...] = ()
    shape: str = ""
    reply: str = "all"
    merger: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    ranking: str = "record"
    cooldown: str = "substitute"
    on_disconnect: str = "finish"
    shadow_share: float = 0.0
    shadow_who: str = "members"
    shadow_daily: int = 100
    max_explorers: int | None = None
    created: int = 0

    @property
    def full_name(self) -> str:
        return f"bench/{self.name}"


class Budget(Struct, frozen=True):
    """How much a key may use of `unit` (requests, tokens, or money in nano-dollars) in each `period` (day, month)."""

    unit: str
    period: str
    amount: int


class KeyView(Struct, frozen=True):
    """A gateway key that is not revoked. `scope` None opens every collection but those that are `withheld`, because
    another team owns them; `expires_at` is epoch seconds. Its secret from before the last rotation, if any, opens it
    until `previous_until` (epoch seconds). `may_ask` is false when its owner no longer has the right to ask. With a
    `consent`, tokens that were given for that open it, and no secret does."""

    id: int
    name: str
    digest: str
    owner_id: int
    owner_name: str
    scope: frozenset[str] | None = None
    rpm: int | None = None
    expires_at: float | None = None
    tpm: int | None = None
    team_id: int | None = None
    budgets: tuple[Budget, ...] = ()
    previous_digest: str = ""
    previous_until: float | None = None
    withheld: frozenset[str] = frozenset()
    may_ask: bool = True
    consent: str = ""

    def opens(self, digest: str, now: float) -> bool:
        """Whether the secret of this digest still opens it: the present one does, the one before for a while."""
        return digest == self.digest or (self.previous_until is not None and now < self.previous_until)


class Caller(Struct, frozen=True):
    """Who asks: a gateway key, or `local` where no key is required. `rpm` and `tpm` are requests and tokens a minute.
    To this caller what is `withheld` is as if it were not there. `grant` is what the request was let in with, once it
    is."""

    name: str
    key_id: int | None = None
    owner_id: int | None = None
    scope: frozenset[str] | None = None
    rpm: int | None = None
    tpm: int | None = None
    team_id: int | None = None
    budgets: tuple[Budget, ...] = ()
    withheld: frozenset[str] = frozenset()
    grant: Grant | None = None

    def may_call(self, collection: str) -> bool:
        return (self.scope is None or collection in self.scope) and collection not in self.withheld

    def aside(self) -> Caller:
        """The same for a call on the way, which does not stand for the caller's request."""
        return self if self.grant is None else structs.replace(self, grant=self.grant.aside())

    def count_request(self) -> int:
        """1 for the first call that is recorded for the caller's request, 0 for the others."""
        return 0 if self.grant is None else self.grant.count()

    @property
    def drawn_on(self) -> str:
        """The name of the reservation for this request, empty where there is none."""
        return "" if self.grant is None else self.grant.name


class Votes(Struct, frozen=True):
    """Sums of verdicts; a split one counts in part on each side."""

    useful: float
    not_useful: float


class Snapshot(Struct, frozen=True):
    """The catalogue and what bears on seating. `keys` go by digest, a rotated one by both of its own; `signed` are
    those of signed-in programs by the digests of their tokens, and open the context protocol alone. `aliases` leads
    from a name that clients insist on to the full one, such as `bench/core:route`. `decisions` stand as they were
    registered; `picker` is the setting: one of them, a model, or
    `off`. The rest goes by the alias of a model: `last_work` and `cooling` hold epoch seconds, when it
    last worked and until when it must rest, and `barred` until when its provider has said not to ask at all; `useful`
    and `not_useful` are sums over all its judged work, in which a split verdict counts in part on each side.
    `by_shape` has the same sums by shape and alias; `lately` has them decayed to the moment of the snapshot, under the
    empty shape over all work. A model that was never judged is in none of them."""

    stamp: str = ""
    models: dict[str, ModelView] = field(default_factory=dict)
    collections: dict[str, CollectionView] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    keys: dict[str, KeyView] = field(default_factory=dict)
    signed: dict[str, KeyView] = field(default_factory=dict)
    max_calls: int = 5
    max_explorers: int = 2
    decisions: tuple[DecisionView, ...] = ()
    picker: str = ""
    last_work: dict[str, float] = field(default_factory=dict)
    cooling: dict[str, float] = field(default_factory=dict)
    barred: dict[str, float] = field(default_factory=dict)
    useful: dict[str, float] = field(default_factory=dict)
    not_useful: dict[str, float] = field(default_factory=dict)
    by_shape: dict[str, dict[str, Votes]] = field(default_factory=dict)
    lately: dict[str, dict[str, Votes]] = field(default_factory=dict)
    connection_limits: dict[str, Limits] = field(default_factory=dict)
