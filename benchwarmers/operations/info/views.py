"""The page of information, and the checks of this installation, which take a moment and are made when asked for."""

from __future__ import annotations

import os
import shutil
import time
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.account import THEMES
from benchwarmers.doctor import run_looks
from benchwarmers.operations.info.facts import Fact, load_counts, load_program, write_report
from benchwarmers.operations.info.lent import load_lent
from benchwarmers.seen import Seen, load_seen

SEES_FOLDERS: Final = "auth.change_user"
SEES_PROCESSES: Final = "probes.view_job"


@require_safe
def info_page(request: PersonRequest) -> HttpResponse:
    """What runs here. Folders and checks are for admins, processes for those who run operations."""
    program, counts = load_program(), load_counts()
    seen = load_seen(time.time()) if request.user.has_perm(SEES_PROCESSES) else []
    context: dict[str, Any] = {
        "program": program,
        "counts": counts,
        "lent": load_lent(),
        "themes": ", ".join(THEMES),
        "sees_processes": request.user.has_perm(SEES_PROCESSES),
        "seen": seen,
        "web": f"{os.getpid()}",
        "folders": _folders() if request.user.has_perm(SEES_FOLDERS) else [],
        "report": write_report(program, counts, _told(seen)),
    }
    return render(request, "info/info.html", context)


@require_safe
def checks(request: PersonRequest) -> HttpResponse:
    """What is well with this installation and what is not, looked at now."""
    found = list(run_looks(settings.BENCH))
    wrong = [one for one in found if not one.is_well]
    partial = request.htmx and not request.htmx.history_restore_request
    template = "info/_checks.html" if partial else "info/checks.html"
    response = render(request, template, {"found": [*wrong, *(one for one in found if one.is_well)], "wrong": wrong})
    patch_vary_headers(response, ["HX-Request"])
    return response


def _folders() -> list[Fact]:
    bench = settings.BENCH
    facts = [Fact(_("Data folder"), str(bench.home))]
    if bench.home.exists():
        free = shutil.disk_usage(bench.home).free
        facts.append(Fact(_("Room"), _("%(gib).1f GiB free") % {"gib": free / 1024**3}))
    files = sorted(bench.home.glob("*.sqlite3*")) if bench.database_url is None else []
    size = sum(path.stat().st_size for path in files)
    if files:
        facts.append(Fact(_("Database"), str(files[0]), f"{size / 1024**2:.1f} MiB"))
    facts.append(Fact(_("Program"), str(settings.BASE_DIR)))
    return facts


def _told(seen: list[Seen] | None) -> list[str]:
    """Processes without the host's name."""
    if seen is None:
        return ["processes: the cache is away"]
    return [f"{one.kind}: seen {one.ago_s:.0f} s ago" for one in seen]
