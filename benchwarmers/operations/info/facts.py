"""What runs here, in lines of words, and how much there is. Reads only, and counts nothing that grows without end."""

from __future__ import annotations

import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import django
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from benchwarmers.version import version
from collections_app.models import Collection, Endpoint, GatewayKey, LanguageModel, Setting, Team
from collections_app.redis_client import redis_once
from gateway.models import Call

REDIS_WAIT_S: Final = 0.3


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and its words. `quiet` is left out of nothing and printed small."""

    label: str
    value: str
    quiet: str = ""


def load_program() -> list[Fact]:
    """The program and what it stands on."""
    own = version()
    made = timezone.localtime(own.at).strftime("%Y-%m-%d %H:%M") if own.at else ""
    return [
        Fact(_("Version"), own.number),
        Fact(_("Commit"), own.short or _("unknown"), made),
        Fact("Python", ".".join(map(str, sys.version_info[:3])), platform.python_implementation()),
        Fact("Django", django.get_version()),
        Fact(_("Database"), _database()),
        Fact(_("Queue and cache"), _redis()),
        Fact(_("System"), f"{platform.system()} {platform.machine()}"),
        Fact(_("Time zone"), str(settings.TIME_ZONE)),
        Fact(_("Schedule"), Setting.load().scheduler),
    ]


def load_counts() -> list[Fact]:
    """How much there is of what people made, and how far the ledger's numbers have come."""
    models = LanguageModel.objects.aggregate(
        here=Count("id", filter=Q(retired_at__isnull=True)), gone=Count("id", filter=Q(retired_at__isnull=False))
    )
    keys: dict[str, Any] = GatewayKey.objects.aggregate(open=Count("id", filter=Q(revoked_at__isnull=True)))
    # The number of the last row: to count a million is a second's work, and nobody needs them exactly.
    last = Call.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    retired = _("%(n)d retired") % {"n": models["gone"]}
    return [
        Fact(_("Models"), str(models["here"]), retired if models["gone"] else ""),
        Fact(_("Endpoints"), str(Endpoint.objects.count())),
        Fact(_("Collections"), str(Collection.objects.count())),
        Fact(_("People"), str(User.objects.filter(is_active=True).count())),
        Fact(_("Teams"), str(Team.objects.count())),
        Fact(_("Open keys"), str(keys["open"])),
        Fact(_("Calls so far"), f"{last:,}".replace(",", "\u202f"), _("those deleted included")),
    ]


def write_report(program: Sequence[Fact], counts: Sequence[Fact], processes: Sequence[str]) -> str:
    """All of it as a text for a report of a bug. No name, no address, no folder and no secret is in it."""
    lines = [f"Benchwarmers {program[0].value}"]
    lines += [f"{one.label}: {one.value}{f' ({one.quiet})' if one.quiet else ''}" for one in program[1:]]
    lines += ["", *(f"{one.label}: {one.value}" for one in counts), "", *processes]
    return "\n".join(lines).strip() + "\n"


def _database() -> str:
    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}"


def _redis() -> str:
    wait = {"socket_timeout": REDIS_WAIT_S, "socket_connect_timeout": REDIS_WAIT_S}
    try:
        with redis_once(settings.BENCH.redis_url, **wait) as client:
            told: Any = client.info("server")
    except (RedisError, OSError):
        return _("does not answer")
    if "valkey_version" in told:
        return f"Valkey {told['valkey_version']}"
    return f"Redis {told.get('redis_version', '?')}"
