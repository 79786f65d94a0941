"""What the gateway and its background work ask of the database beside the pages, over a large installation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from benchwarmers.doctor import look_at_database
from benchwarmers.tests.performance.big.explain import Plan, explain
from collections_app.actions.token import do_create_token
from collections_app.actions.verdict import do_verdict
from collections_app.models import GatewayKey, LanguageModel, Setting
from collections_app.standings_store import rebuild_standings
from gateway.api.judging import check_own, load_pending, load_tallies
from gateway.engine.batch import write_records
from gateway.engine.batch_spend import read_spent
from gateway.engine.batch_usage import day_of
from gateway.engine.loading import load_snapshot
from gateway.engine.pace_ledger import read_history
from gateway.engine.pace_rules import Limits, Scope
from gateway.engine.recovery import close_lost_panels
from gateway.engine.retention import Rule
from gateway.engine.snapshot import Caller
from gateway.engine.usage_shares import fold_usage
from gateway.models import Panel, Seat, Turn
from gateway.tests.engine.written import Rows, whole_panel
from probes.health.evidence import load_cases, load_lasts
from probes.jobs.sweep import sweep
from probes.retention import every_rule
from probes.schedule.enqueue import enqueue_due

API = (
    "status",
    "models",
    "endpoints",
    "collections",
    "connections",
    "gateway-keys",
    "scheduler",
    "stamp",
)


@dataclass(frozen=True)
class Asked:
    """One thing that is done: `ms` of the second time, and the plans of what it reads."""

    name: str
    queries: int
    ms: float
    plans: tuple[Plan, ...]


def ask_hot() -> Iterator[Asked]:
    """Each of the things below, in a transaction that is taken back."""
    for name, act in hot(timezone.now()).items():
        do(act)
        with CaptureQueriesContext(connection) as caught:
            took = do(act)
        yield Asked(name, len(caught), took, tuple(explain(query["sql"] for query in caught.captured_queries)))


def do(act: Callable[[], object]) -> float:
    """Do it and take it back; its milliseconds."""
    began = time.perf_counter()
    with transaction.atomic():
        act()
        transaction.set_rollback(True)
    return (time.perf_counter() - began) * 1000


def hot(now: datetime) -> dict[str, Callable[[], object]]:
    """By what it is: what is asked at every turn, panel, verdict or look of the schedule, and by programs."""
    key = GatewayKey.objects.filter(revoked_at=None).order_by("pk")[0]
    models = list(LanguageModel.objects.filter(retired_at=None).select_related("endpoint"))
    panel = Panel.objects.filter(state="done", collection__isnull=False).order_by("-started_at")[0]
    calls = list(Seat.objects.filter(panel=panel).values_list("call", flat=True))
    turn = Turn.objects.exclude(call="").filter(conversation__owner__isnull=False).order_by("-pk")[0]
    judge = User.objects.get(username="maya")
    return {
        "a panel's rows": lambda: write_records(whole_panel(_rows(key, panel, models), f"p-hot-{time.monotonic_ns()}")),
        "the catalogue": load_snapshot,
        "what a key has spent": lambda: read_spent(key.pk, day_of(now)),
        "a connection's history": lambda: _history(models[0].connection, "", now),
        "a model's history": lambda: _history(models[0].connection, models[0].alias, now),
        "a verdict": lambda: do_verdict(
            actor=judge, judge_name="maya", call=calls[0], useful=True, real=["It leaks."], blank_keeps=False, now=now
        ),
        "whose a seat is": lambda: check_own(_caller(panel.owner), calls[0]),
        "whose a turn is": lambda: check_own(_caller(turn.conversation.owner), turn.call),
        "calls without a verdict": lambda: load_pending(_caller(judge), calls),
        "the record of a collection": lambda: load_tallies(_caller(judge), "core", ""),
        "lost panels": lambda: close_lost_panels("here/1", now),
        "the sweep of jobs": lambda: sweep(now),
        "the schedule": lambda: enqueue_due(now),
        "last probes": lambda: load_lasts(models, now),
        "cases of retirement": lambda: load_cases(models, {}, {}, now),
        "shares of days": lambda: fold_usage(day_of(now)),
        "standings of a model": lambda: rebuild_standings(models[0].pk),
        "what is too old": lambda: [list(rule.rows.order_by(rule.by, "pk")[:1]) for rule in _rules(now)],
        "the doctor": lambda: list(look_at_database(django_settings.BENCH)),
        **{f"GET /api/{name}": partial(_get, judge, name) for name in API},
    }


def _rows(key: GatewayKey, panel: Panel, models: list[LanguageModel]) -> Rows:
    assert key.owner is not None
    assert panel.collection is not None
    return Rows(key.owner, key, panel.collection, models[:3])


def _caller(person: User | None) -> Caller:
    assert person is not None
    return Caller(name=person.get_username(), owner_id=person.pk)


def _history(connection_name: str, alias: str, now: datetime) -> object:
    limits = Limits(rpm=60, tpm=10_000, rpd=1_000, tpd=10_000_000, rpmo=None if alias else 100_000)
    return read_history(Scope(connection_name, alias, limits, limits.counts), int(now.timestamp() * 1000))


def _rules(now: datetime) -> list[Rule]:
    return every_rule(Setting(ledger_days=400, work_days=400, sample_days=400, log_days=100), now)


def _get(person: User, name: str) -> None:
    token = do_create_token(user=person, name=f"hot {time.monotonic_ns()}", now=timezone.now())[1]
    address = reverse(f"api:{name}")
    answer = Client().get(address, headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200, f"{address}: {answer.content[:200]!r}"
