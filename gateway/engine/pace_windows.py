"""What was sent, counted in this process: exactly the decisions that pace_lua.py makes in Redis for all processes.
Serves while Redis is away, and as the oracle that the script is tested against. Knows no clock: times come in.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from msgspec import Struct, field

from gateway.engine.pace_adapt import Adapted, after_answer, after_refusal, after_start, live
from gateway.engine.pace_rules import (
    ADAPTED,
    BUCKET_MS,
    DAY_MS,
    MINUTE_MS,
    PARALLEL,
    Blocked,
    Claim,
    Cold,
    Scope,
    month_of,
)
from gateway.engine.told import INPUT_TOKENS, OUTPUT_TOKENS, REQUESTS, TOKENS


class History(Struct):
    """What a scope has sent by the ledger's account: `recent` (ms, id, tokens) of the last minute, `day` (requests,
    tokens) by bucket, `month` requests of the month named."""

    recent: list[tuple[int, str, int]] = field(default_factory=list)
    day: dict[int, tuple[int, int]] = field(default_factory=dict)
    month: str = ""
    month_requests: int = 0


class Settling(Struct, frozen=True):
    """How a claim ended. `tokens` is what it really used, None where the estimate stands; `undone` when nothing was
    sent; `answered` when it went well."""

    claim: Claim
    taken_at: int
    tokens: int | None
    undone: bool = False
    answered: bool = False


class _Counted(Struct):
    """The windows of one scope. `recent` is sorted, `spent` the sum of its tokens."""

    counts: str
    recent: list[tuple[int, str, int]] = field(default_factory=list)
    spent: int = 0
    day: dict[int, list[int]] = field(default_factory=dict)
    month: dict[str, int] = field(default_factory=dict)


class Windows:
    """One per process, and one more for each test."""

    def __init__(self) -> None:
        self._scopes: dict[str, _Counted] = {}
        self._open: dict[str, dict[str, int]] = {}
        self._adapted: dict[str, Adapted] = {}
        self._quotas: dict[str, dict[str, list[int]]] = {}

    def take(self, claim: Claim, now: int) -> Blocked | Cold | None:
        """None: it may go and is counted."""
        blocks = [*self._parallel(claim, now), *self._stated(claim, now)]
        for place, scope in enumerate(claim.rules.scopes):
            counted = self._scopes.get(scope.key)
            if counted is None or counted.counts != scope.counts:
                return Cold(place)
            _forget(counted, now)
            blocks += _blocks(counted, scope, claim.estimate.total, now)
        if blocks:
            return max(blocks, key=lambda one: one.wait_ms)
        self._count(claim, now)
        return None

    def settle(self, end: Settling, now: int) -> int:
        """Puts the truth in place of the estimate. The adapted limit where it has grown, else 0."""
        claim = end.claim
        connection = claim.rules.connection
        if claim.registered and self._opened(connection, now).pop(claim.id, None) is None:
            return 0
        truth = claim.estimate.total if end.tokens is None else end.tokens
        for scope in claim.rules.scopes:
            if (counted := self._scopes.get(scope.key)) is not None and counted.counts == scope.counts:
                _correct(counted, end, 0 if end.undone else truth)
        for key in claim.quotas:
            for name, left in self._quotas.get(key, {}).items():
                if left[2] <= end.taken_at:
                    left[0] += _unspent(name.partition("|")[0], end, truth)
        state = live(self._adapted.get(connection), now)
        if state is None or not end.answered:
            return 0
        grown = self._adapted[connection] = after_answer(state, end.taken_at)
        return grown.limit if grown.limit > state.limit else 0

    def cut(self, connection: str, sent_at: int, open_calls: dict[str, int], now: int) -> int:
        """After a rate limit: the new limit of calls at once, or 0 when it stays. `open_calls` (id: expires at) are
        this process's own."""
        opened = self._opened(connection, now)
        opened.update(open_calls)
        cut = after_refusal(self._adapted.get(connection), now, sent_at, len(opened))
        if cut is None:
            return 0
        self._adapted[connection] = cut
        return cut.limit

    def tell(self, key: str, metric: str, window: str, remaining: int, reset_at: int, now: int) -> None:
        """A provider states what is left until `reset_at`."""
        told = self._quotas.setdefault(key, {})
        known = told.get(f"{metric}|{window}")
        # Calls that were sent since are taken off already; a reply to an earlier one does not put them back.
        if known is not None and known[1] > now and abs(known[1] - reset_at) <= 1000:
            told[f"{metric}|{window}"] = [min(remaining, known[0]), reset_at, known[2]]
        else:
            told[f"{metric}|{window}"] = [remaining, reset_at, now]

    def warm(self, scope: Scope, history: History, now: int, *, force: bool = False) -> None:
        """Fills the windows of a scope, unless they are filled already."""
        counted = self._scopes.get(scope.key)
        if counted is not None and counted.counts == scope.counts and not force:
            return
        fresh = self._scopes[scope.key] = _Counted(scope.counts)
        if scope.limits.minute:
            fresh.recent = sorted(history.recent)
            fresh.spent = sum(tokens for _, _, tokens in fresh.recent)
        if scope.limits.day:
            fresh.day = {bucket: list(sums) for bucket, sums in history.day.items()}
        if scope.limits.rpmo and history.month:
            fresh.month = {history.month: history.month_requests}
        _forget(fresh, now)

    def drop(self) -> None:
        """Forgets what was counted, but not what providers stated."""
        self._scopes.clear()
        self._open.clear()
        self._adapted.clear()

    def _opened(self, connection: str, now: int) -> dict[str, int]:
        opened = self._open.setdefault(connection, {})
        for name in [name for name, expires in opened.items() if expires <= now]:
            del opened[name]
        return opened

    def _parallel(self, claim: Claim, now: int) -> list[Blocked]:
        if not claim.registered:
            return []
        connection, cap, axis = claim.rules.connection, claim.rules.parallel, PARALLEL
        opened = len(self._opened(connection, now))
        state = live(self._adapted.get(connection), now)
        if state is not None:
            if cap is None or state.limit < cap:
                cap, axis = state.limit, ADAPTED
            if opened >= state.limit:
                self._adapted[connection] = after_start(state, opened)
        return [Blocked(0, axis, connection, opened, cap, whole=True)] if cap is not None and opened >= cap else []

    def _stated(self, claim: Claim, now: int) -> list[Blocked]:
        blocks = []
        for key in claim.quotas:
            for name, (remaining, reset_at, _) in sorted(self._quotas.get(key, {}).items()):
                if reset_at > now and remaining <= 0:
                    connection, _, alias = key.partition("\n")
                    blocks.append(Blocked(reset_at - now, name, alias or connection, 0, 0, whole=not alias))
        return blocks

    def _count(self, claim: Claim, now: int) -> None:
        estimate, connection = claim.estimate, claim.rules.connection
        for scope in claim.rules.scopes:
            counted = self._scopes[scope.key]
            if scope.limits.minute:
                insort(counted.recent, (now, claim.id, estimate.total))
                counted.spent += estimate.total
            if scope.limits.day:
                sums = counted.day.setdefault(now // BUCKET_MS, [0, 0])
                sums[0] += 1
                sums[1] += estimate.total
            if scope.limits.rpmo:
                month, _ = month_of(now)
                counted.month[month] = counted.month.get(month, 0) + 1
        for key in claim.quotas:
            for name, left in self._quotas.get(key, {}).items():
                metric = name.partition("|")[0]
                left[0] -= _spent(metric, claim)
        if claim.registered:
            opened = self._opened(connection, now)
            opened[claim.id] = claim.expires_at
            if (state := live(self._adapted.get(connection), now)) is not None:
                self._adapted[connection] = after_start(state, len(opened))


def _spent(metric: str, claim: Claim) -> int:
    if metric == REQUESTS:
        return 1
    if metric == INPUT_TOKENS:
        return claim.estimate.input
    return claim.estimate.output if metric == OUTPUT_TOKENS else claim.estimate.total


def _unspent(metric: str, end: Settling, truth: int) -> int:
    """What was taken off for a call and must be put back. Its input is taken to be what it was estimated at."""
    estimate = end.claim.estimate
    if end.undone:
        return _spent(metric, end.claim)
    if metric == TOKENS:
        return estimate.total - truth
    return estimate.output - max(truth - estimate.input, 0) if metric == OUTPUT_TOKENS else 0


def _forget(counted: _Counted, now: int) -> None:
    past = 0
    while past < len(counted.recent) and counted.recent[past][0] <= now - MINUTE_MS:
        counted.spent -= counted.recent[past][2]
        past += 1
    del counted.recent[:past]
    for bucket in [bucket for bucket in counted.day if (bucket + 1) * BUCKET_MS <= now - DAY_MS]:
        del counted.day[bucket]


def _blocks(counted: _Counted, scope: Scope, tokens: int, now: int) -> list[Blocked]:
    limits, blocks = scope.limits, []
    minute: list[tuple[int, int, int]] = []
    if (limits.rpm and len(counted.recent) >= limits.rpm) or (
        limits.tpm and counted.spent > max(limits.tpm - tokens, 0)
    ):
        minute = [(at + MINUTE_MS, 1, spent) for at, _, spent in counted.recent]
    day = [((bucket + 1) * BUCKET_MS + DAY_MS, sums[0], sums[1]) for bucket, sums in sorted(counted.day.items())]
    for axis, limit, pieces in (("r", limits.rpm, minute), ("t", limits.tpm, minute)):
        blocks += _block(f"{axis}pm", limit, pieces, tokens, now, scope)
    for axis, limit, pieces in (("r", limits.rpd, day), ("t", limits.tpd, day)):
        blocks += _block(f"{axis}pd", limit, pieces, tokens, now, scope)
    if limits.rpmo:
        month, over = month_of(now)
        used = counted.month.get(month, 0)
        if used >= limits.rpmo:
            blocks.append(Blocked(over - now, "rpmo", scope.name, used, limits.rpmo, not scope.alias))
    return blocks


def _block(
    axis: str, limit: int | None, pieces: list[tuple[int, int, int]], tokens: int, now: int, scope: Scope
) -> list[Blocked]:
    """Empty when there is room. A call larger than the whole window goes into an empty one."""
    if not limit:
        return []
    which, wanted = (1, 1) if axis[0] == "r" else (2, tokens)
    used = left = sum(piece[which] for piece in pieces)
    room = max(limit - wanted, 0)
    if used <= room:
        return []
    for piece in pieces:
        left -= piece[which]
        if left <= room:
            return [Blocked(max(piece[0] - now, 1), axis, scope.name, used, limit, not scope.alias)]
    return []  # pragma: no cover nothing is left of an empty window


def _correct(counted: _Counted, end: Settling, truth: int) -> None:
    claim, at = end.claim, end.taken_at
    entry = (at, claim.id, claim.estimate.total)
    place = bisect_left(counted.recent, entry)
    if place < len(counted.recent) and counted.recent[place] == entry:
        del counted.recent[place]
        counted.spent += truth - claim.estimate.total
        if not end.undone:
            insort(counted.recent, (at, claim.id, truth))
    if (sums := counted.day.get(at // BUCKET_MS)) is not None:
        sums[0] = max(sums[0] - end.undone, 0)
        sums[1] = max(sums[1] + truth - claim.estimate.total, 0)
    month, _ = month_of(at)
    if end.undone and month in counted.month:
        counted.month[month] = max(counted.month[month] - 1, 0)
