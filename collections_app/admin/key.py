"""Gateway keys in the admin. A new key is shown once, in the message after it was made."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.actions.key import do_create_key, do_revoke_key, do_scope_key
from collections_app.actions.key_budget import budgets_of
from collections_app.admin_asks import asks
from collections_app.admin_base import ActionAdmin, ActionForm, act_on_each, actor_of
from collections_app.budget_fields import NAMES, BudgetForm, fill_fields, read_fields
from collections_app.models import GatewayKey

LIMITS = ("owner", "team", "collections", "rpm", "tpm", "expires_at")
GONE = (
    "Every collection that this key could call is gone, so it opens nothing. Choose others; for one that opens "
    "everything, revoke it and make a new one."
)


class KeyForm(BudgetForm, ActionForm):
    """No collection chosen means all of them."""

    plain = ""

    class Meta:
        model = GatewayKey
        fields = ("name", *LIMITS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial.update(fill_fields(budgets_of(self.instance)))

    def clean_collections(self) -> Any:
        """A scope that has run empty is not turned into one of everything by saving something else."""
        chosen = self.cleaned_data["collections"]
        if self.instance.pk and self.instance.scoped and not (chosen or self.instance.collections.exists()):
            self.add_error("collections", GONE)
        return chosen

    def act(self) -> Model:
        values = {name: value for name, value in self.cleaned_data.items() if name not in NAMES}
        values["budgets"] = read_fields(self.cleaned_data)
        values["collections"] = [collection.name for collection in values["collections"]]
        values["team"] = values["team"].name if values["team"] else ""
        if self.instance.pk:
            values["name"] = self.instance.name
            return do_scope_key(actor=self.actor, **values)
        row, self.plain = do_create_key(actor=self.actor, **values)
        return row


@admin.register(GatewayKey)
class GatewayKeyAdmin(ActionAdmin):
    """A revoked key stays in the list as a record and can no longer be changed."""

    form = KeyForm
    thing = "key"
    list_display = ("name", "owner", "team", "ending", "opens", "rpm", "tpm", "may_use", "state", "last_used_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter), "owner", "team")
    list_select_related = ("owner", "team")
    search_fields = ("name", "owner__username", "team__name", "hint")
    filter_horizontal = ("collections",)
    actions = ("revoke",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[GatewayKey]:
        rows: QuerySet[GatewayKey] = super().get_queryset(request)
        return rows.prefetch_related("collections", "budgets")

    def get_fieldsets(self, request: HttpRequest, obj: GatewayKey | None = None) -> Any:
        shown = ("name", *LIMITS, *(("ending", "state", "last_used_at") if obj else ()))
        told = "Empty: no budget. Days and months are those of the server's time zone."
        return ((None, {"fields": shown}), ("Budgets", {"fields": NAMES, "description": told}))

    def get_readonly_fields(self, request: HttpRequest, obj: GatewayKey | None = None) -> tuple[str, ...]:
        return ("name", "ending", "state", "last_used_at") if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if isinstance(obj, GatewayKey) and obj.revoked_at:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            messages.warning(request, f"Copy the key now, it is not shown again: {form.plain}")

    @admin.display(description="ends in")
    def ending(self, obj: GatewayKey) -> str:
        return f"…{obj.hint}"

    @admin.display(description="opens")
    def opens(self, obj: GatewayKey) -> str:
        if not obj.scoped:
            return "every collection"
        return ", ".join(sorted(one.name for one in obj.collections.all())) or "nothing any more"

    @admin.display(description="budgets")
    def may_use(self, obj: GatewayKey) -> str:
        return ", ".join(budget.words for budget in budgets_of(obj))

    @admin.display(description="state")
    def state(self, obj: GatewayKey) -> str:
        return f"revoked {obj.revoked_at:%Y-%m-%d}" if obj.revoked_at else "open"

    @admin.action(description="Revoke", permissions=["change"])
    @asks("Revoke these keys? Whoever uses them is refused at once, for good.")
    def revoke(self, request: HttpRequest, chosen: QuerySet[GatewayKey]) -> None:
        actor = actor_of(request)
        live = chosen.filter(revoked_at__isnull=True)
        act_on_each(self, request, live, lambda row: do_revoke_key(actor=actor, name=row.name), "Revoked")
