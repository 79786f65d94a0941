"""The page that takes over offline work from a file: first it shows what would become of each row, then it writes.

Between the two the file's text travels in the form, so that nothing is kept on the server and what is written is what
was shown, decided once more.
"""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from benchwarmers.dashboard.access import PersonRequest
from collections_app.actions.offline import Planned, do_import_offline, plan_offline
from collections_app.offline_file import COLUMNS, Unreadable, read_offline

MOST_BYTES = 1_000_000
SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: PersonRequest) -> HttpResponse:
    """The form; what a file would do; or, with `go`, back to the form once it is written."""
    context: dict[str, object] = {"columns": COLUMNS}
    if request.method != "POST":
        return render(request, "judge/import.html", context)
    name, now = request.user.get_username(), timezone.now()
    try:
        text = _text(request)
        rows = read_offline(text)
    except Unreadable as problem:
        return render(request, "judge/import.html", context | {"problem": str(problem)}, status=422)
    if request.POST.get("go"):
        written = sum(
            one.outcome == "write" for one in do_import_offline(actor=request.user, by=name, rows=rows, now=now)
        )
        told = ngettext("%(count)d row imported.", "%(count)d rows imported.", written)
        messages.success(request, told % {"count": written})
        return redirect("dashboard:judge-import")
    planned = plan_offline(rows, by=name, now=now)
    shown = sorted(planned, key=lambda one: one.outcome != "refused")[:SHOWN]
    return render(
        request,
        "judge/import.html",
        context | {"text": text, "planned": shown, "rest": len(planned) - len(shown), "counts": _counts(planned)},
    )


def _counts(planned: list[Planned]) -> dict[str, int]:
    return dict(Counter(one.outcome for one in planned))


def _text(request: PersonRequest) -> str:
    """The file's text, uploaded or pasted. Raises Unreadable when there is none or it is too long."""
    upload = request.FILES.get("file")
    if upload is None:
        data = request.POST.get("text", "").replace("\r\n", "\n").encode("utf-8", "replace")
    elif (upload.size or 0) > MOST_BYTES:
        data = b"x" * (MOST_BYTES + 1)
    else:
        data = upload.read()
    if len(data) > MOST_BYTES:
        raise Unreadable(_("It is longer than 1 MB; cut it into several files."))
    if not data.strip():
        raise Unreadable(_("Choose a file or paste its text."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(_("It is not UTF-8.")) from None
