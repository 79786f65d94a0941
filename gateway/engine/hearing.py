"""Hears what providers say beside their answers, and passes it on: limits to pacing and to the quota table, lessons to
the catalogue, here at once and in the database.

A busy connection says the same with every reply, so a limit is written at most once in QUOTA_S, its latest word then;
pacing hears every word.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final, Protocol

from gateway.canon.ask import Ask
from gateway.canon.blanks import blank_evidence
from gateway.canon.fault import UpstreamFault
from gateway.canon.reply import Reply
from gateway.engine.catalogue import Catalogue
from gateway.engine.lessons import (
    SERVED_AS,
    Lesson,
    believable,
    budget_in,
    is_news,
    learned,
    lessons_in_answer,
    lessons_in_refusal,
)
from gateway.engine.limit_bodies import told_in_body
from gateway.engine.limit_headers import speaks_of_limits, tighter, told_in_headers
from gateway.engine.recorder import Recorder
from gateway.engine.records import Learned, QuotaTold
from gateway.engine.snapshot import DecisionView, ModelView
from gateway.engine.told import Told

QUOTA_S: Final = 5.0
AGAIN_S: Final = 60.0
"""How long a lesson is not taken twice: calls that were under way when it was learned show it again."""
_MOST_REMEMBERED: Final = 4_096

Key = tuple[str, str, str, str]
Headers = Mapping[str, str]


class Pacer(Protocol):
    """Who keeps to what is told."""

    def told(self, told: Told) -> None: ...


class Hearing:
    """One per process, used from its event loop."""

    def __init__(self, catalogue: Catalogue, recorder: Recorder, pace: Pacer, clock: Callable[[], datetime]) -> None:
        self._catalogue = catalogue
        self._recorder = recorder
        self._pace = pace
        self._clock = clock
        self._written: dict[Key, float] = {}
        self._waiting: dict[Key, QuotaTold] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._taken: dict[tuple[int, str, str], float] = {}

    def head(self, who: ModelView | DecisionView, status: int, headers: Headers) -> None:
        """The head of a reply has come."""
        if not speaks_of_limits(headers):
            return
        now = self._clock()
        connection, alias = connection_of(who), who.alias
        told = told_in_headers(
            headers.items(), status, who.endpoint.base, now.timestamp(), connection=connection, alias=alias
        )
        if told:
            self._pass_on(told, now)

    def refused(
        self, who: ModelView | DecisionView, sent: bytes, fault: UpstreamFault, headers: Headers, body: bytes
    ) -> None:
        """A provider has refused the request `sent`; our own key is out of the fault already."""
        now = self._clock()
        at, status = now.timestamp(), fault.upstream_status or 0
        connection, alias, message = connection_of(who), who.alias, fault.message
        told = _each_once(
            *told_in_headers(
                headers.items(), status, who.endpoint.base, at, connection=connection, alias=alias, message=message
            ),
            *told_in_body(status, body, message, at, connection=connection, alias=alias),
        )
        self._pass_on(told, now)
        model = self._known(who)
        if model is None:
            return
        text = f"{message}\n{fault.body}"
        for lesson in lessons_in_refusal(status, text, told):
            if is_news(model, lesson) and believable(lesson, sent, budget_in(sent)):
                self._learn(model, lesson, message, now)

    def answered(self, who: ModelView, ask: Ask, reply: Reply, notes: Iterable[str]) -> None:
        """A whole answer has come; `notes` tell what was left out on the way."""
        if reply.fault is not None:
            return
        found = lessons_in_answer(who, ask, reply, notes)
        model = self._known(who) if found else None
        if model is not None:
            for lesson in found:
                if is_news(model, lesson):
                    self._learn(model, lesson, lesson.words, self._clock())

    def flush(self) -> None:
        """Writes what waits for its turn."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, {}
        at = self._clock().timestamp()
        self._written.update(dict.fromkeys(waiting, at))
        self._recorder.put(*waiting.values())

    def _pass_on(self, told: Iterable[Told], now: datetime) -> None:
        at = now.timestamp()
        for one in told:
            self._pace.told(one)
            key = (one.connection, one.alias, one.metric, one.window)
            if at - self._written.get(key, 0.0) >= QUOTA_S:
                self._written[key] = at
                self._waiting.pop(key, None)
                self._recorder.put(QuotaTold(one, now))
                continue
            self._waiting[key] = QuotaTold(one, now)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(QUOTA_S, self.flush)

    def _known(self, who: ModelView | DecisionView) -> ModelView | None:
        """The model as it is known by now; None where it can learn nothing."""
        model = self._catalogue.latest.models.get(who.alias)
        return model if model is not None and model.id == who.id and not model.scripted else None

    def _learn(self, model: ModelView, lesson: Lesson, words: str, now: datetime) -> None:
        key, at = (model.id, lesson.field, str(lesson.value)), now.timestamp()
        known = self._taken.get(key)
        if known is not None and (lesson.field == SERVED_AS or at - known < AGAIN_S):
            return
        if len(self._taken) >= _MOST_REMEMBERED:
            self._taken.clear()
        self._taken[key] = at
        self._catalogue.learn(model.alias, learned(model, lesson))
        self._recorder.put(Learned(model.id, lesson.field, lesson.value, blank_evidence(words), now))


def connection_of(who: ModelView | DecisionView) -> str:
    """What shares a rate limit with it."""
    return who.connection if isinstance(who, ModelView) else who.endpoint.name


def _each_once(*told: Told) -> list[Told]:
    """Of several words on one limit, the one with less left."""
    kept: dict[tuple[str, str], Told] = {}
    for one in told:
        kept[one.metric, one.window] = tighter(kept.get((one.metric, one.window)), one)
    return list(kept.values())
