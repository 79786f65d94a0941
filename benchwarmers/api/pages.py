"""What concerns the pages: the theme of the person, and a stamp by which a program sees that there is news."""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import Struct
from rest_framework.response import Response

from benchwarmers.api.view import ApiView, Asked, asks, takes
from benchwarmers.dashboard.account import THEMES
from benchwarmers.sight import visible_panels
from collections_app.actions.preference import do_choose_theme
from collections_app.models import Change, Evidence
from collections_app.refusal import NotThere, Problems
from probes.models import Job, JobLine

GROWING: Final = (Change.objects, Evidence.objects, Job.objects, JobLine.objects)
"""Each grows by a row with every change, answer of a seat, job or step of one."""
NO_CLIENT: Final = "There is no model client to choose: this server calls every API itself."


class Theme(Struct):
    """How the pages look to the person from their next sign-in on."""

    theme: str


class ThemeView(ApiView):
    """POST /api/theme."""

    @takes(Theme)
    def post(self, said: Theme) -> Response:
        """Remember it for wherever the person signs in."""
        problems = Problems()
        problems.check(said.theme in THEMES, "theme", f"It is one of {', '.join(THEMES)}.")
        problems.refuse()
        do_choose_theme(user=self.person, theme=said.theme)
        return self.done(theme=said.theme)


class StampView(ApiView):
    """GET /api/stamp."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Another one once something changed that pages show. Five short queries, however much there is."""
        newest = [rows.order_by("-pk").values_list("pk", flat=True).first() for rows in GROWING]
        panel = visible_panels(self.person).order_by("-started_at").values_list("pk", "finished_at").first()
        said = repr((newest, panel))
        return self.done(stamp=hashlib.sha256(said.encode()).hexdigest()[:16])


class ClientView(ApiView):
    """/api/client, which other servers of this kind have."""

    @asks()
    def get(self, asked: Asked) -> Response:
        """Says why there is none."""
        raise NotThere([("", NO_CLIENT)])

    post = get
