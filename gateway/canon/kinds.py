"""The closed lists of the product, defined once: database choices, wire values and decisions all use these."""

from __future__ import annotations

from enum import StrEnum


class EndpointKind(StrEnum):
    """Who runs an endpoint. `PRACTICE` is this gateway's own scripted one."""

    PROVIDER = "provider"
    AGGREGATOR = "aggregator"
    HUB = "hub"
    LOCAL = "local"
    PRACTICE = "practice"


class Api(StrEnum):
    """The protocol an endpoint speaks, as the operator names it."""

    CHAT = "chat"
    RESPONSES = "responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OLLAMA = "ollama"


class ModelRole(StrEnum):
    """What a model is for. A role never lowers a rank; it only says which shapes of work it may explore."""

    GENERAL = "general"
    CODE = "code"
    LIGHT = "light"
    VISION = "vision"
    IMAGE = "image"
    DECISION = "decision"


class Shape(StrEnum):
    """What kind of work a request is."""

    GENERAL = "general"
    DESIGN = "design"
    PROSE = "prose"
    REVIEW = "review"
    CODE = "code"
    ENUMERATION = "enumeration"
    QUICK = "quick"
    VISION = "vision"
    IMAGE = "image"


SHAPE_ROLES: dict[Shape, frozenset[ModelRole]] = {
    Shape.GENERAL: frozenset({ModelRole.GENERAL}),
    Shape.DESIGN: frozenset({ModelRole.GENERAL}),
    Shape.PROSE: frozenset({ModelRole.GENERAL}),
    Shape.REVIEW: frozenset({ModelRole.GENERAL, ModelRole.CODE}),
    Shape.CODE: frozenset({ModelRole.GENERAL, ModelRole.CODE}),
    Shape.ENUMERATION: frozenset({ModelRole.GENERAL, ModelRole.CODE, ModelRole.LIGHT}),
    Shape.QUICK: frozenset({ModelRole.GENERAL, ModelRole.LIGHT}),
    Shape.VISION: frozenset({ModelRole.GENERAL, ModelRole.LIGHT, ModelRole.VISION}),
    Shape.IMAGE: frozenset({ModelRole.IMAGE}),
}
"""The roles each shape admits to explorer seats."""


class ReplyKind(StrEnum):
    """How a collection answers."""

    ALL = "all"
    MERGED = "merged"
    ROUTE = "route"
    CHOICES = "choices"


class SeatStatus(StrEnum):
    """How a seat stands. The first two are on the way to the last three."""

    WAITING = "waiting"
    ASKED = "asked"
    OK = "ok"
    EMPTY = "empty"
    ERROR = "error"


class CallStatus(StrEnum):
    """How an upstream call ended, for the ledger."""

    OK = "ok"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class ModelStatus(StrEnum):
    """How a model is, in the one vocabulary of every page, list and file. The first that holds is shown."""

    RETIRED = "retired"
    RETIRING = "retiring"
    NOT_SERVED = "not served"
    UNTESTED = "untested"
    HEALTHY = "healthy"
    THROTTLED = "throttled"
    SLOW = "slow"
    EMPTY = "empty reply"
    NOT_FOUND = "not found"
    NO_LONGER_FREE = "no longer free"
    NO_ACCESS = "no access"
    SIGN_IN_AGAIN = "sign in again"
    FAILING = "failing"


class JobState(StrEnum):
    """How a piece of background work stands. The first two are open; `no answer` is a model that was asked and said
    nothing, which is no failure of the work."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    NO_ANSWER = "no answer"
    FAILED = "failed"
    SKIPPED = "skipped"


class AlertKind(StrEnum):
    """What is wrong, by what somebody can do about it."""

    RETIRING = "retiring"
    CONNECTION = "connection"
    REGISTRATION = "registration"
    RETIRED = "retired"
    PLAN = "plan"
    WENT_PAID = "went paid"
    CHANGED = "changed"
    SIGN_IN = "sign in"
    BACKUP = "backup"


class TaskShape(StrEnum):
    """What a task of the suite asks for: the findings in a text, whether a claim holds, the line of a change that was
    planted, the line of a bug that was really there, or one described function among much code."""

    FINDING = "finding"
    CLAIM = "claim"
    SEEDED = "seeded"
    REAL = "real"
    NEEDLE = "needle"


class AttemptOutcome(StrEnum):
    """How a model took a task. Only the first is scored; the others say nothing of what it knows."""

    ANSWERED = "answered"
    REFUSED = "refused"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"
