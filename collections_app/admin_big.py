"""Admin lists over tables that grow without end: the newest rows alone are listed, counted, searched and filtered, by
an index; an older row is reached by its address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest

from collections_app.admin_base import ReadOnlyAdmin

NEWEST: Final = 10_000


class BigTableAdmin(ReadOnlyAdmin):
    """`newest_by` is the indexed field that the rows come in by, as a path from the model."""

    newest_by = "pk"
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """For the list only the newest; the page of a row finds any."""
        rows: QuerySet[Any] = super().get_queryset(request)
        at = request.resolver_match
        if at is None or not str(at.url_name).endswith("_changelist"):
            return rows
        known = self.model._default_manager.order_by(f"-{self.newest_by}").values_list(self.newest_by, flat=True)
        edge = list(known[NEWEST - 1 : NEWEST])
        return rows.filter(**{f"{self.newest_by}__gte": edge[0]}) if edge else rows

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Says that older rows are left out, where there may be some."""
        told = {"newest": NEWEST} | (extra_context or {})
        return super().changelist_view(request, told)


def filter_by(field: str, title: str, load: Callable[[], Iterable[str]]) -> type[SimpleListFilter]:
    """A filter on a field whose values a small table knows, instead of a look through all rows for those there are."""

    class Named(SimpleListFilter):
        parameter_name = field

        def lookups(self, request: HttpRequest, model_admin: ModelAdmin[Any]) -> list[tuple[str, str]]:
            return [(value, value) for value in load()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            chosen = self.value()
            return queryset.filter(**{field: chosen}) if chosen else queryset

    Named.title = title
    return Named
