"""Has the change log learn of writes on admin pages that are not ours, such as those of the scheduler's library.

Our own pages write through actions, which journal by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.admin import AdminSite
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.admin_base import ActionAdmin, ReadOnlyAdmin, actor_of
from collections_app.journal import note_alone


class Noted:
    """Mixed in before the admin class of a library."""

    opts: Any

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        with transaction.atomic():
            super().save_model(request, obj, form, change)  # type: ignore[misc]
            after = _shown(form.cleaned_data, form.changed_data)
            if not change:
                self._note(request, obj, new=after)
                return
            before = _shown(form.initial, form.changed_data)
            for field, value in after.items():
                self._note(request, obj, field, old=before[field], new=value)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        with transaction.atomic():
            self._note(request, obj, old=str(obj))
            super().delete_model(request, obj)  # type: ignore[misc]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for obj in queryset:
                self._note(request, obj, old=str(obj))
            super().delete_queryset(request, queryset)  # type: ignore[misc]

    def _note(self, request: HttpRequest, obj: Model, field: str = "", *, old: Any = None, new: Any = None) -> None:
        thing, name = str(self.opts.verbose_name)[:32], str(obj)[:200]
        note_alone(actor_of(request), thing, name, field[:64], old=old, new=new)


def note_foreign_pages(site: AdminSite) -> None:
    """Once, when every page is registered."""
    for model, page in list(site._registry.items()):
        if not isinstance(page, ActionAdmin | ReadOnlyAdmin | Noted):
            kind = type(page)
            site.unregister(model)
            site.register(model, type(kind.__name__, (Noted, kind), {"__module__": kind.__module__}))


def _shown(values: Mapping[str, Any], fields: list[str]) -> dict[str, Any]:
    return {field: _plain(values.get(field)) for field in fields}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, QuerySet | list | tuple | set):
        return sorted(str(one) for one in value)
    return str(value)
