"""Changes the installation's settings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Count

from collections_app.actions.decision import picker_problem
from collections_app.journal import journal, require
from collections_app.models import Collection, Setting
from collections_app.refusal import Problems
from collections_app.secret_headers import SECRET_NAME
from collections_app.standings_store import rebuild_standings

TOPIC = "settings"
SCHEDULERS = tuple(value for value, _ in Setting.SCHEDULERS)
LONGEST_DAYS = 36_500
SHORTEST_DAYS = {"ledger_days": 32, "work_days": 7, "sample_days": 62, "log_days": 1}
"""A calendar month of the ledger is counted against what a connection may be sent in one; whether a model is retired is
judged by the probes of sixty days."""


def do_save_settings(
    *,
    actor: User | None,
    max_calls: int | None = None,
    max_explorers: int | None = None,
    scheduler: str | None = None,
    picker: str | None = None,
    half_life_days: int | None = None,
    ledger_days: int | None = None,
    work_days: int | None = None,
    sample_days: int | None = None,
    log_days: int | None = None,
    auto_retire: bool | None = None,
    alert_mail: str | None = None,
    alert_hook: str | None = None,
) -> Setting:
    """Change what is given; None leaves a setting as it is.

    :raises Refused: with every broken rule; a `max_calls` below the size of a collection names that collection.
    """
    row = Setting.load()
    require(actor, "collections_app.change_setting", "change settings")
    given: dict[str, Any] = {
        "max_calls": max_calls,
        "max_explorers": max_explorers,
        "scheduler": scheduler,
        "picker": picker,
        "half_life_days": half_life_days,
        "ledger_days": ledger_days,
        "work_days": work_days,
        "sample_days": sample_days,
        "log_days": log_days,
        "auto_retire": auto_retire,
        "alert_mail": None if alert_mail is None else ", ".join(_addresses(alert_mail)),
        "alert_hook": None if alert_hook is None else alert_hook.strip(),
    }
    fields = {name: value for name, value in given.items() if value is not None}
    problems = Problems()
    if max_calls is not None:
        problems.add("max_calls", _max_calls_problem(max_calls))
    if max_explorers is not None:
        fits = type(max_explorers) is int and 0 <= max_explorers <= 2
        problems.check(fits, "max_explorers", "max_explorers is 0, 1 or 2.")
    if scheduler is not None:
        problems.check(scheduler in SCHEDULERS, "scheduler", f"The scheduler is one of {', '.join(SCHEDULERS)}.")
    if half_life_days is not None:
        fits = type(half_life_days) is int and 1 <= half_life_days <= 3650
        problems.check(fits, "half_life_days", "half_life_days is a whole number of days from 1 to 3650.")
    for name, shortest in SHORTEST_DAYS.items():
        problems.add(name, _days_problem(name, given[name], shortest))
    if picker is not None:
        problems.add("picker", picker_problem(picker))
    if alert_mail is not None:
        problems.add("alert_mail", _mail_problem(alert_mail))
    if alert_hook:
        fits = SECRET_NAME.fullmatch(alert_hook.strip()) is not None
        problems.check(fits, "alert_hook", "Name the secret that holds the webhook's address; it is not the address.")
    problems.refuse()
    with journal(actor, TOPIC) as log:
        before = {name: getattr(row, name) for name in fields}
        if log.note_fields("settings", "settings", before, fields):
            for name, value in fields.items():
                setattr(row, name, value)
            row.save()
            if half_life_days is not None and half_life_days != before["half_life_days"]:
                rebuild_standings()
    return row


def _addresses(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _mail_problem(text: str) -> str:
    if len(text) > 500:
        return "The addresses have at most 500 characters in all."
    for address in _addresses(text):
        try:
            validate_email(address)
        except ValidationError:
            return f"{address!r} is no e-mail address; write one, or several parted by commas."
    return ""


def _days_problem(name: str, days: int | None, shortest: int) -> str:
    if days is None or (type(days) is int and (days == 0 or shortest <= days <= LONGEST_DAYS)):
        return ""
    return f"{name} is 0, for ever, or a whole number of days from {shortest} to {LONGEST_DAYS}."


def _max_calls_problem(most: int) -> str:
    if type(most) is not int or not 1 <= most <= 10:
        return "max_calls is a whole number from 1 to 10."
    larger = Collection.objects.annotate(size=Count("seatings")).filter(size__gt=most).order_by("name")
    if not larger:
        return ""
    named = ", ".join(f"bench/{row.name} ({row.size})" for row in larger)
    return f"max_calls cannot be {most}: these collections have more members: {named}."
