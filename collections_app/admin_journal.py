"""What was done to an object, below its page in the admin: the newest rows of the change log, and the way to all."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from collections_app.models import Change

SHOWN: Final = 10
SEES: Final = "collections_app.view_change"


class Journalled:
    """Mixed in before an admin class. `thing` is what the change log calls the object (empty: it knows none), `told_as`
    the field with its name there."""

    thing = ""
    told_as = "name"

    def journal_of(self, request: HttpRequest, obj: Model | None) -> list[Change]:
        """The newest changes of the object, for those who may see the log."""
        if not self.thing or obj is None or not request.user.has_perm(SEES):
            return []
        found = Change.objects.filter(thing=self.thing, name=self._name(obj))
        return list(found.order_by("-at", "-id")[:SHOWN])

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page of the object, with its journal."""
        obj = kwargs.get("obj")
        context |= {"journal": self.journal_of(request, obj), "journal_path": self._path(obj) if self.thing else ""}
        answer: HttpResponse = super().render_change_form(request, context, *args, **kwargs)  # type: ignore[misc]
        return answer

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """The change log, which knows more than the admin's own history."""
        obj = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if self.thing and obj is not None and request.user.has_perm(SEES):
            return redirect(self._path(obj))
        answer: HttpResponse = super().history_view(request, object_id, extra_context)  # type: ignore[misc]
        return answer

    def _name(self, obj: Model) -> str:
        return str(getattr(obj, self.told_as)) if self.told_as else str(obj)

    def _path(self, obj: Model | None) -> str:
        if obj is None:
            return ""
        return f"{reverse('dashboard:changes')}?{urlencode({'thing': self.thing, 'q': self._name(obj)})}"
